//! Whether an archived session kept to the protocols that it names: point by point, with what is missing. It is given what an
//! archive says as plain values and judges only that; nothing here reads an archive, and a point is never given because
//! something was probably so.

use crate::closing::{Check, StepName, StepOutcome};

/// The versions that are known. An archive of another version is not judged: what it should hold is not known.
pub const SESSION_PROTOCOLS: &[&str] = &["session-protocol/1"];
pub const COMPLETION_PROTOCOLS: &[&str] = &["session-completion/1"];

/// After so many tasks a session waits at a checkpoint, at the latest.
const CHECKPOINT_AFTER: usize = 3;

/// What a summary tells of, by the words that its heading may use.
const SECTIONS: [(&str, &[&str]); 6] = [
    ("actions", &["action", "what was done", "recap", "tasks"]),
    ("decisions", &["decision"]),
    ("challenges", &["challenge"]),
    ("resources", &["resource"]),
    ("times", &["time", "duration"]),
    ("outcome", &["outcome"]),
];

/// An archived session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Archived {
    pub session_protocol: String,
    pub completion_protocol: String,
    pub is_confirmed: bool,
    pub outcome: String,
    pub tasks: Vec<Task>,
    pub steps: Vec<Step>,
    pub artifacts: Vec<Artifact>,
    pub metrics: usize,
    pub tags: usize,
    /// The headings of its summary, and the names of its entries.
    pub headings: Vec<String>,
    /// Its records, in the order in which they stand.
    pub records: Vec<Record>,
    /// What is wrong with the chain of its records, in a sentence.
    pub ledger_fault: Option<String>,
    /// Files that are not as the archive left them, a sentence each.
    pub file_faults: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub id: String,
    pub has_ended: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub name: StepName,
    pub outcome: StepOutcome,
    pub evidence: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    pub path: String,
    pub check: Check,
    pub has_hash: bool,
    pub is_received: bool,
}

/// What of a record counts here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    pub kind: String,
    /// Of a report.
    pub level: Option<String>,
    /// The task that a report is about.
    pub task: Option<String>,
    /// Of the start of a session: nobody started it, it began by itself.
    pub is_automatic: bool,
    /// Of the end of the session: how many of its documents were written, where that is said.
    pub documents: Option<usize>,
}

/// One thing that a protocol asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub name: String,
    /// What is missing, in a sentence; nothing where the point is met.
    pub lacks: Option<String>,
    /// By what it is met, where that is not what its name says.
    pub note: Option<&'static str>,
    /// What can still be done about it, in a sentence; nothing where it can only be noted.
    pub next: Option<&'static str>,
}

impl Point {
    fn new(name: impl Into<String>, lacks: Option<String>) -> Self {
        Self { name: name.into(), lacks, note: None, next: None }
    }

    fn with_next(self, next: &'static str) -> Self {
        let next = self.lacks.is_some().then_some(next);
        Self { next, ..self }
    }
}

const BY_ITSELF: &str = "It began by itself with the work, and its scope is what was ordered.";
const RESUME: &str = "`augment-cli session resume` in its workspace runs it again.";
const TAKE_BACK: &str =
    "Where the archive is in version control, take it back from there; `augment-cli archive verify` checks it.";

/// The protocol names a version that is not known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProtocol {
    pub name: String,
}

/// Every point in the order of the protocols.
pub fn judge(session: &Archived) -> Result<Vec<Point>, UnknownProtocol> {
    let named = [(&session.session_protocol, SESSION_PROTOCOLS), (&session.completion_protocol, COMPLETION_PROTOCOLS)];
    for (name, known) in named {
        if !known.contains(&name.as_str()) {
            return Err(UnknownProtocol { name: name.clone() });
        }
    }
    let mut points = vec![scope(session)];
    points.extend(session.tasks.iter().filter(|task| task.has_ended).map(|task| reported(session, task)));
    points.push(checkpoints(session));
    points.push(documents(session));
    points.extend(StepName::ALL.iter().map(|name| step(session, *name)));
    points.push(order(session));
    points.extend(SECTIONS.iter().map(|(name, words)| section(session, name, words)));
    let outcome = (session.outcome.trim().is_empty()).then(|| "The record does not say what came of it.".to_owned());
    points.push(Point::new("outcome told", outcome));
    points.extend(session.artifacts.iter().map(artifact));
    let metrics = (session.metrics == 0).then(|| "No performance metric was logged.".to_owned());
    points.push(Point::new("metrics", metrics));
    let tags = (session.tags == 0).then(|| "It has no tag to be found by.".to_owned());
    points.push(Point::new("tags", tags));
    points.push(Point::new("ledger", session.ledger_fault.clone()).with_next(TAKE_BACK));
    let files = session.file_faults.first().map(|_| session.file_faults.join(" "));
    points.push(Point::new("files", files).with_next(TAKE_BACK));
    Ok(points)
}

fn is_work(record: &Record) -> bool {
    matches!(record.kind.as_str(), "session.working" | "task.claimed" | "run.began" | "file.changed")
        || (record.kind == "session.reported" && record.level.as_deref() == Some("light"))
}

/// The scope was confirmed, and before anything was done. A session that began by itself, because work began without one,
/// has what was ordered as its scope from its first moment on.
fn scope(session: &Archived) -> Point {
    let work = session.records.iter().position(is_work);
    let confirmed = session.records.iter().position(|record| record.kind == "session.confirmed");
    let by_itself = session.records.iter().any(|record| record.kind == "session.started" && record.is_automatic);
    if by_itself && session.is_confirmed {
        return Point { note: Some(BY_ITSELF), ..Point::new("scope confirmed", None) };
    }
    let lacks = match (work, confirmed) {
        (None, _) if session.tasks.iter().all(|task| !task.has_ended) => None,
        (_, None) => Some("The scope was never confirmed."),
        (_, Some(_)) if !session.is_confirmed => Some("The record does not say when the scope was confirmed."),
        (Some(work), Some(confirmed)) if work < confirmed => Some("Work began before the scope was confirmed."),
        (Some(_) | None, Some(_)) => None,
    };
    Point::new("scope confirmed", lacks.map(str::to_owned))
}

fn is_report(record: &Record, level: &str) -> bool {
    record.kind == "session.reported" && record.level.as_deref() == Some(level)
}

fn reported(session: &Archived, task: &Task) -> Point {
    let is_told = |record: &Record| is_report(record, "light") && record.task.as_ref() == Some(&task.id);
    let lacks = (!session.records.iter().any(is_told)).then(|| format!("Nothing was reported after task {}.", task.id));
    Point::new(format!("report of {}", task.id), lacks)
}

/// Never more tasks in a row than a checkpoint allows.
fn checkpoints(session: &Archived) -> Point {
    let mut in_a_row = 0;
    let mut lacks = None;
    for record in &session.records {
        let is_direction = matches!(
            record.kind.as_str(),
            "session.confirmed" | "session.adjusted" | "session.continued" | "session.checkpoint"
        );
        if is_direction || is_report(record, "medium") {
            in_a_row = 0;
        } else if is_report(record, "light") {
            in_a_row += 1;
            if in_a_row > CHECKPOINT_AFTER {
                lacks.get_or_insert_with(|| {
                    format!("More than {CHECKPOINT_AFTER} tasks ended in a row without a checkpoint.")
                });
            }
        }
    }
    Point::new("checkpoints", lacks)
}

/// A document of the session was written. What is written after its end is its archive and what it delivers.
fn documents(session: &Archived) -> Point {
    let nothing_done = session.tasks.iter().all(|task| !task.has_ended);
    let end = session.records.iter().position(|record| record.kind == "session.ended");
    let told = end.and_then(|end| session.records[end].documents);
    let before_end = &session.records[..end.unwrap_or(session.records.len())];
    let is_written = match told {
        Some(written) => written > 0,
        None => before_end.iter().any(|record| record.kind == "session.document"),
    };
    let lacks = (!nothing_done && !is_written).then(|| "No document was written at its end.".to_owned());
    Point::new("documents", lacks)
}

/// The step is there, came to a good end, and says by what that is known.
fn step(session: &Archived, name: StepName) -> Point {
    let lacks = match session.steps.iter().find(|step| step.name == name) {
        None => Some("It is not in the record.".to_owned()),
        Some(step) => match step.outcome {
            StepOutcome::Failed => Some("It failed and was not run again.".to_owned()),
            StepOutcome::Waiting => Some("It still waits.".to_owned()),
            StepOutcome::Done if step.evidence == 0 => {
                Some("It is done, and nothing says by what that is known.".to_owned())
            }
            StepOutcome::Skipped if step.evidence == 0 => Some("It was skipped, and nothing says why.".to_owned()),
            StepOutcome::Done => None,
            // Telling others is the one step that the protocol leaves open; what was not made cannot be delivered.
            StepOutcome::Skipped if name == StepName::Notification => None,
            StepOutcome::Skipped if name == StepName::Outputs && session.artifacts.is_empty() => None,
            StepOutcome::Skipped => Some("It was skipped.".to_owned()),
        },
    };
    let can_run_again = session
        .steps
        .iter()
        .any(|step| step.name == name && matches!(step.outcome, StepOutcome::Failed | StepOutcome::Waiting));
    let point = Point::new(format!("step {name}"), lacks);
    if can_run_again { point.with_next(RESUME) } else { point }
}

fn order(session: &Archived) -> Point {
    let misplaced = session.steps.windows(2).find(|pair| pair[0].name >= pair[1].name);
    let lacks = misplaced.map(|pair| format!("{} does not come before {}.", pair[0].name, pair[1].name));
    Point::new("order of the steps", lacks)
}

fn section(session: &Archived, name: &str, words: &[&str]) -> Point {
    let has = |heading: &String| {
        let heading = heading.to_lowercase();
        words.iter().any(|word| heading.contains(word))
    };
    let lacks = (!session.headings.iter().any(has)).then(|| format!("The summary has no section about {name}."));
    Point::new(format!("summary of {name}"), lacks)
}

fn artifact(artifact: &Artifact) -> Point {
    let lacks = match artifact.check {
        Check::Missing => Some("It was not there when it was checked."),
        Check::Differs => Some("It was not as it was declared when it was checked."),
        Check::Present if !artifact.has_hash => Some("It was checked without a hash."),
        Check::Present if !artifact.is_received => Some("Nothing says that it was received."),
        Check::Present => None,
    };
    Point::new(format!("artifact {}", artifact.path), lacks.map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: &str) -> Record {
        Record { kind: kind.into(), ..Record::default() }
    }

    fn report(level: &str, task: Option<&str>) -> Record {
        Record { level: Some(level.into()), task: task.map(str::to_owned), ..record("session.reported") }
    }

    /// A session that lacks nothing.
    fn complete() -> Archived {
        let step = |name: &StepName| Step { name: *name, outcome: StepOutcome::Done, evidence: 1 };
        let artifact = Artifact { path: "a.rs".into(), check: Check::Present, has_hash: true, is_received: true };
        Archived {
            session_protocol: "session-protocol/1".into(),
            completion_protocol: "session-completion/1".into(),
            is_confirmed: true,
            outcome: "All done".into(),
            tasks: vec![Task { id: "a1".into(), has_ended: true }, Task { id: "a2".into(), has_ended: false }],
            steps: StepName::ALL.iter().map(step).collect(),
            artifacts: vec![artifact],
            metrics: 1,
            tags: 1,
            headings: ["Actions", "Decisions made", "Challenges", "Resources", "Times", "Outcome"]
                .map(str::to_owned)
                .into(),
            records: vec![
                record("session.started"),
                record("session.confirmed"),
                record("session.working"),
                report("light", Some("a1")),
                record("session.document"),
                report("comprehensive", None),
                record("session.ended"),
            ],
            ledger_fault: None,
            file_faults: vec![],
        }
    }

    /// What a session lacks once this is done to a complete one, as `point: sentence`.
    fn check(change: impl FnOnce(&mut Archived), expected: &[&str]) {
        let mut session = complete();
        change(&mut session);
        let points = judge(&session).unwrap();
        let lacks: Vec<String> =
            points.iter().filter_map(|it| Some(format!("{}: {}", it.name, it.lacks.as_ref()?))).collect();
        assert_eq!(lacks, expected);
    }

    #[test]
    fn a_complete_session_lacks_nothing() {
        check(|_| {}, &[]);
        assert_eq!(judge(&complete()).unwrap().len(), 24);
    }

    #[test]
    fn scope_comes_before_work() {
        check(|it| it.records.swap(1, 2), &["scope confirmed: Work began before the scope was confirmed."]);
        check(|it| drop(it.records.remove(1)), &["scope confirmed: The scope was never confirmed."]);
        check(
            |it| it.is_confirmed = false,
            &["scope confirmed: The record does not say when the scope was confirmed."],
        );
        let idle = |it: &mut Archived| {
            it.tasks[0].has_ended = false;
            it.records = vec![record("session.started"), record("session.abandoned")];
        };
        check(idle, &[]);
    }

    #[test]
    fn a_session_that_began_by_itself_has_what_was_ordered_as_its_scope() {
        let by_itself = |it: &mut Archived| {
            it.records[0].is_automatic = true;
            it.records.remove(1);
        };
        check(by_itself, &[]);
        let mut session = complete();
        assert_eq!(judge(&session).unwrap()[0].note, None);
        by_itself(&mut session);
        assert_eq!(judge(&session).unwrap()[0].note, Some(BY_ITSELF));
        // Its record has to say since when.
        session.is_confirmed = false;
        assert_eq!(judge(&session).unwrap()[0].lacks.as_deref(), Some("The scope was never confirmed."));
    }

    #[test]
    fn every_task_is_reported_and_three_in_a_row_are_enough() {
        check(|it| drop(it.records.remove(3)), &["report of a1: Nothing was reported after task a1."]);
        let four = |it: &mut Archived| {
            for _ in 0..3 {
                it.records.insert(4, report("light", Some("a9")));
            }
        };
        check(four, &["checkpoints: More than 3 tasks ended in a row without a checkpoint."]);
        let with_checkpoint = |it: &mut Archived| {
            four(it);
            it.records.insert(6, report("medium", None));
        };
        check(with_checkpoint, &[]);
    }

    #[test]
    fn a_document_is_written_at_its_end_and_its_archive_is_none() {
        let lacking = ["documents: No document was written at its end."];
        check(|it| drop(it.records.remove(4)), &lacking);
        let archive_alone = |it: &mut Archived| {
            let archive = it.records.remove(4);
            it.records.push(archive);
        };
        check(archive_alone, &lacking);
        // It was about to be written, and then it could not be.
        check(|it| it.records[6].documents = Some(0), &lacking);
        check(|it| it.records[6].documents = Some(2), &[]);
    }

    #[test]
    fn the_seven_steps_are_there_in_order_with_outcome_and_evidence() {
        check(
            |it| it.steps.retain(|step| step.name != StepName::Knowledge),
            &["step knowledge: It is not in the record."],
        );
        check(|it| it.steps.swap(1, 2), &["order of the steps: summary does not come before outputs."]);
        check(
            |it| it.steps.push(it.steps[6].clone()),
            &["order of the steps: notification does not come before notification."],
        );
        check(|it| it.steps[4].outcome = StepOutcome::Failed, &["step clean-up: It failed and was not run again."]);
        let nexts = |outcome: StepOutcome| {
            let mut session = complete();
            session.steps[4].outcome = outcome;
            let points = judge(&session).unwrap();
            points.iter().filter_map(|it| it.next.map(|next| format!("{}: {next}", it.name))).collect::<Vec<_>>()
        };
        for outcome in [StepOutcome::Failed, StepOutcome::Waiting] {
            assert_eq!(nexts(outcome), [format!("step clean-up: {RESUME}")]);
        }
        assert!(nexts(StepOutcome::Skipped).is_empty());
        check(|it| it.steps[4].outcome = StepOutcome::Waiting, &["step clean-up: It still waits."]);
        check(|it| it.steps[4].outcome = StepOutcome::Skipped, &["step clean-up: It was skipped."]);
        check(|it| it.steps[6].outcome = StepOutcome::Skipped, &[]);
        check(|it| it.steps[1].outcome = StepOutcome::Skipped, &["step outputs: It was skipped."]);
        let nothing_made = |it: &mut Archived| {
            it.steps[1].outcome = StepOutcome::Skipped;
            it.artifacts.clear();
        };
        check(nothing_made, &[]);
        check(|it| it.steps[5].evidence = 0, &["step archive: It is done, and nothing says by what that is known."]);
    }

    #[test]
    fn summary_artifacts_metrics_tags_and_hashes_count() {
        check(
            |it| drop(it.headings.remove(2)),
            &["summary of challenges: The summary has no section about challenges."],
        );
        check(|it| it.outcome = " ".into(), &["outcome told: The record does not say what came of it."]);
        check(|it| it.artifacts[0].check = Check::Missing, &["artifact a.rs: It was not there when it was checked."]);
        check(|it| it.artifacts[0].has_hash = false, &["artifact a.rs: It was checked without a hash."]);
        check(|it| it.artifacts[0].is_received = false, &["artifact a.rs: Nothing says that it was received."]);
        check(|it| it.metrics = 0, &["metrics: No performance metric was logged."]);
        check(|it| it.tags = 0, &["tags: It has no tag to be found by."]);
        check(|it| it.ledger_fault = Some("No.".into()), &["ledger: No."]);
        check(|it| it.file_faults = vec!["One.".into(), "Two.".into()], &["files: One. Two."]);
    }

    #[test]
    fn another_version_is_not_judged() {
        for (version, is_session) in [("session-protocol/2", true), ("session-completion/9", false)] {
            let mut session = complete();
            let named = if is_session { &mut session.session_protocol } else { &mut session.completion_protocol };
            *named = version.to_owned();
            assert_eq!(judge(&session), Err(UnknownProtocol { name: version.to_owned() }));
        }
    }
}
