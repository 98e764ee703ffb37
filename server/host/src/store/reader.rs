//! The reading side: snapshots for everybody who looks. A reader never writes and never waits for the writer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use augment_core::analytics::Analysis;
use augment_core::closing::Closing;
use augment_core::file::{ContentHash, FilePath};
use augment_core::id::{RunId, TaskId};
use augment_core::ledger::{Break, Head, check_next};
use augment_core::prompt::Prompt;
use augment_core::review::{FileNumber, PendingOf};
use augment_core::run::{HandOff, HandOffId, Question, QuestionId, Run};
use augment_core::session::{Flag, Session, SessionId};
use augment_core::task::{Priority, Status, Task};
use augment_core::weave::DecisionNo;
use rusqlite::{Connection, OpenFlags, Row, ToSql};

use super::{
    AllowedAgent, Counted, KeptReport, LedgerQuery, PendingCounts, Policies, Records, RunQuery, StoreError, TurnView,
    closing_row, configure, decision_row, figures, file_row, fits_in, flag_row, kept, ledger, prompt_row, run_row,
    session_row, talk_row, task_row, view,
};

#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    path: PathBuf,
    policy: Arc<Policies>,
}

/// How many tasks there are of each status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(Vec<(Status, u64)>);

impl Counts {
    #[must_use]
    pub fn of(&self, status: Status) -> u64 {
        self.0.iter().find(|(known, _)| *known == status).map_or(0, |(_, tasks)| *tasks)
    }
}

/// Which tasks to list; everything that is set must hold.
#[derive(Debug, Clone, Default)]
pub struct ListQuery {
    pub statuses: Vec<Status>,
    pub priority: Option<Priority>,
    pub label: Option<String>,
    pub goal: Option<String>,
    pub assignee: Option<String>,
    /// Lower case.
    pub text: Option<String>,
    pub ready: bool,
    pub limit: usize,
    /// Go on after this task.
    pub after: Option<TaskId>,
}

/// A page of tasks, and the task after which the next page goes on.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub tasks: Vec<Task>,
    pub next: Option<TaskId>,
}

/// The parts of a list, in order: what is worked on, what waits, what has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    InProgress,
    Pending,
    Ended,
}

impl Section {
    fn of(status: Status) -> Self {
        match status {
            Status::InProgress => Self::InProgress,
            Status::Pending => Self::Pending,
            Status::Completed | Status::Failed | Status::Partial | Status::Blocked | Status::Cancelled => Self::Ended,
        }
    }
}

impl Reader {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || {
            let connection = Connection::open_with_flags(path, flags)?;
            configure(&connection)?;
            Ok(connection)
        };
        let connection = open().map_err(|source| StoreError::new(path, source))?;
        Ok(Self { connection, path: path.to_owned(), policy: Arc::default() })
    }

    /// What the snapshots show as the person's policy.
    pub fn set_policy(&mut self, policy: Arc<Policies>) {
        self.policy = policy;
    }

    /// Reads several things from one snapshot.
    pub fn snapshot<T>(&mut self, read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let path = &self.path;
        let transaction = self.connection.transaction().map_err(|source| StoreError::new(path, source))?;
        read(&Snapshot { connection: &transaction, path, policy: &self.policy })
    }
}

/// The state at one revision.
#[derive(Debug)]
pub struct Snapshot<'reader> {
    connection: &'reader Connection,
    path: &'reader Path,
    policy: &'reader Policies,
}

impl Snapshot<'_> {
    fn ask<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        read(self.connection).map_err(|source| StoreError::new(self.path, source))
    }

    /// The same look-ups that the rules have.
    #[must_use]
    pub fn view(&self) -> TurnView<'_> {
        TurnView::new(self.connection, self.path, self.policy)
    }

    /// Files with such pending hunks, by path, after this one.
    pub fn pending_files(
        &self,
        of: &PendingOf,
        after: Option<&FilePath>,
        limit: usize,
    ) -> Result<Vec<FileNumber>, StoreError> {
        self.ask(|connection| file_row::pending(connection, of, after, limit))
    }

    /// Every tracked file that is there now, by path, after this one.
    pub fn tracked_files(&self, after: Option<&FilePath>, limit: usize) -> Result<Vec<FileNumber>, StoreError> {
        self.ask(|connection| file_row::all(connection, after, limit))
    }

    /// Sessions, the newest first.
    pub fn session_list(&self, limit: usize) -> Result<Vec<Session>, StoreError> {
        self.ask(|connection| session_row::list(connection, limit))
    }

    pub fn session_of(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        self.ask(|connection| session_row::find(connection, id))
    }

    /// The steps in which an ended session is completed.
    pub fn closing(&self, session: SessionId) -> Result<Option<Closing>, StoreError> {
        self.ask(|connection| closing_row::find(connection, session))
    }

    /// Prompts, the newest first.
    pub fn prompts(&self, limit: usize) -> Result<Vec<Prompt>, StoreError> {
        self.ask(|connection| prompt_row::list(connection, limit))
    }

    /// Files in which something may be left to be committed, by path.
    pub fn loose_files(&self, limit: usize) -> Result<Vec<FileNumber>, StoreError> {
        self.ask(|connection| prompt_row::loose(connection, limit))
    }

    /// Where the archives of sessions were written.
    pub fn archives(&self) -> Result<Vec<(SessionId, String)>, StoreError> {
        self.ask(closing_row::archives)
    }

    /// The newest session of this number of the project's.
    pub fn session_numbered(&self, number: u32) -> Result<Option<Session>, StoreError> {
        self.ask(|connection| session_row::numbered(connection, number))
    }

    /// The newest reports after this number, oldest first.
    pub fn told(&self, session: Option<SessionId>, after: u64, limit: usize) -> Result<Vec<KeptReport>, StoreError> {
        self.ask(|connection| session_row::told(connection, session, after, limit))
    }

    /// The flags of a session, oldest first.
    pub fn flags(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, StoreError> {
        self.ask(|connection| flag_row::all(connection, session, limit))
    }

    pub fn pending_counts(&self) -> Result<PendingCounts, StoreError> {
        self.ask(file_row::counts)
    }

    /// Who made the decisions about a file, by their number in its weave.
    pub fn deciders(&self, file: FileNumber) -> Result<Vec<(DecisionNo, String)>, StoreError> {
        self.ask(|connection| decision_row::deciders(connection, file))
    }

    pub fn is_tracked(&self, path: &FilePath) -> Result<bool, StoreError> {
        self.ask(|connection| file_row::is_tracked(connection, path))
    }

    /// Some content that is kept.
    pub fn fetch(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.ask(|connection| kept::fetch(connection, hash))
    }

    /// What is known of files beyond the manifest.
    pub fn known(&self) -> Result<Vec<(FilePath, u64, Vec<u8>)>, StoreError> {
        self.ask(kept::known)
    }

    pub fn revision(&self) -> Result<u64, StoreError> {
        Ok(self.ask(ledger::head)?.sequence)
    }

    pub fn counts(&self) -> Result<Counts, StoreError> {
        self.ask(count)
    }

    pub fn task(&self, id: TaskId) -> Result<Option<Task>, StoreError> {
        self.ask(|connection| view::task(connection, id))
    }

    pub fn dependents(&self, id: TaskId) -> Result<Vec<TaskId>, StoreError> {
        self.ask(|connection| view::dependents(connection, id))
    }

    /// The newest attempts at a task, newest first.
    pub fn runs(&self, id: TaskId, limit: usize) -> Result<Vec<Run>, StoreError> {
        self.ask(|connection| run_row::of_task(connection, id, limit))
    }

    /// The run that this token speaks for, also after it has ended.
    pub fn run_of_token(&self, token_hash: [u8; 32]) -> Result<Option<Run>, StoreError> {
        self.ask(|connection| run_row::of_token(connection, token_hash))
    }

    pub fn run(&self, id: RunId) -> Result<Option<Run>, StoreError> {
        self.ask(|connection| run_row::find(connection, id))
    }

    pub fn run_list(&self, query: &RunQuery) -> Result<Vec<Run>, StoreError> {
        self.ask(|connection| run_row::list(connection, query))
    }

    /// The runs whose process is ours and that have not ended.
    pub fn kept_runs(&self) -> Result<Vec<Run>, StoreError> {
        self.ask(run_row::kept)
    }

    /// The last report of a run, as it was written.
    pub fn report(&self, id: RunId) -> Result<Option<String>, StoreError> {
        self.ask(|connection| run_row::report(connection, id))
    }

    pub fn question(&self, id: QuestionId) -> Result<Option<Question>, StoreError> {
        self.ask(|connection| talk_row::question(connection, id))
    }

    /// The questions that wait, oldest first.
    pub fn open_questions(&self, limit: usize) -> Result<Vec<Question>, StoreError> {
        self.ask(|connection| talk_row::open(connection, limit))
    }

    /// The questions that have their answer, newest first.
    pub fn answered_questions(&self, limit: usize) -> Result<Vec<Question>, StoreError> {
        self.ask(|connection| talk_row::answered(connection, limit))
    }

    /// The questions of a run, oldest first.
    pub fn questions_of(&self, run: RunId, limit: usize) -> Result<Vec<Question>, StoreError> {
        self.ask(|connection| talk_row::questions_of(connection, run, limit))
    }

    /// The questions of all runs of a task, oldest first.
    pub fn questions_of_task(&self, task: TaskId, limit: usize) -> Result<Vec<Question>, StoreError> {
        self.ask(|connection| talk_row::questions_of_task(connection, task, limit))
    }

    pub fn hand_off(&self, id: HandOffId) -> Result<Option<HandOff>, StoreError> {
        self.ask(|connection| talk_row::hand_off(connection, id))
    }

    /// The hand-off that a task was made of.
    pub fn hand_off_to(&self, task: TaskId) -> Result<Option<HandOff>, StoreError> {
        self.ask(|connection| talk_row::hand_off_to(connection, task))
    }

    /// What a person gave the next agent to read, instead of what is known.
    pub fn hand_off_text(&self, id: HandOffId) -> Result<Option<String>, StoreError> {
        self.ask(|connection| talk_row::hand_off_text(connection, id))
    }

    /// The newest first.
    pub fn hand_offs(&self, limit: usize) -> Result<Vec<HandOff>, StoreError> {
        self.ask(|connection| talk_row::hand_offs(connection, limit))
    }

    pub fn hand_offs_of(&self, run: RunId) -> Result<Vec<HandOff>, StoreError> {
        self.ask(|connection| talk_row::hand_offs_of(connection, run))
    }

    /// Agents of the workspace that a person allowed, each with what was allowed.
    pub fn allowed_agents(&self) -> Result<Vec<AllowedAgent>, StoreError> {
        self.ask(talk_row::allowed)
    }

    /// Counts what happened in the period of an analysis.
    pub fn count_figures(&self, analysis: &mut Analysis) -> Result<Counted, StoreError> {
        self.ask(|connection| figures::count(connection, analysis))
    }

    /// Whether an agent of this name has ever worked here.
    pub fn has_worked(&self, agent: &str) -> Result<bool, StoreError> {
        self.ask(|connection| figures::has_worked(connection, agent))
    }

    pub fn records(&self, query: &LedgerQuery) -> Result<Records, StoreError> {
        self.ask(|connection| ledger::list(connection, query))
    }

    /// Walks the whole chain: its head, and the first place where it or the way to look it up does not hold.
    pub fn verify(&self) -> Result<(Head, Option<Break>), StoreError> {
        self.ask(verify)
    }

    /// SQLite's own check of the file; an empty answer means that all is well.
    pub fn quick_check(&self) -> Result<Vec<String>, StoreError> {
        self.ask(|connection| {
            let mut statement = connection.prepare("PRAGMA quick_check(10)")?;
            let lines: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(lines.into_iter().filter(|line| line != "ok").collect())
        })
    }

    pub fn list(&self, query: &ListQuery) -> Result<Page, StoreError> {
        self.ask(|connection| list(connection, query))
    }
}

fn verify(connection: &Connection) -> rusqlite::Result<(Head, Option<Break>)> {
    let (mut head, mut broken, mut entries) = (Head::EMPTY, None, 0);
    ledger::walk(connection, |link| {
        let sequence = head.sequence + 1;
        // What cannot even be read was changed by somebody else.
        let checked = link.ok_or(Break::Changed { sequence }).and_then(|link| Ok((check_next(head, &link)?, link)));
        match checked {
            Ok((next, link)) => {
                head = next;
                for topic in ledger::topics(&link.record) {
                    entries += 1;
                    if broken.is_none() && !ledger::is_listed(connection, &topic, sequence)? {
                        broken = Some(Break::Unlisted { sequence });
                    }
                }
            }
            Err(found) => broken = Some(found),
        }
        Ok(broken.is_none())
    })?;
    let kept = ledger::kept_head(connection)?.unwrap_or(Head::EMPTY);
    if broken.is_none() && kept != head {
        broken = Some(if kept.sequence == head.sequence {
            Break::Changed { sequence: head.sequence }
        } else {
            Break::WrongEnd { kept: kept.sequence, found: head.sequence }
        });
    }
    if broken.is_none() && ledger::listed(connection)? != entries {
        broken = Some(Break::Overlisted { sequence: head.sequence });
    }
    Ok((head, broken))
}

fn count(connection: &Connection) -> rusqlite::Result<Counts> {
    let mut statement = connection.prepare_cached("SELECT status, tasks FROM tally")?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
    let mut counts = Vec::new();
    for row in rows {
        let (status, tasks) = row?;
        counts.extend(Status::from_name(&status).map(|status| (status, u64::try_from(tasks).unwrap_or(0))));
    }
    Ok(Counts(counts))
}

pub(super) fn list(connection: &Connection, query: &ListQuery) -> rusqlite::Result<Page> {
    let mut page = Page::default();
    let mut bytes = 0;
    let after = match query.after {
        Some(id) => view::task(connection, id)?,
        None => None,
    };
    let first = after.as_ref().map(|task| Section::of(task.status));
    let mut begun = first.is_none();
    for section in [Section::InProgress, Section::Pending, Section::Ended] {
        let here = first == Some(section);
        begun |= here;
        let statuses: Vec<Status> =
            query.statuses.iter().copied().filter(|status| Section::of(*status) == section).collect();
        if begun && !statuses.is_empty() && page.tasks.len() <= query.limit {
            list_section(connection, section, &statuses, query, after.as_ref().filter(|_| here), &mut page.tasks)?;
        }
    }
    let fits = page.tasks.iter().take_while(|task| fits_in(&mut bytes, text_bytes(task))).count().min(query.limit);
    if fits < page.tasks.len() {
        page.tasks.truncate(fits.max(1));
        page.next = page.tasks.last().map(|task| task.id);
    }
    Ok(page)
}

fn text_bytes(task: &Task) -> usize {
    let lists = [&task.scope, &task.labels].into_iter().flatten().chain(&task.route.capabilities);
    let optional = [&task.result, &task.goal, &task.holder, &task.route.assignee];
    task.title.len()
        + task.description.len()
        + lists.map(|entry| entry.len() + 3).sum::<usize>()
        + optional.into_iter().flatten().map(String::len).sum::<usize>()
        + task.depends_on.len() * 16
}

/// Adds the section's tasks after `after`, up to one more than the limit. Each status is read along an index of its own
/// and stops there, so a page costs the same however many tasks have ended.
fn list_section(
    connection: &Connection,
    section: Section,
    statuses: &[Status],
    query: &ListQuery,
    after: Option<&Task>,
    tasks: &mut Vec<Task>,
) -> rusqlite::Result<()> {
    let columns = task_row::COLUMNS;
    let priority = after.map(|task| task_row::priority_number(task.priority));
    let (major, minor) = (after.map(|task| task.rank.major), after.map(|task| task.rank.minor));
    let number = after.map(|task| task_row::number(task.id));
    let ended = after.and_then(|task| task.ended).map(|ended| ended.0);
    let (condition, order, values): (_, _, Vec<&dyn ToSql>) = match (section, after) {
        (Section::InProgress | Section::Pending, None) => ("", "priority, major, minor, number", vec![]),
        (Section::InProgress | Section::Pending, Some(_)) => (
            "AND (priority, major, minor, number) > (?2, ?3, ?4, ?5)",
            "priority, major, minor, number",
            vec![&priority, &major, &minor, &number],
        ),
        (Section::Ended, None) => ("AND ended_ms IS NOT NULL", "ended_ms DESC, number DESC", vec![]),
        (Section::Ended, Some(_)) => (
            "AND ended_ms IS NOT NULL AND (ended_ms, number) < (?2, ?3)",
            "ended_ms DESC, number DESC",
            vec![&ended, &number],
        ),
    };
    let sql = format!("SELECT {columns} FROM task WHERE status = ?1 {condition} ORDER BY {order}");
    let room = query.limit.saturating_add(1).saturating_sub(tasks.len());
    let mut found = Vec::new();
    for status in statuses {
        let mut statement = connection.prepare_cached(&sql)?;
        let name = status.name();
        let mut all: Vec<&dyn ToSql> = vec![&name];
        all.extend(&values);
        let mut rows = statement.query(all.as_slice())?;
        let (mut left, mut bytes) = (room, 0);
        while left > 0
            && let Some(row) = rows.next()?
        {
            if is_wanted(row, query)? {
                let task = task_row::read(connection, row)?;
                // The one that is too much is kept, so that the page knows that there is more.
                left = if fits_in(&mut bytes, text_bytes(&task)) { left - 1 } else { 0 };
                found.push(task);
            }
        }
    }
    if section == Section::Ended {
        found.sort_by_key(|task| std::cmp::Reverse((task.ended, task.id)));
    }
    found.truncate(room);
    tasks.append(&mut found);
    Ok(())
}

/// Whether a row is asked for, told without making a task of it.
fn is_wanted(row: &Row<'_>, query: &ListQuery) -> rusqlite::Result<bool> {
    let text = |name: &str| -> rusqlite::Result<Option<&str>> { Ok(row.get_ref(name)?.as_str_or_null()?) };
    let has_line =
        |lines: Option<&str>, wanted: &str| lines.is_some_and(|lines| lines.lines().any(|line| line == wanted));
    if let Some(priority) = query.priority
        && row.get::<_, i64>("priority")? != task_row::priority_number(priority)
    {
        return Ok(false);
    }
    if query.ready && !(text("status")? == Some(Status::Pending.name()) && row.get::<_, i64>("waits_for")? == 0) {
        return Ok(false);
    }
    if let Some(label) = &query.label
        && !has_line(text("labels")?, label)
    {
        return Ok(false);
    }
    if let Some(goal) = &query.goal
        && text("goal")? != Some(goal)
    {
        return Ok(false);
    }
    if let Some(assignee) = &query.assignee {
        let assigned = text("route")?.and_then(|route| route.split('\n').next());
        if text("holder")? != Some(assignee) && assigned != Some(assignee) {
            return Ok(false);
        }
    }
    if let Some(wanted) = &query.text {
        let holds = |text: Option<&str>| text.is_some_and(|text| text.to_lowercase().contains(wanted.as_str()));
        if !holds(text("title")?) && !holds(text("description")?) {
            return Ok(false);
        }
    }
    Ok(true)
}
