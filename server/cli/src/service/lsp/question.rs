//! What a person reads before a yes, and after a decision, in an editor that shows messages and nothing of ours. Bounded:
//! a message that fills the screen hides what it asks.

use augment_core::text::{shortened, visible, visible_lines};
use augment_protocol::changes::{Decided, DecidedFile, FileOutcome, Preview, PreviewFile, Verdict};

use crate::output::changes::words::{authors, count};

/// How many lines of a result are shown, and how much of each.
const LINES: usize = 40;
const COLUMNS: usize = 160;

/// The answer that does nothing.
pub(crate) const CANCEL: &str = "Cancel";

/// The answer that does it.
pub(crate) fn yes(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Approve => "Approve",
        Verdict::Reject => "Reject",
    }
}

/// Why it is asked, and the result that a yes is to.
pub(crate) fn question(why: &str, verdict: Verdict, preview: &Preview) -> String {
    let whole = preview.files.iter().map(result).collect::<Vec<_>>().join("\n");
    let lines: Vec<&str> = whole.lines().collect();
    let mut said = vec![visible(why).into_owned(), String::new()];
    said.extend(lines.iter().take(LINES).map(|line| visible_lines(&shortened(line, COLUMNS)).into_owned()));
    let more_lines = u32::try_from(lines.len().saturating_sub(LINES)).unwrap_or(u32::MAX);
    let left_out = match (more_lines, preview.more) {
        (0, 0) => None,
        (lines, 0) => Some(count(lines, "more line", "more lines")),
        (0, files) => Some(count(files, "more file", "more files")),
        (lines, files) => {
            Some(format!("{} and {}", count(lines, "more line", "more lines"), count(files, "more file", "more files")))
        }
    };
    if let Some(left_out) = left_out {
        let command = match verdict {
            Verdict::Approve => "augment-cli changes approve",
            Verdict::Reject => "augment-cli changes reject",
        };
        said.push(format!("… {left_out}. A yes covers them, too; `{command}` shows everything before it asks."));
    }
    said.join("\n")
}

fn result(file: &PreviewFile) -> String {
    let mut lines = Vec::new();
    if !file.entangled_with.is_empty() {
        lines.push(format!("{}: entangled with {}", visible(&file.path), authors(&file.entangled_with)));
    }
    if file.control {
        lines.push(format!("{} steers editors, agents, hooks or CI.", visible(&file.path)));
    }
    if file.diff.is_empty() {
        lines.push(format!("{} stays as it is.", visible(&file.path)));
    } else {
        lines.push(visible_lines(&file.diff).into_owned());
    }
    lines.join("\n")
}

/// How a decision went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) is_trouble: bool,
    pub(crate) message: String,
}

/// What came of a decision. How it is undone stands in the editor's own list of actions.
pub(crate) fn told(decided: &Decided) -> Told {
    let undo = format!(" Undo with `augment-cli changes undo {}`.", decided.decision);
    let mut message = decided.message.replace(&undo, "");
    let not_done: Vec<&DecidedFile> = decided.files.iter().filter(|file| !is_done(file.outcome)).collect();
    if let Some(reason) = not_done.iter().find_map(|file| file.reason.as_deref()) {
        message.push(' ');
        message.push_str(reason);
    }
    Told { is_trouble: !not_done.is_empty(), message: visible(&message).into_owned() }
}

fn is_done(outcome: FileOutcome) -> bool {
    match outcome {
        FileOutcome::Unchanged
        | FileOutcome::Removed
        | FileOutcome::Restored
        | FileOutcome::Renamed
        | FileOutcome::Changed
        | FileOutcome::InEditor => true,
        FileOutcome::NotWritten | FileOutcome::NotApproved => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::changes::tests::run;

    fn preview(diff: &str, more: u32) -> Preview {
        let file = PreviewFile {
            path: "src/a\u{1b}[2J.rs".into(),
            diff: diff.into(),
            entangled_with: vec![run("codex", "a2", "Other\u{7}")],
            control: false,
        };
        Preview { hunks: 1, files: vec![file], more, asks: true, confirm: "c".into() }
    }

    #[test]
    fn the_result_is_shown_and_nothing_in_it_acts() {
        let asked = question("It is entangled.", Verdict::Reject, &preview("-TWO\u{1b}\n+two\n", 0));
        assert_eq!(
            asked,
            "It is entangled.\n\n\
             src/a\\u{1b}[2J.rs: entangled with codex for a2 “Other\\u{7}”\n\
             -TWO\\u{1b}\n\
             +two"
        );
    }

    #[test]
    fn what_is_left_out_is_told() {
        let asked = question("Why.", Verdict::Reject, &preview(&"+x\n".repeat(100), 3));
        assert_eq!(asked.lines().count(), 2 + LINES + 1);
        assert!(asked.ends_with("… 61 more lines and 3 more files. A yes covers them, too; `augment-cli changes reject` shows everything before it asks."), "{asked}");
        let wide = question("Why.", Verdict::Approve, &preview(&"x".repeat(5_000), 0));
        assert!(wide.lines().all(|line| line.chars().count() <= COLUMNS + 1), "{wide}");
    }

    #[test]
    fn a_decision_is_told_in_one_line_and_what_went_wrong_with_it() {
        let decided = |files: Vec<(FileOutcome, Option<&str>)>| Decided {
            decision: "d3".into(),
            hunks: 1,
            files: files
                .into_iter()
                .map(|(outcome, reason)| DecidedFile { path: "a".into(), outcome, reason: reason.map(str::to_owned) })
                .collect(),
            message: "1 hunk in 1 file rejected. Undo with `augment-cli changes undo d3`.".into(),
        };
        let fine = told(&decided(vec![(FileOutcome::Changed, None)]));
        assert_eq!(fine, Told { is_trouble: false, message: "1 hunk in 1 file rejected.".into() });
        let not = told(&decided(vec![(FileOutcome::NotWritten, Some("a\u{1b} is locked."))]));
        assert_eq!(not, Told { is_trouble: true, message: "1 hunk in 1 file rejected. a\\u{1b} is locked.".into() });
    }
}
