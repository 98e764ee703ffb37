//! A new demo for people: where it is, and what to type next.

use augment_core::text::{shell_word, visible};
use serde::Serialize;

use super::table::Look;

/// A demo for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Made {
    pub(crate) folder: String,
    /// The task that the built-in agent knows how to do.
    pub(crate) task: String,
    pub(crate) agent: &'static str,
}

pub(crate) fn made(made: &Made) -> String {
    let folder = shell_word(&made.folder);
    let Made { task, agent, .. } = made;
    let steps = [
        (format!("cd {folder}"), ""),
        ("augment-cli session start".to_owned(), "reads the plan and proposes a scope; say yes to it"),
        (
            format!("augment-cli agent start --task-id {task} --agent {agent}"),
            "asks you one thing, then edits three files",
        ),
        ("augment-cli changes".to_owned(), "what it changed, hunk by hunk; one file is out of scope"),
        (
            "augment-cli session flag f1 --log".to_owned(),
            "takes that file's change out, and queues it for another time",
        ),
        ("augment-cli changes reject HUNK".to_owned(), "takes out exactly that one"),
        (format!("augment-cli changes approve --task-id {task}"), "keeps the rest"),
        ("augment-cli session end".to_owned(), "writes the record"),
    ];
    let width = steps.iter().map(|(typed, _)| typed.chars().count()).filter(|width| *width < 70).max().unwrap_or(0);
    let mut lines = vec![
        format!("A demo project is in {}.", visible(&made.folder)),
        String::new(),
        format!("In VS Code: open the folder (`code {folder}`) and follow the Demo view in the Augment side bar."),
        String::new(),
        "In this terminal:".to_owned(),
    ];
    for (typed, what) in steps {
        let line = if what.is_empty() {
            format!("  {typed}")
        } else {
            format!("  {typed:width$}  {}", Look::Faint.paint(&format!("# {what}")))
        };
        lines.push(line);
    }
    lines.join("\n")
}
