//! The form of an archive: `session.json` for programs, beside the summary that people read and the records of the ledger.
//! Keys stand in one order, and what a later program adds stands behind what is here. Nothing here writes a file.

use augment_core::closing::Content;
use augment_core::ledger::Link;
use augment_core::scan::masked;
use augment_core::session::PROTOCOL as SESSION_PROTOCOL;
use augment_core::time::{date, utc};
use serde::Serialize;

/// The version of the form.
pub const FORM: &str = "augment-session/1";
pub const SUMMARY: &str = "summary.md";
pub const LEDGER: &str = "ledger.jsonl";
pub const SESSION: &str = "session.json";
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

/// The records as lines. One in which something was masked says so: its hash is that of the record as it is kept.
#[must_use]
pub fn ledger_lines(links: &[Link]) -> String {
    let mut lines = String::new();
    for link in links {
        let data = masked(&link.record.data);
        let changed = (data != link.record.data).then(|| {
            let is_json = serde_json::from_str::<serde_json::Value>(&data).is_ok();
            if is_json { data.into_owned() } else { "{}".to_owned() }
        });
        lines.push_str(&link.line(changed.as_deref()));
        lines.push('\n');
    }
    lines
}

/// The hash that an archive names a file by.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    form: &'static str,
    protocol: Protocol<'a>,
    id: String,
    number: u32,
    project: &'a str,
    title: &'a str,
    started_at: String,
    confirmed_at: Option<String>,
    ended_at: Option<String>,
    minutes: u32,
    end_reason: Option<String>,
    automatic: Option<String>,
    model: Option<String>,
    agents: Vec<String>,
    phase: Option<String>,
    sprint_goal: Option<String>,
    progress: Progress,
    tasks: Vec<Task<'a>>,
    decisions: Vec<Decision<'a>>,
    challenges: &'a [String],
    resources: &'a [String],
    outcome: &'a str,
    discovered: &'a [String],
    artifacts: Vec<Artifact<'a>>,
    metrics: Vec<Metric<'a>>,
    learnings: Vec<Learning<'a>>,
    feedback: Option<Feedback<'a>>,
    steps: Vec<Step<'a>>,
    tags: &'a [String],
    ledger: Ledger,
    files: Files<'a>,
}

#[derive(Serialize)]
struct Protocol<'a> {
    session: &'a str,
    completion: &'a str,
}

#[derive(Serialize)]
struct Progress {
    before: Fraction,
    after: Fraction,
}

#[derive(Serialize)]
struct Fraction {
    done: u32,
    total: u32,
}

#[derive(Serialize)]
struct Task<'a> {
    id: Option<String>,
    title: &'a str,
    goal: Option<&'a str>,
    end: Option<&'static str>,
    files: Vec<File<'a>>,
    why: Option<&'a str>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    touch: &'static str,
}

#[derive(Serialize)]
struct Decision<'a> {
    what: &'a str,
    alternatives: &'a [String],
    why: Option<&'a str>,
    by: Option<&'a str>,
}

#[derive(Serialize)]
struct Artifact<'a> {
    path: &'a str,
    hash: Option<&'a str>,
    size: Option<u64>,
    check: &'static str,
    delivered: String,
    received: bool,
}

#[derive(Serialize)]
struct Metric<'a> {
    name: &'a str,
    value: &'a str,
    unit: Option<&'static str>,
}

#[derive(Serialize)]
struct Learning<'a> {
    text: &'a str,
    tags: &'a [String],
    shared: bool,
}

#[derive(Serialize)]
struct Feedback<'a> {
    rating: u32,
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct Step<'a> {
    step: &'static str,
    outcome: &'static str,
    evidence: &'a [String],
    at: Option<String>,
    tries: u32,
}

#[derive(Serialize)]
struct Ledger {
    records: usize,
    first: Option<u64>,
    last: Option<u64>,
    head: Option<String>,
}

#[derive(Serialize)]
struct Files<'a> {
    #[serde(rename = "summary.md")]
    summary: &'a str,
    #[serde(rename = "ledger.jsonl")]
    ledger: &'a str,
}

/// `session.json`, for the files that are named by their hashes.
pub fn session_json(
    content: &Content,
    links: &[Link],
    summary: &str,
    ledger: &str,
) -> Result<String, serde_json::Error> {
    let session = &content.session;
    let said = |text: &Option<String>| text.as_ref().map(|text| masked(text).into_owned());
    let fraction = |of: augment_core::report::Progress| Fraction { done: of.done, total: of.total };
    let document = Document {
        form: FORM,
        protocol: Protocol {
            // Older sessions name the rules that they were held to.
            session: if session.protocol.is_empty() { SESSION_PROTOCOL } else { &session.protocol },
            completion: &content.protocol,
        },
        id: session.id.to_string(),
        number: session.number,
        project: &content.project,
        title: &content.title,
        started_at: utc(session.started.0),
        confirmed_at: session.confirmed.map(|at| utc(at.0)),
        ended_at: session.ended.map(|at| utc(at.0)),
        minutes: content.minutes,
        end_reason: said(&session.end_reason),
        automatic: said(&session.automatic),
        model: said(&session.model),
        agents: session.agents.iter().map(|agent| masked(agent).into_owned()).collect(),
        phase: said(&session.phase),
        sprint_goal: said(&session.sprint_goal),
        progress: Progress { before: fraction(content.before), after: fraction(content.after) },
        tasks: content.tasks.iter().map(task).collect(),
        decisions: content.decisions.iter().map(decision).collect(),
        challenges: &content.challenges,
        resources: &content.resources,
        outcome: &content.outcome,
        discovered: &content.discovered,
        artifacts: content.artifacts.iter().map(artifact).collect(),
        metrics: content
            .metrics
            .iter()
            .map(|figure| Metric { name: &figure.name, value: &figure.value, unit: figure.unit })
            .collect(),
        learnings: content
            .learnings
            .iter()
            .map(|learning| Learning { text: &learning.text, tags: &learning.tags, shared: false })
            .collect(),
        feedback: content
            .feedback
            .as_ref()
            .map(|feedback| Feedback { rating: feedback.rating, text: feedback.text.as_deref() }),
        steps: content.steps.iter().map(step).collect(),
        tags: &content.tags,
        ledger: Ledger {
            records: links.len(),
            first: links.first().map(|link| link.record.sequence),
            last: links.last().map(|link| link.record.sequence),
            head: links.last().map(|link| link.hash.to_string()),
        },
        files: Files { summary, ledger },
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn task(task: &augment_core::closing::ArchivedTask) -> Task<'_> {
    Task {
        id: task.id.map(|id| id.to_string()),
        title: &task.title,
        goal: task.goal.as_deref(),
        end: task.end.map(augment_core::report::TaskEnd::word),
        files: task.files.iter().map(|(path, touch)| File { path, touch: touch.name() }).collect(),
        why: task.why.as_deref(),
    }
}

fn decision(decision: &augment_core::closing::ArchivedDecision) -> Decision<'_> {
    Decision {
        what: &decision.what,
        alternatives: &decision.alternatives,
        why: decision.why.as_deref(),
        by: decision.by.as_deref(),
    }
}

fn artifact(artifact: &augment_core::closing::Artifact) -> Artifact<'_> {
    Artifact {
        path: &artifact.path,
        hash: artifact.hash.as_deref(),
        size: artifact.size,
        check: artifact.check.name(),
        delivered: artifact.delivered.to_string(),
        received: artifact.received,
    }
}

fn step(step: &augment_core::closing::Step) -> Step<'_> {
    Step {
        step: step.name.name(),
        outcome: step.outcome.name(),
        evidence: &step.evidence,
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
