//! What came of a decision, an undo, an assignment or a purge.

use augment_core::text::visible;
use augment_protocol::changes::{Assigned, Decided, DecidedFile, FileOutcome, Purged};

use super::words::count;
use crate::output::size::size;
use crate::output::table::{Cell, Column, Look, table};

/// What can be done about it next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Back {
    Undo,
    Redo,
}

pub(crate) fn decided(decided: &Decided, back: Back, width: Option<u16>) -> String {
    let mut parts = vec![visible(&decided.message).into_owned()];
    if !decided.files.is_empty() {
        let columns = [Column::Text("FILE"), Column::Fixed("OUTCOME"), Column::Text("WHY")];
        parts.push(table(&columns, decided.files.iter().map(|file| file_row(file, back)).collect(), width));
    }
    let word = match back {
        Back::Undo => "undo",
        Back::Redo => "redo",
    };
    let command = format!("augment-cli changes {word} {}", decided.decision);
    if !decided.message.contains(&command) {
        parts.push(Look::Faint.paint(&format!("{word} with: {command}")));
    }
    parts.join("\n\n")
}

fn file_row(file: &DecidedFile, back: Back) -> Vec<Cell> {
    let (outcome, look) = match (file.outcome, back) {
        (FileOutcome::Unchanged, _) => ("stays as it is", Look::Plain),
        (FileOutcome::Removed, _) => ("removed", Look::Good),
        (FileOutcome::Restored, _) => ("restored", Look::Good),
        (FileOutcome::Renamed, Back::Undo) => ("renamed back", Look::Good),
        (FileOutcome::Renamed, Back::Redo) => ("renamed again", Look::Good),
        (FileOutcome::Changed, _) => ("changed", Look::Good),
        (FileOutcome::InEditor, _) => ("in the editor", Look::Busy),
        (FileOutcome::NotWritten, _) => ("not written", Look::Bad),
        (FileOutcome::NotApproved, _) => ("not approved", Look::Warn),
    };
    vec![Cell::new(&file.path), Cell::styled(outcome, look), Cell::new(file.reason.as_deref().unwrap_or_default())]
}

pub(crate) fn assigned(assigned: &Assigned) -> String {
    let hunks = count(assigned.hunks, "hunk", "hunks");
    let mut said = format!("Assigned {hunks} in {}.", count(assigned.files, "file", "files"));
    if let Some(decision) = &assigned.decision {
        said += &format!(" What is yours is approved; `augment-cli changes undo {decision}` takes that back.");
    }
    said
}

pub(crate) fn purged(purged: &Purged) -> String {
    let files = count(purged.files, "file", "files");
    let bytes = size(purged.bytes);
    match (purged.decisions, purged.bytes, purged.done) {
        (0, 0, _) => "There is nothing to purge.".to_owned(),
        (0, _, true) => format!("Purged what nothing needs any more in {files}; {bytes} are free."),
        (0, _, false) => format!("This would let go of what nothing needs any more in {files}, {bytes}."),
        (decisions, _, true) => {
            let decisions = count(decisions, "decision", "decisions");
            format!("Purged {decisions} in {files}; {bytes} are free. They cannot be undone any more.")
        }
        (decisions, _, false) => {
            let decisions = count(decisions, "decision", "decisions");
            format!("This would let go of {decisions} in {files}, {bytes}. They could not be undone any more.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    #[test]
    fn every_file_is_told_with_its_outcome() {
        let file = |path: &str, outcome, reason: Option<&str>| DecidedFile {
            path: path.into(),
            outcome,
            reason: reason.map(str::to_owned),
        };
        let shown = Decided {
            decision: "d7".into(),
            hunks: 4,
            files: vec![
                file("a", FileOutcome::Changed, None),
                file("e", FileOutcome::Renamed, None),
                file("b\u{1b}", FileOutcome::NotWritten, Some("It is locked.")),
                file("c", FileOutcome::InEditor, None),
                file("d", FileOutcome::Unchanged, None),
            ],
            message: "Rejected 4 hunks.".into(),
        };
        assert_eq!(
            plain(&decided(&shown, Back::Undo, None)),
            "Rejected 4 hunks.\n\n\
             FILE     OUTCOME         WHY\n\
             a        changed\n\
             e        renamed back\n\
             b\\u{1b}  not written     It is locked.\n\
             c        in the editor\n\
             d        stays as it is\n\n\
             undo with: augment-cli changes undo d7"
        );
        assert!(plain(&decided(&shown, Back::Redo, None)).ends_with("redo with: augment-cli changes redo d7"));
        // What the message says already is not said twice.
        let message = "Rejected. Undo with `augment-cli changes undo d7`.".to_owned();
        let said = plain(&decided(&Decided { message, ..shown }, Back::Undo, None));
        assert_eq!(said.matches("changes undo d7").count(), 1, "{said}");
    }

    #[test]
    fn a_purge_is_told_before_and_after() {
        let told = Purged { done: false, decisions: 2, files: 1, bytes: 3_000_000 };
        assert_eq!(
            purged(&told),
            "This would let go of 2 decisions in 1 file, 2 MiB. They could not be undone any more."
        );
        assert!(
            purged(&Purged { done: true, bytes: 10, ..told.clone() })
                .starts_with("Purged 2 decisions in 1 file; 10 bytes are free.")
        );
        let done = Purged { done: true, decisions: 0, files: 3, bytes: 10 };
        assert_eq!(purged(&done), "Purged what nothing needs any more in 3 files; 10 bytes are free.");
        assert_eq!(purged(&Purged { decisions: 0, bytes: 0, ..told }), "There is nothing to purge.");
        assert_eq!(assigned(&Assigned { hunks: 1, files: 1, decision: None }), "Assigned 1 hunk in 1 file.");
    }
}
