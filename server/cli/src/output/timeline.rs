//! The story of the workspace, a session or a file, one line a point.

use augment_core::text::{shell_word, visible};
use augment_protocol::figures::{PointKind, Timeline, TimelinePoint, TimelineWho, WhoKind};

use super::changes::words::evidence_name;
use super::table::{Cell, Column, Look, table};
use super::time::utc;

pub(crate) fn told(story: &Timeline, file: Option<&str>, width: Option<u16>) -> String {
    let mut parts = Vec::new();
    if story.points.is_empty() {
        parts.push(Look::Faint.paint(&match file {
            None => "Nothing to tell yet. What agents and people do in this workspace appears here.".to_owned(),
            Some(file) => format!("Nothing of the kind is known of {}.", visible(file)),
        }));
    } else {
        let columns = [
            Column::Number("SEQ"),
            Column::Fixed("TIME"),
            Column::Fixed("WHAT"),
            Column::Text("BY"),
            Column::Text("WHERE"),
            Column::Text("TOLD"),
        ];
        parts.push(table(&columns, story.points.iter().map(row).collect(), width));
    }
    if let Some(next) = story.next {
        parts.push(Look::Faint.paint(&format!("… more; --limit or --from {next}")));
    }
    if let Some(file) = file.filter(|_| !story.points.is_empty()) {
        let path = shell_word(file);
        parts.push(Look::Faint.paint(&format!("augment-cli changes history {path} numbers the steps of its content")));
    }
    parts.join("\n\n")
}

fn row(point: &TimelinePoint) -> Vec<Cell> {
    let (what, look) = what(point.kind);
    let place = match (&point.file, &point.task, &point.task_title) {
        (Some(file), _, _) => file.clone(),
        (None, Some(task), Some(title)) => format!("{task} “{title}”"),
        (None, Some(task), None) => task.clone(),
        (None, None, _) => point.session.clone().unwrap_or_default(),
    };
    let evidence = point.evidence.map(|evidence| format!(" ({})", evidence_name(evidence))).unwrap_or_default();
    vec![
        Cell::styled(point.sequence.to_string(), Look::Faint),
        Cell::new(utc(point.time)),
        Cell::styled(what, look),
        Cell::new(who(&point.who)),
        Cell::new(place),
        Cell::new(format!("{}{evidence}", point.summary)),
    ]
}

fn who(who: &TimelineWho) -> String {
    match (who.kind, &who.name) {
        (WhoKind::Person | WhoKind::Agent, Some(name)) => name.clone(),
        (WhoKind::Person, None) => "a person".to_owned(),
        (WhoKind::Agent, None) => "an agent".to_owned(),
        (WhoKind::Vcs, _) => "version control".to_owned(),
        (WhoKind::Host, _) => "the host".to_owned(),
        (WhoKind::Unknown, _) => "unknown".to_owned(),
    }
}

fn what(kind: PointKind) -> (&'static str, Look) {
    match kind {
        PointKind::Session => ("session", Look::Strong),
        PointKind::TaskTaken => ("task taken", Look::Plain),
        PointKind::TaskEnded => ("task ended", Look::Plain),
        PointKind::RunStarted => ("run started", Look::Plain),
        PointKind::RunEnded => ("run ended", Look::Plain),
        PointKind::Question => ("question", Look::Busy),
        PointKind::Revision => ("changed", Look::Plain),
        PointKind::Decision => ("decided", Look::Good),
        PointKind::Report => ("report", Look::Faint),
        PointKind::Checkpoint => ("checkpoint", Look::Busy),
        PointKind::Flag => ("flag", Look::Warn),
        PointKind::Finding => ("finding", Look::Bad),
        PointKind::Commit => ("commit", Look::Plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    #[test]
    fn a_point_is_told_on_one_line() {
        let point = |sequence, kind, name: Option<&str>, file: Option<&str>, summary: &str| TimelinePoint {
            sequence,
            time: 1_794_823_205_000,
            kind,
            who: TimelineWho { kind: WhoKind::Agent, name: name.map(str::to_owned) },
            task: Some("a1".into()),
            task_title: Some("Fix\u{7}".into()),
            run: None,
            session: None,
            file: file.map(str::to_owned),
            decision: None,
            step: None,
            added: 0,
            removed: 0,
            evidence: None,
            summary: summary.into(),
        };
        let points = vec![
            point(4, PointKind::Revision, Some("goose"), Some("a b.txt"), "+1 −0"),
            point(3, PointKind::TaskTaken, None, None, "taken, attempt 1"),
        ];
        let story = Timeline { points, next: Some(3), revision: 4 };
        assert_eq!(
            plain(&told(&story, Some("a b.txt"), None)),
            "SEQ  TIME                  WHAT        BY        WHERE          TOLD\n  \
               4  2026-11-16 10:00:05Z  changed     goose     a b.txt        +1 −0\n  \
               3  2026-11-16 10:00:05Z  task taken  an agent  a1 “Fix\\u{7}”  taken, attempt 1\n\n\
             … more; --limit or --from 3\n\n\
             augment-cli changes history 'a b.txt' numbers the steps of its content"
        );
        let none = Timeline { points: vec![], next: None, revision: 0 };
        assert!(plain(&told(&none, None, None)).starts_with("Nothing to tell yet."));
        assert_eq!(plain(&told(&none, Some("nope.js"), None)), "Nothing of the kind is known of nope.js.");
    }
}
