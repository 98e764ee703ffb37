//! Sessions for people. Reports come as the text that they are; nothing in them is cut or folded.

use augment_core::text::{visible, visible_lines};
use augment_protocol::closing::ClosedSession;
use augment_protocol::sessions::{
    AnsweredFlag, CommitProposal, CommittedSession, EndedSession, Flag, FlagAnswer, ReportList, ScopeItem, Session,
    SessionDetails, SessionList, SessionReport, SessionState, SessionStatus,
};

use super::closing;
use super::table::{Cell, Column, Look, fields, table};
use super::time::{age, with_age};
use super::{archive, tasks};

pub(crate) fn state_name(state: SessionState) -> &'static str {
    match state {
        SessionState::Planned => "planned",
        SessionState::Confirmed => "confirmed",
        SessionState::Working => "working",
        SessionState::Checkpoint => "checkpoint",
        SessionState::Ending => "ending",
        SessionState::Ended => "ended",
        SessionState::Abandoned => "abandoned",
    }
}

fn look(state: SessionState) -> Look {
    match state {
        SessionState::Planned | SessionState::Checkpoint => Look::Warn,
        SessionState::Confirmed | SessionState::Working | SessionState::Ending => Look::Busy,
        SessionState::Ended => Look::Good,
        SessionState::Abandoned => Look::Faint,
    }
}

/// `009 (s3) working, 1/3 of its scope done`
pub(crate) fn one_line(session: &Session) -> String {
    let done = session.items.iter().filter(|item| item.end.as_deref() == Some("completed")).count();
    let waiting = waiting(session.items.iter().map(|item| item.waiting).sum());
    format!(
        "{:03} ({}) {}, {done}/{} of its scope done{}",
        session.number,
        session.id,
        state_name(session.state),
        session.items.len(),
        waiting.map(|waits| format!(", {waits}")).unwrap_or_default()
    )
}

/// `3 hunks wait for your review`; nothing where none does.
fn waiting(hunks: u32) -> Option<String> {
    match hunks {
        0 => None,
        1 => Some("1 hunk waits for your review".to_owned()),
        count => Some(format!("{count} hunks wait for your review")),
    }
}

/// A cell for the overall status.
pub(crate) fn cell(session: &Session) -> Cell {
    Cell::styled(one_line(session), look(session.state))
}

/// The text, then what waits for an answer and how to give it.
pub(crate) fn status(status: &SessionStatus) -> String {
    let mut parts = vec![visible_lines(status.text.trim_end()).into_owned()];
    let next = match &status.session {
        None => Some("augment-cli session start".to_owned()),
        Some(session) => match session.state {
            SessionState::Planned if session.items.is_empty() => Some(how_to_confirm(session).to_owned()),
            SessionState::Planned => {
                Some(format!("{}, or augment-cli session adjust --add … --remove …", how_to_confirm(session)))
            }
            SessionState::Checkpoint => {
                Some("augment-cli session checkpoint --continue, or augment-cli session adjust …".to_owned())
            }
            SessionState::Confirmed
            | SessionState::Working
            | SessionState::Ending
            | SessionState::Ended
            | SessionState::Abandoned => None,
        },
    };
    if let Some(session) = &status.session {
        parts.push(state_line(session));
        let has_own = session.items.iter().any(|item| item.end.is_none() && !item.paths.is_empty());
        // What is asked about is shown as a whole; later, what the line above does not say.
        if session.state == SessionState::Planned || has_own {
            parts.push(writes(session).join("\n"));
        }
    }
    if !status.flags.is_empty() {
        let open = status.session.as_ref();
        let lines: Vec<String> = status.flags.iter().map(|flag| flag_line(flag, open)).collect();
        parts.push(format!("{}\n{}", Look::Strong.paint("Waits for an answer"), lines.join("\n")));
    }
    parts.extend(archive::from_earlier(&status.from_earlier));
    parts.extend(next);
    parts.join("\n\n")
}

/// The yes to a scope; where nothing was proposed, with what is to be done.
pub(crate) fn how_to_confirm(session: &Session) -> &'static str {
    match &session.items[..] {
        [] => "augment-cli session confirm --title TITLE | --task ID",
        [_, ..] => "augment-cli session confirm",
    }
}

/// The question before a session that began by itself is ended for another.
pub(crate) fn ends(session: &Session) -> String {
    let why = session.automatic.as_deref().map(visible).unwrap_or_default();
    format!("Session {:03} is under way; it began by itself: {why}. End it, and write its record?", session.number)
}

pub(crate) fn goes_on(session: &Session) -> String {
    format!("Session {:03} goes on, and no other was started: augment-cli session status", session.number)
}

/// The scope that is asked about; the text ends with the question itself.
pub(crate) fn proposed(status: &SessionStatus) -> String {
    let text = visible_lines(status.text.trim_end()).into_owned();
    // The text ends with the question itself.
    let text = match archive::from_earlier(&status.from_earlier) {
        Some(earlier) => format!("{earlier}\n\n{text}"),
        None => text,
    };
    match &status.session {
        None => text,
        Some(session) => format!("{}\n\n{text}", writes(session).join("\n")),
    }
}

/// Where the work of each thing of the scope may write: all of it, so that a yes is a yes to what was shown.
fn writes(session: &Session) -> Vec<String> {
    let open: Vec<&ScopeItem> = session.items.iter().filter(|item| item.end.is_none()).collect();
    if open.iter().all(|item| item.paths.is_empty()) {
        return vec![match &session.paths[..] {
            [] => "It may write everywhere in this folder.".to_owned(),
            paths => format!("It may write in: {}", visible(&paths.join(", "))),
        }];
    }
    let line = |item: &&ScopeItem| {
        let mut patterns: Vec<&str> = session.paths.iter().map(String::as_str).collect();
        patterns
            .extend(item.paths.iter().map(String::as_str).filter(|own| !session.paths.iter().any(|path| path == own)));
        let place = if patterns.is_empty() { "everywhere in this folder".into() } else { patterns.join(", ") };
        format!("  {}: {}", visible(&item.title), visible(&place))
    };
    std::iter::once("It may write in:".to_owned()).chain(open.iter().map(line)).collect()
}

/// `Session 009 (s3): working. Writes in: src/**.`
fn state_line(session: &Session) -> String {
    let paths = match &session.paths[..] {
        [] => String::new(),
        paths => format!(" Writes in: {}.", visible(&paths.join(", "))),
    };
    let automatic = match &session.automatic {
        Some(why) => format!(" It began by itself: {}.", visible(why)),
        None => String::new(),
    };
    format!(
        "Session {:03} ({}): {}.{paths}{automatic}",
        session.number,
        session.id,
        look(session.state).paint(state_name(session.state))
    )
}

/// What was agreed to, with what was learnt earlier where this scope was not shown before.
pub(crate) fn confirmed_anew(status: &SessionStatus) -> String {
    let parts = [Some(confirmed(status)), archive::from_earlier(&status.from_earlier)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// What was agreed to.
pub(crate) fn confirmed(status: &SessionStatus) -> String {
    let Some(session) = &status.session else { return self::status(status) };
    let mut lines = vec![format!("The scope of session {:03} is confirmed:", session.number)];
    lines.extend(items(session));
    lines.extend(writes(session).iter().map(|line| format!("  {line}")));
    lines.join("\n")
}

fn items(session: &Session) -> Vec<String> {
    let line = |item: &ScopeItem| {
        let task = item.task.as_deref().unwrap_or("-");
        let goal = item.goal.as_ref().map(|goal| format!("  → {}", visible(goal))).unwrap_or_default();
        let stands: Vec<String> =
            item.end.as_ref().map(|end| visible(end).into_owned()).into_iter().chain(waiting(item.waiting)).collect();
        let stands = if stands.is_empty() { String::new() } else { format!("  {}", stands.join(", ")) };
        format!("  {}  {}{goal}{stands}", Look::Strong.paint(task), visible(&item.title))
    };
    session.items.iter().map(line).collect()
}

/// A flag and how it is answered. The scope of a session that is over cannot be extended.
fn flag_line(flag: &Flag, open: Option<&Session>) -> String {
    let is_open = open.is_some_and(|session| session.id == flag.session);
    let (extend, of) =
        if is_open { ("--extend | ", String::new()) } else { ("", format!(" in {}", visible(&flag.session))) };
    let by = flag.run.as_ref().map(|run| format!(" by {}", visible(run))).unwrap_or_default();
    let answer = match flag.answer {
        None => format!("augment-cli session flag {} {extend}--log | --allow-once", visible(&flag.id)),
        Some(answer) => answer_name(answer).to_owned(),
    };
    format!("  {} {}{by}{of}: {answer}", Look::Warn.paint(&flag.id), visible(&flag.message).trim_end_matches('.'))
}

fn answer_name(answer: FlagAnswer) -> &'static str {
    match answer {
        FlagAnswer::Extend => "the scope was extended",
        FlagAnswer::Log => "logged as discovered and taken out",
        FlagAnswer::AllowOnce => "allowed once",
        FlagAnswer::RolledBack => "taken out by the policy",
        FlagAnswer::Refused => "refused",
    }
}

pub(crate) fn flag_answered(AnsweredFlag { flag, took_out }: &AnsweredFlag) -> String {
    let answer = flag.answer.map_or("it waits", answer_name);
    let said = format!("{} {}: {answer}.", visible(&flag.id), visible(&flag.path));
    match took_out {
        Some(decided) => {
            let why = decided.files.iter().filter_map(|file| file.reason.as_deref());
            let told = std::iter::once(decided.message.as_str()).chain(why);
            format!("{said} {}", visible(&told.collect::<Vec<_>>().join(" ")))
        }
        None => said,
    }
}

pub(crate) fn report(report: &SessionReport) -> String {
    visible_lines(report.text.trim_end()).into_owned()
}

pub(crate) fn reports(list: &ReportList) -> String {
    match &list.reports[..] {
        [] => "Nothing was told yet.".to_owned(),
        reports => reports.iter().map(report).collect::<Vec<_>>().join("\n\n"),
    }
}

pub(crate) fn list(list: &SessionList, now_ms: i64, width: Option<u16>) -> String {
    if list.sessions.is_empty() {
        return "There was no session yet: augment-cli session start".to_owned();
    }
    let columns = [
        Column::Fixed("SESSION"),
        Column::Fixed("ID"),
        Column::Fixed("STATE"),
        Column::Fixed("DONE"),
        Column::Fixed("STARTED"),
        Column::Text("SCOPE"),
    ];
    let rows = list.sessions.iter().map(|session| {
        let done = session.items.iter().filter(|item| item.end.as_deref() == Some("completed")).count();
        let titles: Vec<&str> = session.items.iter().map(|item| item.title.as_str()).collect();
        vec![
            Cell::styled(format!("{:03}", session.number), Look::Strong),
            Cell::new(&session.id),
            Cell::styled(state_name(session.state), look(session.state)),
            Cell::new(format!("{done}/{}", session.items.len())),
            Cell::styled(format!("{} ago", age(session.started_at, now_ms)), Look::Faint),
            Cell::new(titles.join(", ")),
        ]
    });
    table(&columns, rows.collect(), width)
}

pub(crate) fn details(details: &SessionDetails, now_ms: i64) -> String {
    let session = &details.session;
    let text = |value: &Option<String>| Cell::new(value.as_deref().unwrap_or("-"));
    let mut entries = vec![
        ("session", cell(session)),
        ("protocol", Cell::new(&session.protocol)),
        ("model", text(&session.model)),
        ("started", Cell::new(with_age(session.started_at, now_ms))),
    ];
    let times = [("confirmed", session.confirmed_at), ("ended", session.ended_at)];
    entries.extend(times.into_iter().filter_map(|(name, at)| Some((name, Cell::new(with_age(at?, now_ms))))));
    let reasons = [("began because", &session.automatic), ("ended because", &session.end_reason)];
    entries.extend(reasons.into_iter().filter_map(|(name, why)| Some((name, Cell::new(why.as_ref()?)))));
    entries.push(("phase", text(&session.phase)));
    entries.push(("sprint goal", text(&session.sprint_goal)));
    if !session.paths.is_empty() {
        entries.push(("writes in", Cell::new(session.paths.join(", "))));
    }
    let mut parts = vec![fields(&entries)];
    if session.items.iter().any(|item| item.end.is_none() && !item.paths.is_empty()) {
        parts.push(writes(session).join("\n"));
    }
    if !session.items.is_empty() {
        parts.push(format!("{}\n{}", Look::Strong.paint("Scope"), items(session).join("\n")));
    }
    if !session.discovered.is_empty() {
        let lines: Vec<String> = session.discovered.iter().map(|title| format!("  {}", visible(title))).collect();
        parts.push(format!("{}\n{}", Look::Strong.paint("Discovered"), lines.join("\n")));
    }
    if !details.flags.is_empty() {
        let open = Some(session).filter(|session| session.ended_at.is_none());
        let lines: Vec<String> = details.flags.iter().map(|flag| flag_line(flag, open)).collect();
        parts.push(format!("{}\n{}", Look::Strong.paint("Flags"), lines.join("\n")));
    }
    let open: Vec<String> = details
        .tasks
        .iter()
        .map(|task| format!("  {}  {}  {}", task.id, tasks::status_name(task.status), visible(&task.title)))
        .collect();
    if !open.is_empty() {
        parts.push(format!("{}\n{}", Look::Strong.paint("Tasks"), open.join("\n")));
    }
    if let Some(closing) = &details.closing {
        parts.push(format!("{}\n{}", Look::Strong.paint("Completion"), closing::steps(closing, now_ms)));
    }
    if let Some(last) = details.reports.last() {
        let more = match details.reports.len() {
            1 => String::new(),
            count => format!(" (of {count}; augment-cli session report --session {} --all)", session.id),
        };
        parts.push(format!("{}{more}\n{}", Look::Strong.paint("Last report"), report(last)));
    }
    parts.join("\n\n")
}

/// What came of the end. The report proposes the commit itself.
pub(crate) fn ended(ended: &EndedSession) -> String {
    let session = &ended.session;
    match &ended.report {
        Some(last) => match ended.closing.as_ref().map(|closing| closing::one_line(closing, &session.id)) {
            Some(line) => format!("{}\n\n{line}", report(last)),
            None => report(last),
        },
        None => format!("Session {:03} was abandoned: nothing was done in it, so nothing is written.", session.number),
    }
}

/// What came of the steps.
pub(crate) fn closed(closed: &ClosedSession, now_ms: i64) -> String {
    let line = closing::one_line(&closed.closing, &closed.session.id);
    format!(
        "Session {:03} ({})\n{}\n\n{line}",
        closed.session.number,
        closed.session.id,
        closing::steps(&closed.closing, now_ms)
    )
}

pub(crate) fn committed(committed: &CommittedSession) -> String {
    let first = committed.message.lines().next().unwrap_or_default();
    let short = committed.commit.get(..10).unwrap_or(&committed.commit);
    let notes: String = committed.notes.iter().map(|note| format!("\n{}", visible(note))).collect();
    format!("Committed {}: {}{notes}", visible(short), visible(first))
}

/// How the commit can still be made, or why it cannot.
pub(crate) fn not_committed(ended: &EndedSession, proposal: &CommitProposal) -> String {
    match &proposal.problem {
        Some(problem) => format!("{} {}", Look::Warn.paint("not committed:"), visible(problem)),
        None => format!("Not committed. augment-cli session commit {}", visible(&ended.session.id)),
    }
}
