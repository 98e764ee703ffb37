//! The commands that editors send back with `workspace/executeCommand`, and what they order. A command that is not
//! understood to the letter orders nothing.

use std::fmt;

use augment_core::text::quoted;
use augment_protocol::changes::{Decide, Selection, Verdict, WhichDecision};
use serde_json::{Map, Value};

pub(crate) const APPROVE_HUNK: &str = "augment.approveHunk";
pub(crate) const REJECT_HUNK: &str = "augment.rejectHunk";
pub(crate) const PREVIEW_HUNK: &str = "augment.previewHunk";
pub(crate) const APPROVE_FILE: &str = "augment.approveFile";
pub(crate) const REJECT_FILE: &str = "augment.rejectFile";
pub(crate) const APPROVE_TASK: &str = "augment.approveTask";
pub(crate) const REJECT_TASK: &str = "augment.rejectTask";
pub(crate) const UNDO_DECISION: &str = "augment.undoDecision";

/// For the capabilities.
pub(crate) const COMMANDS: [&str; 8] =
    [APPROVE_HUNK, REJECT_HUNK, PREVIEW_HUNK, APPROVE_FILE, REJECT_FILE, APPROVE_TASK, REJECT_TASK, UNDO_DECISION];

/// What a command orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Order {
    Decide(Decide),
    /// What the decision would do, without doing it.
    Preview(Decide),
    Undo(WhichDecision),
}

/// Why a command orders nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BadOrder {
    UnknownCommand {
        name: String,
    },
    /// It takes one object with this text in it, and `confirm` where a preview is confirmed.
    BadArguments {
        name: String,
        wanted: &'static str,
    },
}

impl fmt::Display for BadOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand { name } => write!(f, "There is no command {}.", quoted(name)),
            Self::BadArguments { name, wanted } => {
                write!(f, "{} takes one argument, an object with the text `{wanted}`.", quoted(name))
            }
        }
    }
}

/// What a hunk, a file or a task is named by in the arguments.
#[derive(Clone, Copy)]
enum Names {
    Hunk,
    File,
    Task,
}

impl Names {
    fn key(self) -> &'static str {
        match self {
            Self::Hunk => "hunk",
            Self::File => "file",
            Self::Task => "task",
        }
    }

    fn selection(self, name: String) -> Selection {
        match self {
            Self::Hunk => Selection { hunks: Some(vec![name]), ..Selection::default() },
            Self::File => Selection { file: Some(name), ..Selection::default() },
            Self::Task => Selection { task: Some(name), ..Selection::default() },
        }
    }
}

pub(crate) fn command_to_decide(name: &str, arguments: &[Value]) -> Result<Order, BadOrder> {
    let decide = |verdict, names| decision(name, arguments, verdict, names);
    match name {
        APPROVE_HUNK => decide(Verdict::Approve, Names::Hunk).map(Order::Decide),
        REJECT_HUNK => decide(Verdict::Reject, Names::Hunk).map(Order::Decide),
        PREVIEW_HUNK => decide(Verdict::Reject, Names::Hunk).map(Order::Preview),
        APPROVE_FILE => decide(Verdict::Approve, Names::File).map(Order::Decide),
        REJECT_FILE => decide(Verdict::Reject, Names::File).map(Order::Decide),
        APPROVE_TASK => decide(Verdict::Approve, Names::Task).map(Order::Decide),
        REJECT_TASK => decide(Verdict::Reject, Names::Task).map(Order::Decide),
        UNDO_DECISION => undo(name, arguments),
        _ => Err(BadOrder::UnknownCommand { name: name.to_owned() }),
    }
}

fn decision(name: &str, arguments: &[Value], verdict: Verdict, names: Names) -> Result<Decide, BadOrder> {
    let bad = || BadOrder::BadArguments { name: name.to_owned(), wanted: names.key() };
    let [Value::Object(given)] = arguments else { return Err(bad()) };
    let mut given = given.clone();
    let named = text(&mut given, names.key()).map_err(|()| bad())?.ok_or_else(bad)?;
    let confirm = text(&mut given, "confirm").map_err(|()| bad())?;
    // Something that is not known could narrow what is meant, so it is not passed over.
    if named.is_empty() || !given.is_empty() {
        return Err(bad());
    }
    Ok(Decide { verdict, what: names.selection(named), confirm })
}

fn undo(name: &str, arguments: &[Value]) -> Result<Order, BadOrder> {
    let bad = || BadOrder::BadArguments { name: name.to_owned(), wanted: "decision" };
    let mut given = match arguments {
        [] => Map::new(),
        [Value::Object(given)] => given.clone(),
        [..] => return Err(bad()),
    };
    let decision = text(&mut given, "decision").map_err(|()| bad())?;
    if given.is_empty() { Ok(Order::Undo(WhichDecision { decision, confirm: None })) } else { Err(bad()) }
}

/// Takes a text out; `Err` where something else stands there.
fn text(given: &mut Map<String, Value>, key: &str) -> Result<Option<String>, ()> {
    match given.remove(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_command_orders_what_it_says() {
        let hunk = Selection { hunks: Some(vec!["3fa2".into()]), ..Selection::default() };
        let file = Selection { file: Some("a.rs".into()), ..Selection::default() };
        let task = Selection { task: Some("b12".into()), ..Selection::default() };
        let order = |verdict, what: &Selection| Decide { verdict, what: what.clone(), confirm: None };
        for (name, argument, expected) in [
            (APPROVE_HUNK, json!({ "hunk": "3fa2" }), Order::Decide(order(Verdict::Approve, &hunk))),
            (REJECT_HUNK, json!({ "hunk": "3fa2" }), Order::Decide(order(Verdict::Reject, &hunk))),
            (PREVIEW_HUNK, json!({ "hunk": "3fa2" }), Order::Preview(order(Verdict::Reject, &hunk))),
            (APPROVE_FILE, json!({ "file": "a.rs" }), Order::Decide(order(Verdict::Approve, &file))),
            (REJECT_FILE, json!({ "file": "a.rs" }), Order::Decide(order(Verdict::Reject, &file))),
            (APPROVE_TASK, json!({ "task": "b12" }), Order::Decide(order(Verdict::Approve, &task))),
            (REJECT_TASK, json!({ "task": "b12" }), Order::Decide(order(Verdict::Reject, &task))),
            (UNDO_DECISION, json!({}), Order::Undo(WhichDecision { decision: None, confirm: None })),
            (
                UNDO_DECISION,
                json!({ "decision": "d7" }),
                Order::Undo(WhichDecision { decision: Some("d7".into()), confirm: None }),
            ),
        ] {
            assert_eq!(command_to_decide(name, &[argument]), Ok(expected), "{name}");
        }
        assert_eq!(command_to_decide(UNDO_DECISION, &[]), Ok(Order::Undo(WhichDecision::default())));
        let confirmed = command_to_decide(REJECT_HUNK, &[json!({ "hunk": "3fa2", "confirm": "c" })]);
        assert!(matches!(confirmed, Ok(Order::Decide(Decide { confirm: Some(_), .. }))), "{confirmed:?}");
    }

    #[test]
    fn what_is_not_understood_to_the_letter_orders_nothing() {
        for (name, arguments) in [
            ("augment.approveEverything", vec![json!({})]),
            (APPROVE_HUNK, vec![]),
            (APPROVE_HUNK, vec![json!("3fa2")]),
            (APPROVE_HUNK, vec![json!({})]),
            (APPROVE_HUNK, vec![json!({ "hunk": "" })]),
            (APPROVE_HUNK, vec![json!({ "hunk": 7 })]),
            (APPROVE_HUNK, vec![json!({ "file": "a" })]),
            (APPROVE_HUNK, vec![json!({ "hunk": "3fa2", "all": true })]),
            (APPROVE_HUNK, vec![json!({ "hunk": "3fa2" }), json!({})]),
            (REJECT_FILE, vec![json!({ "file": "a", "confirm": true })]),
            (UNDO_DECISION, vec![json!({ "decision": 7 })]),
            (UNDO_DECISION, vec![json!(null)]),
        ] {
            assert!(command_to_decide(name, &arguments).is_err(), "{name} {arguments:?}");
        }
    }

    #[test]
    fn all_commands_are_told_in_the_capabilities() {
        for name in COMMANDS {
            let answer = command_to_decide(name, &[json!([])]);
            assert!(matches!(answer, Err(BadOrder::BadArguments { .. })), "{name}");
        }
    }
}
