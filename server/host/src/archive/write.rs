//! What is written to an archive: the name of its folder, the records of the ledger as lines, and `session.json`. What
//! looks like a secret is masked in all of it. Nothing here writes a file.

use std::collections::BTreeMap;

use augment_core::closing::{self, Content};
use augment_core::ledger::{Hash, Link};
use augment_core::scan::masked;
use augment_core::session::PROTOCOL as SESSION_PROTOCOL;
use augment_core::time::{date, utc};

use super::form::{
    ArchivedDecision, ArchivedMetric, ArchivedTask, Artifact, CompletionStep, Done, FORM, Feedback, FileHashes,
    Learning, LedgerPart, Progress, Protocols, SessionRecord, TouchedFile,
};
use super::lines;

/// How long the part of a folder's name may be that tells what it was about.
const SLUG: usize = 60;

/// What the folder of a session is called: `2026-11-16-s3-lifesum-connector`.
#[must_use]
pub fn folder_name(content: &Content) -> String {
    let session = &content.session;
    format!("{}-{}-{}", date(session.started.0), session.id, slug(&content.title))
}

/// Lower-case letters, digits and single hyphens.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        match c {
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
        if slug.len() >= SLUG {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "session".to_owned() } else { slug.to_owned() }
}

/// The records as lines, without what looks like a secret.
#[must_use]
pub fn ledger_lines(links: &[Link]) -> String {
    links.iter().map(|link| lines::shown(link) + "\n").collect()
}

/// The hash that an archive names a file by.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// `session.json`, beside files of these hashes.
pub fn session_json(
    content: &Content,
    links: &[Link],
    summary: String,
    ledger: String,
) -> Result<String, serde_json::Error> {
    let session = &content.session;
    let said = |text: &Option<String>| text.as_ref().map(|text| masked(text).into_owned());
    let done = |of: augment_core::report::Progress| Done { done: of.done.into(), total: of.total.into() };
    let record = SessionRecord {
        form: FORM.to_owned(),
        protocol: Protocols {
            // Older sessions name the rules that they were held to.
            session: if session.protocol.is_empty() { SESSION_PROTOCOL.to_owned() } else { session.protocol.clone() },
            completion: content.protocol.clone(),
        },
        id: session.id.to_string(),
        number: session.number,
        project: content.project.clone(),
        title: content.title.clone(),
        started_at: utc(session.started.0),
        confirmed_at: session.confirmed.map(|at| utc(at.0)),
        ended_at: utc(session.ended.unwrap_or(session.started).0),
        minutes: content.minutes.into(),
        end_reason: said(&session.end_reason),
        automatic: said(&session.automatic),
        model: said(&session.model),
        agents: session.agents.iter().map(|agent| masked(agent).into_owned()).collect(),
        phase: said(&session.phase),
        sprint_goal: said(&session.sprint_goal),
        progress: Progress { before: done(content.before), after: done(content.after) },
        tasks: content.tasks.iter().map(task).collect(),
        decisions: content.decisions.iter().map(decision).collect(),
        challenges: content.challenges.clone(),
        resources: content.resources.clone(),
        outcome: content.outcome.clone(),
        discovered: content.discovered.clone(),
        artifacts: content.artifacts.iter().map(artifact).collect(),
        metrics: content.metrics.iter().map(metric).collect(),
        learnings: content.learnings.iter().map(learning).collect(),
        feedback: content.feedback.as_ref().map(|feedback| Feedback {
            rating: u8::try_from(feedback.rating).unwrap_or(u8::MAX),
            text: feedback.text.clone(),
        }),
        steps: content.steps.iter().map(step).collect(),
        tags: content.tags.clone(),
        ledger: LedgerPart {
            records: links.len() as u64,
            first: links.first().map_or(0, |link| link.record.sequence),
            last: links.last().map_or(0, |link| link.record.sequence),
            head: links.last().map_or(Hash::NONE, |link| link.hash).to_string(),
        },
        files: FileHashes { summary, ledger, more: BTreeMap::new() },
    };
    Ok(serde_json::to_string_pretty(&record)? + "\n")
}

fn task(task: &closing::ArchivedTask) -> ArchivedTask {
    let file = |(path, touch): &(String, augment_core::session::Touch)| TouchedFile {
        path: path.clone(),
        touch: touch.name().to_owned(),
    };
    ArchivedTask {
        id: task.id.map(|id| id.to_string()),
        title: task.title.clone(),
        goal: task.goal.clone(),
        end: task.end.map(|end| end.word().to_owned()),
        files: task.files.iter().map(file).collect(),
        why: task.why.clone(),
    }
}

fn decision(decision: &closing::ArchivedDecision) -> ArchivedDecision {
    ArchivedDecision {
        what: decision.what.clone(),
        alternatives: decision.alternatives.clone(),
        why: decision.why.clone(),
        by: decision.by.clone(),
    }
}

fn artifact(artifact: &closing::Artifact) -> Artifact {
    Artifact {
        path: artifact.path.clone(),
        hash: artifact.hash.clone(),
        size: artifact.size,
        check: artifact.check.name().to_owned(),
        delivered: artifact.delivered.to_string(),
        received: artifact.received,
    }
}

fn metric(figure: &closing::Figure) -> ArchivedMetric {
    ArchivedMetric { name: figure.name.clone(), value: figure.value.clone(), unit: figure.unit.map(str::to_owned) }
}

/// Only a person's word makes it shared, later.
fn learning(learning: &closing::Learning) -> Learning {
    Learning { text: learning.text.clone(), tags: learning.tags.clone(), shared: false }
}

fn step(step: &closing::Step) -> CompletionStep {
    CompletionStep {
        step: step.name.name().to_owned(),
        outcome: step.outcome.name().to_owned(),
        evidence: step.evidence.clone(),
        at: step.at.map(|at| utc(at.0)),
        tries: step.tries,
    }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn a_folder_is_named_after_what_it_was_about() {
        for (title, expected) in [
            ("Lifesum connector", "lifesum-connector"),
            ("  Füße & more!! ", "f-e-more"),
            ("../../etc/passwd", "etc-passwd"),
            ("日本語", "session"),
            ("", "session"),
        ] {
            assert_eq!(slug(title), expected, "{title}");
        }
        assert!(slug(&"a b ".repeat(100)).len() <= super::SLUG);
    }
}
