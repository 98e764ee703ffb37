//! Tasks for people: the list with what it leaves out, one task with what surrounds it, and the state of the whole.

use augment_core::text::{visible, visible_lines};
use augment_protocol::queue::{
    Counts, Origin, OutOfScope, Priority, Status, Taken, Task, TaskDetails, TaskList, TaskSummary,
};
use augment_protocol::status::OverallStatus;

use super::table::{Cell, Column, Look, fields, table};
use super::time::{age, length, with_age};
use super::{changes, records, session};

pub(crate) fn priority_name(priority: Priority) -> &'static str {
    match priority {
        Priority::High => "high",
        Priority::Medium => "medium",
        Priority::Low => "low",
    }
}

pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::InProgress => "in-progress",
        Status::Completed => "completed",
        Status::Failed => "failed",
        Status::Partial => "partial",
        Status::Blocked => "blocked",
        Status::Cancelled => "cancelled",
    }
}

fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Typed => "typed",
        Origin::Connector => "connector",
        Origin::Discovered => "discovered",
        Origin::HandOff => "hand-off",
    }
}

fn priority_look(priority: Priority) -> Look {
    match priority {
        Priority::High => Look::Strong,
        Priority::Medium => Look::Plain,
        Priority::Low => Look::Faint,
    }
}

fn status_look(status: Status) -> Look {
    match status {
        Status::Pending => Look::Plain,
        Status::InProgress => Look::Busy,
        Status::Completed => Look::Good,
        Status::Failed => Look::Bad,
        Status::Partial | Status::Blocked => Look::Warn,
        Status::Cancelled => Look::Faint,
    }
}

/// `Added b12  Title  (high)`.
pub(crate) fn one_line(done: &str, task: &Task) -> String {
    let priority = priority_name(task.priority);
    format!("{done} {}  {}  ({priority})", Look::Strong.paint(&task.id), visible(&task.title))
}

/// The tasks of a list, and under it what is there and what is not shown.
pub(crate) fn list(list: &TaskList, left_out: &LeftOut, now_ms: i64, width: Option<u16>) -> ListText {
    let table = (!list.tasks.is_empty()).then(|| task_table(&list.tasks, list.out_of_scope.as_ref(), now_ms, width));
    ListText { table, footer: footer(list, left_out) }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListText {
    table: Option<String>,
    footer: String,
}

impl ListText {
    pub(crate) fn whole(&self) -> String {
        match &self.table {
            Some(table) => format!("{table}\n\n{}", self.footer),
            None => self.footer.clone(),
        }
    }

    /// What fits on a screen of so many rows, the footer always with it.
    pub(crate) fn fitting(&self, rows: u16) -> String {
        let Some(table) = &self.table else {
            return self.footer.clone();
        };
        let lines: Vec<&str> = table.lines().collect();
        // An empty line, the footer, a line for what is left out and one for the cursor.
        let room = usize::from(rows).saturating_sub(self.footer.lines().count() + 3).max(2);
        if lines.len() <= room + 1 {
            return self.whole();
        }
        let hidden = lines.len() - room;
        format!("{}\n… {hidden} more that this screen has no room for\n\n{}", lines[..room].join("\n"), self.footer)
    }
}

/// What was asked for, as far as the footer tells what it left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Completed and cancelled tasks were not asked for.
    pub(crate) done: bool,
    /// How many tasks match in all, where the counts tell it.
    pub(crate) matching: Option<u64>,
}

/// Tasks that nobody has to look at any more.
pub(crate) fn done(counts: &Counts) -> u64 {
    counts.completed + counts.cancelled
}

/// How many tasks have one of these statuses, given by name. An unknown name has been refused before.
pub(crate) fn count_of(counts: &Counts, statuses: &[String]) -> u64 {
    let named = [
        ("pending", counts.pending),
        ("in-progress", counts.in_progress),
        ("completed", counts.completed),
        ("failed", counts.failed),
        ("partial", counts.partial),
        ("blocked", counts.blocked),
        ("cancelled", counts.cancelled),
    ];
    named.into_iter().filter(|(name, _)| statuses.iter().any(|status| status == name)).map(|(_, count)| count).sum()
}

fn footer(list: &TaskList, left_out: &LeftOut) -> String {
    let mut lines = Vec::new();
    if let Some(next) = &list.next {
        let shown = list.tasks.len() as u64;
        let more = left_out.matching.and_then(|matching| matching.checked_sub(shown)).filter(|more| *more > 0);
        let more = more.map_or_else(|| "more".to_owned(), |more| format!("{more} more"));
        lines.push(format!("… {more}; --limit or --after {}", visible(next)));
    }
    if list.tasks.is_empty() {
        lines.push("No task to show.".to_owned());
    }
    lines.push(counts(&list.counts));
    if let Some(OutOfScope { session, tasks }) = &list.out_of_scope
        && let Some(first) = tasks.first()
    {
        let (count, are) = counted(tasks.len());
        let first = visible(first);
        lines.push(format!(
            "{count} {are} not in the confirmed scope of session {session:03}; augment-cli session adjust --add {first}"
        ));
    }
    let done = done(&list.counts);
    if left_out.done && done > 0 {
        let (tasks, them) = if done == 1 { ("task", "it") } else { ("tasks", "them") };
        lines.push(format!("{done} completed or cancelled {tasks} not shown; --all shows {them}"));
    }
    let faint = lines.iter().map(|line| Look::Faint.paint(line));
    faint.collect::<Vec<_>>().join("\n")
}

/// `1 task`, `3 tasks`, with the verb that goes with it.
fn counted(tasks: usize) -> (String, &'static str) {
    if tasks == 1 { ("1 task".to_owned(), "is") } else { (format!("{tasks} tasks"), "are") }
}

/// Why `next` gives nothing.
pub(crate) fn nothing_ready(left_out: Option<&OutOfScope>) -> String {
    match left_out.and_then(|left_out| Some((left_out, left_out.tasks.first()?))) {
        None => "No task is ready. `augment-cli queue list` shows what waits and for what.".to_owned(),
        Some((OutOfScope { session, tasks }, first)) => {
            let (count, are) = counted(tasks.len());
            let first = visible(first);
            format!(
                "No task of the confirmed scope of session {session:03} is ready. {count} outside of it {are}; `augment-cli session adjust --add {first}` adds one."
            )
        }
    }
}

/// `3 pending, 1 in progress, 2 failed`.
pub(crate) fn counts(counts: &Counts) -> String {
    let always = [(counts.pending, "pending"), (counts.in_progress, "in progress")];
    let sometimes = [
        (counts.completed, "completed"),
        (counts.failed, "failed"),
        (counts.partial, "partial"),
        (counts.blocked, "blocked"),
        (counts.cancelled, "cancelled"),
    ];
    let told = always.into_iter().chain(sometimes.into_iter().filter(|(count, _)| *count > 0));
    told.map(|(count, name)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

fn task_table(tasks: &[Task], left_out: Option<&OutOfScope>, now_ms: i64, width: Option<u16>) -> String {
    const COLUMNS: [Column; 6] = [
        Column::Fixed("ID"),
        Column::Fixed("PRIORITY"),
        Column::Fixed("STATUS"),
        Column::Text("TITLE"),
        Column::Text("WHO"),
        Column::Number("AGE"),
    ];
    let is_left_out = |task: &Task| left_out.is_some_and(|left_out| left_out.tasks.contains(&task.id));
    let rows = tasks.iter().map(|task| {
        let outside = if is_left_out(task) { ", out of scope" } else { "" };
        vec![
            Cell::styled(&task.id, Look::Strong),
            Cell::styled(priority_name(task.priority), priority_look(task.priority)),
            Cell::styled(format!("{}{outside}", status_words(task)), status_look(task.status)),
            Cell::new(&task.title),
            Cell::new(who(task).unwrap_or("-")),
            Cell::new(age(task.created_at, now_ms)),
        ]
    });
    table(&COLUMNS, rows.collect(), width)
}

fn status_words(task: &Task) -> String {
    let name = status_name(task.status);
    if task.status == Status::Pending && task.waits_for > 0 {
        format!("{name}, waits for {}", task.waits_for)
    } else {
        name.to_owned()
    }
}

/// Who has it, or else whom it waits for.
fn who(task: &Task) -> Option<&str> {
    match task.status {
        Status::Pending => task.assignee.as_deref(),
        Status::InProgress
        | Status::Completed
        | Status::Failed
        | Status::Partial
        | Status::Blocked
        | Status::Cancelled => task.holder.as_deref().or(task.assignee.as_deref()),
    }
}

pub(crate) fn details(details: &TaskDetails, now_ms: i64, width: Option<u16>) -> String {
    let mut parts = vec![one_task(&details.task, now_ms)];
    parts.extend(block("Description", &details.task.description));
    parts.extend(details.task.result.as_deref().and_then(|result| block("Result", result)));
    parts.extend(summaries("Depends on", &details.dependencies, width));
    parts.extend(summaries("Needed by", &details.dependents, width));
    if details.dependents_left_out > 0 {
        parts.push(format!("… and {} more", details.dependents_left_out));
    }
    if !details.runs.is_empty() {
        parts.push(format!("{}\n{}", heading("Runs"), runs(details, now_ms, width)));
    }
    if !details.records.is_empty() {
        parts.push(format!("{}\n{}", heading("Newest records"), records::list(&details.records, width)));
    }
    parts.join("\n\n")
}

fn heading(text: &str) -> String {
    Look::Strong.paint(text)
}

/// Text of several lines under its heading, if there is any.
fn block(name: &str, text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return None;
    }
    let lines = visible_lines(text);
    let indented = lines.lines().map(|line| format!("  {line}").trim_end().to_owned());
    Some(format!("{}\n{}", heading(name), indented.collect::<Vec<_>>().join("\n")))
}

fn one_task(task: &Task, now_ms: i64) -> String {
    let mut entries = vec![
        ("id", Cell::styled(&task.id, Look::Strong)),
        ("title", Cell::new(&task.title)),
        ("status", Cell::styled(status_words(task), status_look(task.status))),
        ("priority", Cell::styled(priority_name(task.priority), priority_look(task.priority))),
    ];
    let mut add = |name, value: Option<String>| entries.extend(value.map(|value| (name, Cell::new(value))));
    add("goal", task.goal.clone());
    add("labels", joined(&task.labels));
    add("scope", joined(&task.scope));
    add("capabilities", joined(&task.capabilities));
    add("assignee", task.assignee.clone());
    let held = if task.lease.is_some() { "holder" } else { "last holder" };
    add(held, task.holder.clone());
    let last = if task.attempt > 0 { format!(", last was number {}", task.attempt) } else { String::new() };
    add("attempts", Some(format!("{} of {} used{last}", task.attempts_used, task.max_attempts)));
    add("time limit", task.time_limit_ms.map(length));
    add(
        "lease",
        task.lease.as_ref().map(|lease| {
            format!(
                "{} left of {}, last heartbeat {} ago",
                length(lease.left_ms),
                length(lease.length_ms),
                age(lease.last_heartbeat_at, now_ms)
            )
        }),
    );
    add("origin", Some(origin_name(task.origin).to_owned()));
    add("created", Some(with_age(task.created_at, now_ms)));
    add("started", task.started_at.map(|at| with_age(at, now_ms)));
    add("ended", task.ended_at.map(|at| with_age(at, now_ms)));
    add("revision", Some(task.revision.to_string()));
    fields(&entries)
}

fn joined(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn summaries(name: &str, tasks: &[TaskSummary], width: Option<u16>) -> Option<String> {
    if tasks.is_empty() {
        return None;
    }
    let rows = tasks.iter().map(|task| {
        vec![
            Cell::styled(&task.id, Look::Strong),
            Cell::styled(status_name(task.status), status_look(task.status)),
            Cell::new(&task.title),
        ]
    });
    let columns = [Column::Fixed("ID"), Column::Fixed("STATUS"), Column::Text("TITLE")];
    Some(format!("{}\n{}", heading(name), table(&columns, rows.collect(), width)))
}

fn runs(details: &TaskDetails, now_ms: i64, width: Option<u16>) -> String {
    let columns = [
        Column::Fixed("RUN"),
        Column::Text("AGENT"),
        Column::Fixed("STARTED"),
        Column::Fixed("TOOK"),
        Column::Text("OUTCOME"),
    ];
    let rows = details.runs.iter().map(|run| {
        let took = age(run.started_at, run.ended_at.unwrap_or(now_ms));
        vec![
            Cell::styled(&run.run, Look::Strong),
            Cell::new(&run.agent),
            Cell::new(super::time::utc(run.started_at)),
            Cell::new(took),
            run.outcome.as_ref().map_or_else(|| Cell::styled("going on", Look::Busy), Cell::new),
        ]
    });
    table(&columns, rows.collect(), width)
}

/// What a holder needs to know after taking a task. The token is not in it.
pub(crate) fn taken(taken: &Taken) -> String {
    let task = &taken.task;
    let (id, attempt) = (visible(&task.id), task.attempt);
    let mut entries = vec![("run", Cell::styled(&taken.run, Look::Strong))];
    entries.push(("attempt", Cell::new(format!("{} of {}", task.attempts_used, task.max_attempts))));
    let mut add = |name, value: Option<String>| entries.extend(value.map(|value| (name, Cell::new(value))));
    add("holder", task.holder.clone());
    add("lease", task.lease.as_ref().map(|lease| format!("{} without a heartbeat", length(lease.length_ms))));
    add("time limit", task.time_limit_ms.map(length));
    add("goal", task.goal.clone());
    add("scope", joined(&task.scope));
    let mut parts = vec![format!("{}\n{}", one_line("Taken", task), fields(&entries))];
    parts.extend(block("Description", &task.description));
    parts.push(format!(
        "{}\n  augment-cli queue heartbeat {id} --attempt {attempt}\n  augment-cli queue complete {id} --attempt {attempt} \
         --result \"…\"\n  augment-cli queue fail {id} --attempt {attempt} --reason \"…\"",
        heading("Go on with")
    ));
    parts.join("\n\n")
}

/// The line for `eval` that lets the holder speak for its task and for nothing else.
pub(crate) fn token_line(token: &str) -> String {
    let safe = token.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if safe {
        format!("export AUGMENT_TOKEN={token}")
    } else {
        format!("export AUGMENT_TOKEN='{}'", token.replace('\'', r"'\''"))
    }
}

pub(crate) fn overall(status: &OverallStatus, now_ms: i64, width: Option<u16>) -> String {
    let host = &status.host;
    let host = if host.lasting {
        let clients = if host.clients == 1 { "client" } else { "clients" };
        Cell::new(format!(
            "running for {}, pid {}, version {}, {} {clients}",
            age(host.started_at, now_ms),
            host.pid,
            host.version,
            host.clients
        ))
    } else {
        Cell::styled("not running; this command answered by itself", Look::Faint)
    };
    let mut entries =
        vec![("workspace", Cell::new(&status.workspace)), ("host", host), ("queue", Cell::new(counts(&status.counts)))];
    entries.extend(status.session.as_ref().map(|open| ("session", session::cell(open))));
    let waiting = match status.changes.pending_hunks {
        0 => Cell::new(changes::counts(&status.changes)),
        _ => Cell::new(format!("{} (augment-cli changes list)", changes::counts(&status.changes))),
    };
    entries.push(("changes", waiting));
    entries.extend(changes::watching_trouble(&status.watching).map(|cell| ("watching", cell)));
    let mut parts = vec![fields(&entries)];
    if !status.active.is_empty() {
        parts.push(format!("{}\n{}", heading("Being worked on"), task_table(&status.active, None, now_ms, width)));
    }
    if !status.troubles.is_empty() {
        let lines = status.troubles.iter().map(|trouble| match &trouble.task {
            Some(task) if !trouble.message.contains(task.as_str()) => {
                format!("  {} {}", Look::Warn.paint(task), visible(&trouble.message))
            }
            Some(_) | None => format!("  {}", Look::Warn.paint(&trouble.message)),
        });
        parts.push(format!("{}\n{}", heading("Needs a look"), lines.collect::<Vec<_>>().join("\n")));
    }
    parts.join("\n\n")
}

#[cfg(test)]
pub(crate) mod tests {
    use augment_protocol::changes::{ChangeCounts, WatchState, Watching};
    use augment_protocol::queue::{Lease, Run};
    use augment_protocol::status::{HostStatus, Trouble};

    use super::*;
    use crate::output::plain;

    const NOW: i64 = 1_794_823_205_000;

    pub(crate) fn task(id: &str, title: &str) -> Task {
        Task {
            id: id.into(),
            title: title.into(),
            description: String::new(),
            priority: Priority::Medium,
            status: Status::Pending,
            origin: Origin::Typed,
            goal: None,
            scope: vec![],
            labels: vec![],
            capabilities: vec![],
            assignee: None,
            depends_on: vec![],
            waits_for: 0,
            time_limit_ms: None,
            attempt: 0,
            attempts_used: 0,
            max_attempts: 3,
            created_at: NOW - 300_000,
            started_at: None,
            ended_at: None,
            holder: None,
            result: None,
            lease: None,
            revision: 7,
        }
    }

    fn held(id: &str, title: &str) -> Task {
        let lease = Lease { length_ms: 60_000, left_ms: 41_250, last_heartbeat_at: NOW - 18_750 };
        Task {
            status: Status::InProgress,
            priority: Priority::High,
            holder: Some("goose".into()),
            attempt: 2,
            attempts_used: 1,
            started_at: Some(NOW - 18_750),
            lease: Some(lease),
            ..task(id, title)
        }
    }

    fn sample(next: Option<&str>) -> TaskList {
        TaskList {
            tasks: vec![
                held("b12", "Refactor"),
                Task { waits_for: 1, assignee: Some("ada".into()), ..task("a3", "Test\u{1b}[2J it") },
            ],
            next: next.map(str::to_owned),
            counts: Counts { pending: 951, in_progress: 1, completed: 2, failed: 1, ..Counts::default() },
            out_of_scope: None,
            revision: 9,
        }
    }

    #[test]
    fn added_tasks_are_told_in_one_line() {
        let task = Task { priority: Priority::High, ..task("b12", "Refactor\u{7}") };
        assert_eq!(plain(&one_line("Added", &task)), "Added b12  Refactor\\u{7}  (high)");
    }

    #[test]
    fn a_list_tells_what_it_leaves_out() {
        let text = list(&sample(Some("c150")), &LeftOut { done: true, matching: Some(952) }, NOW, None);
        assert_eq!(
            plain(&text.whole()),
            "ID   PRIORITY  STATUS                TITLE             WHO    AGE\n\
             b12  high      in-progress           Refactor          goose   5m\n\
             a3   medium    pending, waits for 1  Test\\u{1b}[2J it  ada     5m\n\
             \n\
             … 950 more; --limit or --after c150\n\
             951 pending, 1 in progress, 2 completed, 1 failed\n\
             2 completed or cancelled tasks not shown; --all shows them"
        );
        let text = list(&sample(Some("c150")), &LeftOut { done: false, matching: None }, NOW, None);
        assert!(plain(&text.whole()).contains("… more; --limit or --after c150\n951 pending"), "{text:?}");
        let empty = TaskList { counts: Counts { completed: 1, ..Counts::default() }, tasks: vec![], ..sample(None) };
        let text = list(&empty, &LeftOut { done: true, matching: Some(0) }, NOW, None);
        assert_eq!(
            plain(&text.whole()),
            "No task to show.\n0 pending, 0 in progress, 1 completed\n1 completed or cancelled task not shown; --all shows it"
        );
    }

    #[test]
    fn a_watched_list_keeps_its_footer_on_the_screen() {
        let tasks = (0..40).map(|at| task(&format!("b{}", 10 + at), "t")).collect();
        let many = TaskList { tasks, ..sample(None) };
        let text = list(&many, &LeftOut { done: true, matching: Some(40) }, NOW, Some(80));
        let fitting = plain(&text.fitting(20));
        assert!(fitting.lines().count() < 20, "{fitting}");
        assert!(fitting.contains("… 26 more that this screen has no room for"), "{fitting}");
        assert!(fitting.ends_with("--all shows them"), "{fitting}");
        assert_eq!(text.fitting(60), text.whole());
    }

    #[test]
    fn counts_are_taken_by_the_names_of_the_core() {
        let counts =
            Counts { pending: 1, in_progress: 2, completed: 4, failed: 8, partial: 16, blocked: 32, cancelled: 64 };
        let all: Vec<String> = augment_core::task::Status::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(count_of(&counts, &all), 127);
        assert_eq!(count_of(&counts, &["failed".to_owned(), "pending".to_owned()]), 9);
        assert_eq!(done(&counts), 68);
    }

    #[test]
    fn details_tell_what_is_set_and_leave_out_what_is_not() {
        let shown = TaskDetails {
            task: Task {
                description: "One\r\n\n\u{9b}two".into(),
                labels: vec!["ui".into(), "auth".into()],
                ..held("b12", "Refactor")
            },
            dependencies: vec![TaskSummary { id: "a3".into(), title: "Plan".into(), status: Status::Completed }],
            dependents: vec![],
            dependents_left_out: 0,
            runs: vec![Run {
                run: "b12.1".into(),
                agent: "goose".into(),
                started_at: NOW - 120_000,
                ended_at: Some(NOW - 30_000),
                outcome: Some("lease-ran-out".into()),
            }],
            records: vec![],
        };
        assert_eq!(
            plain(&details(&shown, NOW, None)),
            "id        b12\n\
             title     Refactor\n\
             status    in-progress\n\
             priority  high\n\
             labels    ui, auth\n\
             holder    goose\n\
             attempts  1 of 3 used, last was number 2\n\
             lease     41s left of 1m, last heartbeat 18s ago\n\
             origin    typed\n\
             created   2026-11-16 09:55:05Z (5m ago)\n\
             started   2026-11-16 09:59:46Z (18s ago)\n\
             revision  7\n\
             \n\
             Description\n  One\\r\n\n  \\u{9b}two\n\
             \n\
             Depends on\n\
             ID  STATUS     TITLE\n\
             a3  completed  Plan\n\
             \n\
             Runs\n\
             RUN    AGENT  STARTED               TOOK  OUTCOME\n\
             b12.1  goose  2026-11-16 09:58:05Z  1m    lease-ran-out"
        );
    }

    #[test]
    fn a_taken_task_says_how_to_go_on_and_keeps_its_token() {
        let answer = Taken { task: held("b12", "Refactor"), run: "b12.2".into(), token: "sesame".into() };
        let text = plain(&taken(&answer));
        assert!(text.starts_with("Taken b12  Refactor  (high)\nrun      b12.2\n"), "{text}");
        assert!(text.contains("augment-cli queue complete b12 --attempt 2 --result"), "{text}");
        assert!(!text.contains("sesame"), "{text}");
        assert_eq!(token_line("aB-9_"), "export AUGMENT_TOKEN=aB-9_");
        assert_eq!(token_line("a'; rm"), r"export AUGMENT_TOKEN='a'\''; rm'");
    }

    #[test]
    fn the_whole_is_told_with_its_troubles() {
        let status = OverallStatus {
            session: None,
            workspace: "/srv/demo".into(),
            revision: 9,
            host: HostStatus {
                version: "0.1.0".into(),
                pid: 42,
                started_at: NOW - 7_200_000,
                lasting: true,
                clients: 2,
            },
            counts: Counts { pending: 3, in_progress: 1, ..Counts::default() },
            active: vec![held("b12", "Refactor")],
            changes: ChangeCounts { pending_files: 1, pending_hunks: 2, unknown_hunks: 0 },
            watching: Watching {
                state: WatchState::Partly,
                message: "The watch limit is reached. Raise it.".into(),
                files: 3,
                folders: 1,
            },
            troubles: vec![
                Trouble { message: "Failed: its lease ran out.".into(), task: Some("a3".into()) },
                Trouble { message: "a4 is blocked.".into(), task: Some("a4".into()) },
            ],
        };
        assert_eq!(
            plain(&overall(&status, NOW, None)),
            "workspace  /srv/demo\n\
             host       running for 2h, pid 42, version 0.1.0, 2 clients\n\
             queue      3 pending, 1 in progress\n\
             changes    2 hunks in 1 file wait for a decision (augment-cli changes list)\n\
             watching   The watch limit is reached. Raise it.\n\
             \n\
             Being worked on\n\
             ID   PRIORITY  STATUS       TITLE     WHO    AGE\n\
             b12  high      in-progress  Refactor  goose   5m\n\
             \n\
             Needs a look\n  a3 Failed: its lease ran out.\n  a4 is blocked."
        );
        let calm = OverallStatus {
            changes: ChangeCounts::default(),
            watching: Watching { state: WatchState::Watching, ..status.watching.clone() },
            active: vec![],
            troubles: vec![],
            ..status
        };
        assert!(plain(&overall(&calm, NOW, None)).ends_with("changes    nothing waits for a decision"), "{calm:?}");
    }
}
