//! Operations as lines of text, for the script that a failure prints.

use crate::actor::Actor;
use crate::queue::{Claim, Ending, Place};
use crate::review::{Assignee, Selection};
use crate::time::show_duration_ms;
use crate::turn::Command;

pub(super) fn line(actor: &Actor, command: &Command) -> String {
    let who = match actor {
        Actor::Person { name } => name.clone(),
        Actor::Run { run } => format!("run {run}"),
        Actor::Host => "host".to_owned(),
    };
    format!("{who}: {}", what(command))
}

fn what(command: &Command) -> String {
    match command {
        Command::AddTask(draft) => {
            let mut words = vec![format!("add {:?}", cut(&draft.title))];
            words.extend(draft.priority.clone());
            let mut some = |name: &str, values: &[String]| {
                if !values.is_empty() {
                    words.push(list(name, values));
                }
            };
            some("depends", &draft.depends_on);
            some("needs", &draft.capabilities);
            some("labels", &draft.labels);
            words.extend(draft.assignee.as_ref().map(|name| format!("for {name}")));
            words.extend(draft.origin.as_ref().map(|origin| format!("origin {origin}")));
            words.extend(draft.time_limit_ms.map(|ms| format!("limit {}", show_duration_ms(ms))));
            words.push(format!("attempts {}", draft.max_attempts));
            words.join(" ")
        }
        Command::EditTask { task, edit, shown_at } => {
            let mut words = vec![format!("edit {task:?}")];
            let texts = [("title", &edit.title), ("description", &edit.description), ("priority", &edit.priority)];
            let more = [("goal", &edit.goal), ("for", &edit.assignee)];
            for (name, value) in texts.into_iter().chain(more) {
                words.extend(value.as_ref().map(|value| format!("{name} {:?}", cut(value))));
            }
            let lists = [
                ("needs", &edit.capabilities),
                ("depends", &edit.depends_on),
                ("labels", &edit.labels),
                ("scope", &edit.scope),
            ];
            for (name, values) in lists {
                words.extend(values.as_ref().map(|values| list(name, values)));
            }
            words.extend(edit.time_limit_ms.map(|ms| format!("limit {}", show_duration_ms(ms))));
            words.extend(edit.max_attempts.map(|count| format!("attempts {count}")));
            words.join(" ") + &shown(*shown_at)
        }
        Command::MoveTask { task, place, shown_at } => {
            let place = match place {
                Place::Top => "top".to_owned(),
                Place::Bottom => "bottom".to_owned(),
                Place::Before(other) => format!("before {other:?}"),
                Place::After(other) => format!("after {other:?}"),
            };
            format!("move {task:?} {place}{}", shown(*shown_at))
        }
        Command::RemoveTask { task, shown_at } => format!("remove {task:?}{}", shown(*shown_at)),
        Command::CancelTask { task, reason, shown_at } => {
            format!("cancel {task:?}{}{}", said(reason.as_ref()), shown(*shown_at))
        }
        Command::RetryTask { task, shown_at } => format!("retry {task:?}{}", shown(*shown_at)),
        Command::TakeNext(claim) => format!("next {}", claimant(claim)),
        Command::ClaimTask { task, claim } => format!("claim {task:?} {}", claimant(claim)),
        Command::Heartbeat { task, attempt } => format!("heartbeat {task:?}{}", by_attempt(*attempt)),
        Command::FinishTask { task, attempt, finish } => {
            let verb = match finish.ending {
                Ending::Completed => "complete",
                Ending::Partial => "partial",
                Ending::Blocked => "blocked",
                Ending::Failed => "fail",
            };
            format!("{verb} {task:?}{}{}", by_attempt(*attempt), said(finish.result.as_ref()))
        }
        Command::ChangeSetting(change) => format!("config {:?} {:?}", change.key, change.value),
        Command::Decide(decide) => {
            let confirm = decide.confirm.as_ref().map(|_| ", confirmed").unwrap_or_default();
            format!("decide {:?}: {}{confirm}", decide.verdict, selected(&decide.what))
        }
        Command::UndoDecision(which) => format!("undo {}", which.decision.as_deref().unwrap_or("the newest")),
        Command::RedoDecision(which) => format!("redo {}", which.decision.as_deref().unwrap_or("the newest")),
        Command::AssignChanges { what, to } => match to {
            Assignee::Task(task) => format!("assign {} to {task:?}", selected(what)),
            Assignee::Me => format!("assign {} to me", selected(what)),
        },
        Command::PurgeDecisions(purge) => {
            let confirm = if purge.confirm { ", confirmed" } else { "" };
            format!("purge what is older than {}{confirm}", show_duration_ms(purge.older_than_ms))
        }
        Command::ClaimFile(claim) => {
            let hash = if claim.hash.is_some() { " with this content" } else { "" };
            let task = claim.task.as_ref().map(|task| format!(" for {task:?}")).unwrap_or_default();
            format!("writes {:?}{hash}{task}", claim.path)
        }
        Command::EditorSaved { path, text, how, ago_ms: _ } => format!("saved {path:?} {how:?}: {:?}", cut(text)),
        Command::StartAgent(_)
        | Command::AllowAgent { .. }
        | Command::StopRun(_)
        | Command::ReportRun { .. }
        | Command::AskPerson(_)
        | Command::AnswerQuestion { .. }
        | Command::LogDiscovered(_)
        | Command::DecideHandOff { .. }
        | Command::HookSeen(_)
        | Command::StartSession { .. }
        | Command::ConfirmScope { .. }
        | Command::AdjustScope(_)
        | Command::ContinueSession { .. }
        | Command::EndSession { .. }
        | Command::SessionCommitted { .. }
        | Command::CompleteSession(_)
        | Command::ResumeSession(_)
        | Command::AnswerFlag(_)
        | Command::RequestScope(_)
        | Command::AcknowledgeFinding { .. }
        | Command::AllowFinding(_)
        | Command::DropAllowed(_)
        | Command::Remember(_)
        | Command::Prompt(_)
        | Command::StopHost => command.name().to_owned(),
    }
}

fn selected(what: &Selection) -> String {
    let mut words = Vec::new();
    if !what.hunks.is_empty() {
        words.push(list("hunks", &what.hunks));
    }
    for (name, value) in [("file", &what.file), ("task", &what.task), ("run", &what.run)] {
        words.extend(value.as_ref().map(|value| format!("{name} {value:?}")));
    }
    words.extend(what.unknown.then(|| "unknown".to_owned()));
    words.extend(what.all.then(|| "all".to_owned()));
    words.join(" ")
}

fn claimant(claim: &Claim) -> String {
    let can: Vec<&str> = claim.capabilities.iter().map(String::as_str).collect();
    format!("{:?} can [{}] lease {}", claim.agent, can.join(","), show_duration_ms(claim.lease_ms))
}

fn list(name: &str, values: &[String]) -> String {
    format!("{name} [{}]", cut(&values.join(",")))
}

fn said(words: Option<&String>) -> String {
    words.map(|words| format!(" saying {:?}", cut(words))).unwrap_or_default()
}

fn shown(at: Option<u64>) -> String {
    at.map(|at| format!(" shown at {at}")).unwrap_or_default()
}

fn by_attempt(attempt: Option<u32>) -> String {
    attempt.map(|attempt| format!(" attempt {attempt}")).unwrap_or_default()
}

fn cut(text: &str) -> String {
    crate::text::shortened(text, 80).into_owned()
}
