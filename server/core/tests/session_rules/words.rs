//! What the words of a script mean, and how things are shown in one.

use augment_core::attribution::Author;
use augment_core::file::{Body, FilePath, FileState};
use augment_core::id::TaskId;
use augment_core::queue::TaskDraft;
use augment_core::review::policy::ReviewPolicy;
use augment_core::scan::Kind;
use augment_core::session::{Item, Level, Scope, ScopeDraft, SeenCheckpoint, SessionState};
use augment_core::turn::Command;

use crate::script::Desk;

/// Asks about everything, and every finding stops an approval.
pub(crate) fn review_policy() -> ReviewPolicy {
    ReviewPolicy { blocks: Kind::ALL.to_vec(), ..ReviewPolicy::default() }
}

pub(crate) fn item(item: &Item) -> String {
    let task = item.task.map_or(String::new(), |task| format!(" {task}"));
    let end = item.end.map_or(String::new(), |end| format!(" {}", end.word()));
    format!("{}{task}{end}", item.title)
}

/// `a2` is a task, anything else a title.
pub(crate) fn scope_draft(text: &str) -> ScopeDraft {
    let text = text.trim().to_owned();
    match task_id(&text) {
        Some(_) => ScopeDraft { task: Some(text), ..ScopeDraft::default() },
        None => ScopeDraft { title: Some(text), ..ScopeDraft::default() },
    }
}

pub(crate) fn confirm(order: &str, session: Option<String>) -> Command {
    let rest = order["confirm".len()..].trim();
    let (items, paths) = match rest.split_once("in ") {
        Some((items, paths)) => (items.trim(), Some(paths.split_whitespace().map(str::to_owned).collect())),
        None => (rest, None),
    };
    let items = match items {
        "" => None,
        "nothing" => Some(Vec::new()),
        items => Some(items.split(';').map(scope_draft).collect()),
    };
    Command::ConfirmScope { session, items, paths, max_attempts: 3 }
}

pub(crate) fn adjusted(order: &str) -> Scope {
    let mut scope = Scope { max_attempts: 3, ..Scope::default() };
    for part in order["adjust".len()..].split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let (what, rest) = part.split_once(' ').expect("what is to be different");
        let rest = rest.trim().to_owned();
        match what {
            "add" => scope.add.push(scope_draft(&rest)),
            "remove" => scope.remove.push(rest),
            "log" => scope.log.push(rest),
            "path" => scope.add_paths.push(rest),
            "seen" if rest == "none" => scope.seen = SeenCheckpoint::None,
            "seen" => scope.seen = SeenCheckpoint::Number(rest.parse().expect("which checkpoint")),
            "shown" if rest == "all" => scope.shown_paths = Some(Vec::new()),
            "shown" => scope.shown_paths.get_or_insert_default().push(rest),
            "only" => scope.paths.get_or_insert_default().push(rest),
            other => panic!("{other:?} is no change of a scope"),
        }
    }
    scope
}

pub(crate) fn draft(order: &str) -> TaskDraft {
    let rest = order["task".len()..].trim();
    let (rest, scope) = rest
        .split_once(" in ")
        .map_or((rest, Vec::new()), |(rest, scope)| (rest, scope.split_whitespace().map(str::to_owned).collect()));
    let (title, goal) = rest.split_once(" for ").map_or((rest, None), |(title, goal)| (title, Some(goal.to_owned())));
    TaskDraft { title: title.to_owned(), goal, scope, max_attempts: 1, ..TaskDraft::default() }
}

pub(crate) fn author(author: &Author) -> String {
    match author {
        Author::Person { name } => name.clone(),
        Author::Run(run) => run.task.to_string(),
        Author::Vcs => "vcs".to_owned(),
        Author::Unknown => "unknown".to_owned(),
    }
}

pub(crate) fn task_id(text: &str) -> Option<TaskId> {
    TaskId::new(text.strip_prefix(|letter: char| letter.is_ascii_lowercase())?.parse().ok()?)
}

pub(crate) fn path(name: &str) -> FilePath {
    FilePath::from_text(name).expect("a path")
}

pub(crate) fn state(name: &str, text: &str) -> FileState {
    FileState { path: path(name), body: Body::Text(bytes(text)), mode: 0o644 }
}

pub(crate) fn bytes(text: &str) -> Vec<u8> {
    text.split(" / ").map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

pub(crate) fn lines(state: &FileState) -> String {
    match &state.body {
        Body::Absent => "-".to_owned(),
        Body::Text(text) => String::from_utf8_lossy(text).trim_end().replace('\n', " / "),
        Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => "no text".to_owned(),
    }
}

/// The states that the tables name, with the one before there is any.
pub(crate) fn states() -> Vec<&'static str> {
    std::iter::once("none").chain(SessionState::ALL.into_iter().map(SessionState::name)).collect()
}

/// How often a level was told of a task.
pub(crate) fn times_told(desk: &Desk, level: Level, task: TaskId) -> usize {
    desk.told().iter().filter(|told| told.level == level && told.task == Some(task)).count()
}
