//! The story of one file.

use augment_core::text::shell_word;
use augment_protocol::changes::{FileHistory, StepKind};

use super::words::{author_words, evidence_name};
use crate::output::table::{Cell, Column, Look, table};
use crate::output::time::utc;

pub(crate) fn history(history: &FileHistory, width: Option<u16>) -> String {
    if history.steps.is_empty() {
        return Look::Faint.paint(&format!("Nothing is known to have happened to {}.", history.path));
    }
    let columns = [
        Column::Number("STEP"),
        Column::Fixed("TIME"),
        Column::Fixed("WHAT"),
        Column::Text("BY"),
        Column::Fixed("EVIDENCE"),
        Column::Text("CHANGE"),
    ];
    let rows = history.steps.iter().map(|step| {
        let (what, look) = match step.kind {
            StepKind::Base => ("found", Look::Faint),
            StepKind::Revision => ("changed", Look::Plain),
            StepKind::Created => ("created", Look::Plain),
            StepKind::Deleted => ("deleted", Look::Plain),
            StepKind::Renamed => ("renamed", Look::Plain),
            StepKind::Approved => ("approved", Look::Good),
            StepKind::Rejected => ("rejected", Look::Warn),
            StepKind::TakenBack => ("taken back", Look::Warn),
            StepKind::Undone => ("undone", Look::Warn),
            StepKind::Redone => ("redone", Look::Warn),
            StepKind::Parked => ("parked", Look::Faint),
            StepKind::CameBack => ("came back", Look::Faint),
        };
        // What came and went with a branch is no step of its own.
        let number = match step.kind {
            StepKind::Parked | StepKind::CameBack => "-".to_owned(),
            StepKind::Base
            | StepKind::Revision
            | StepKind::Created
            | StepKind::Deleted
            | StepKind::Renamed
            | StepKind::Approved
            | StepKind::Rejected
            | StepKind::TakenBack
            | StepKind::Undone
            | StepKind::Redone => step.step.to_string(),
        };
        vec![
            Cell::styled(number, Look::Strong),
            // When what was there before came about is not known.
            Cell::new(if step.kind == StepKind::Base { "-".to_owned() } else { utc(step.time) }),
            Cell::styled(what, look),
            Cell::new(author_words(&step.author)),
            Cell::new(step.evidence.map_or("", evidence_name)),
            Cell::new(&step.summary),
        ]
    });
    let mut parts = vec![table(&columns, rows.collect(), width)];
    if history.more {
        parts.push(Look::Faint.paint("… older steps are left out"));
    }
    let path = shell_word(&history.path);
    parts.push(Look::Faint.paint(&format!("augment-cli changes diff --file {path} --step N shows what a step did")));
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use augment_protocol::changes::{AuthorKind, Evidence, HistoryStep};

    use super::*;
    use crate::output::changes::tests::{NOW, other, run};
    use crate::output::plain;

    #[test]
    fn steps_are_told_in_order() {
        let step = |number, kind, author, evidence| HistoryStep {
            step: number,
            time: NOW,
            kind,
            author,
            evidence,
            added: 1,
            removed: 0,
            summary: "+1".into(),
        };
        let shown = FileHistory {
            path: "src/a.rs".into(),
            steps: vec![
                step(0, StepKind::Base, other(AuthorKind::Before, None), None),
                step(1, StepKind::Revision, run("claude", "b12", "Fix"), Some(Evidence::Inferred)),
                step(2, StepKind::Rejected, other(AuthorKind::Person, Some("ada")), None),
            ],
            more: true,
        };
        assert_eq!(
            plain(&history(&shown, None)),
            "STEP  TIME                  WHAT      BY                    EVIDENCE  CHANGE\n   \
                0  -                     found     before tracking                 +1\n   \
                1  2026-11-16 10:00:05Z  changed   claude for b12 “Fix”  inferred  +1\n   \
                2  2026-11-16 10:00:05Z  rejected  ada                             +1\n\n\
             … older steps are left out\n\n\
             augment-cli changes diff --file src/a.rs --step N shows what a step did"
        );
        let empty = FileHistory { path: "x\u{7}".into(), steps: vec![], more: false };
        assert_eq!(plain(&history(&empty, None)), "Nothing is known to have happened to x\\u{7}.");
    }
}
