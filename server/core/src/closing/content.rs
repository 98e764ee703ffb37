//! What an archive says of a session, gathered from all that is known of it. What looks like a secret or personal data in it
//! is replaced by the name of the rule, since an archive is kept, shown and committed.

use super::{Artifact, Closing, Delivered, Feedback, Step};
use crate::attribution::Author;
use crate::completion::{self, Report, Status, Unit};
use crate::id::TaskId;
use crate::report::{Progress, TaskEnd};
use crate::run::{AnsweredBy, Question};
use crate::scan::masked;
use crate::session::{FlagAnswer, Item, Session, Touch, entry_title, minutes, review_words, touched_by, why_not};
use crate::task::Priority;
use crate::text::{one_line, shortened, visible_lines};
use crate::time::{Now, Wall};
use crate::view::View;
use crate::weave::Decided;

/// How many files, answers, flags and refusals an archive names.
const FILES: usize = 500;
/// How long the names of all files may be together, so that a reader takes the record.
const PATHS: usize = 1_024 * 1_024;
const NAMED: usize = 50;
/// How many learnings are proposed of the reports.
const PROPOSED: usize = 20;
/// How long a line may be.
const LINE: usize = 500;

/// How a line of a report begins that says what was learnt.
const LEARNT: [&str; 8] =
    ["learned:", "learnt:", "learning:", "lesson:", "lesson learned:", "pitfall:", "insight:", "note:"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedTask {
    pub id: Option<TaskId>,
    pub title: String,
    pub goal: Option<String>,
    pub end: Option<TaskEnd>,
    pub files: Vec<(String, Touch)>,
    pub why: Option<String>,
    /// What its agent says came of it, in one line.
    pub outcome: Option<String>,
    pub labels: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedDecision {
    pub what: String,
    pub alternatives: Vec<String>,
    pub why: Option<String>,
    pub by: Option<String>,
}

/// A measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    pub name: String,
    pub value: String,
    pub unit: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learning {
    pub text: String,
    pub tags: Vec<String>,
    /// The task whose report says so; `None` where a person does.
    pub task: Option<TaskId>,
}

/// Something left to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextTask {
    pub title: String,
    pub priority: Priority,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub session: Session,
    /// The version of the rules of its completion.
    pub protocol: String,
    pub project: String,
    pub title: String,
    pub minutes: u32,
    pub before: Progress,
    pub after: Progress,
    pub tasks: Vec<ArchivedTask>,
    pub decisions: Vec<ArchivedDecision>,
    pub challenges: Vec<String>,
    pub resources: Vec<String>,
    pub outcome: String,
    pub discovered: Vec<String>,
    pub next: Vec<NextTask>,
    pub artifacts: Vec<Artifact>,
    pub metrics: Vec<Figure>,
    pub learnings: Vec<Learning>,
    pub feedback: Option<Feedback>,
    pub steps: Vec<Step>,
    pub tags: Vec<String>,
    /// The folder that archives are in, and that of this one once it is written.
    pub archives: String,
    pub folder: Option<String>,
}

/// One line without what should not be spread.
pub(super) fn text(text: &str) -> String {
    shortened(&masked(&one_line(text)), LINE).into_owned()
}

/// The same as long as it is: what a person said is not cut.
fn whole(text: &str) -> String {
    masked(&one_line(text)).into_owned()
}

/// The last report on a thing of the scope in the session, and whose it is.
pub(super) fn report_of<V: View>(view: &V, item: &Item) -> Result<Option<(String, Report)>, V::Error> {
    let Some(id) = item.task else { return Ok(None) };
    let Some(run) = view.task(id)?.map(|task| item.run_of(&task)).filter(|run| run.attempt > 0) else {
        return Ok(None);
    };
    let agent = view.run(run)?.map_or_else(|| "an agent".to_owned(), |run| text(&run.agent));
    let report = view.report(run)?;
    Ok(report.as_deref().and_then(completion::report_in).map(|report| (agent, report)))
}

/// All that an archive says of a session.
pub(super) fn gather<V: View>(view: &V, closing: &Closing, session: &Session, now: &Now) -> Result<Content, V::Error> {
    let policy = view.session_policy()?;
    let has_plan = session.before.total > 0;
    let scope = session.scope_progress();
    let (mut tasks, mut reports) = (Vec::new(), Vec::new());
    let (mut room, mut unnamed) = (PATHS, 0);
    for item in &session.items {
        let report = report_of(view, item)?.and_then(|(_, report)| Some((item.task?, report)));
        let mut task = archived_task(view, session, item, report.as_ref().map(|(_, report)| report))?;
        let fitting = fitting(&task.files, &mut room);
        unnamed += task.files.len() - fitting;
        task.files.truncate(fitting);
        tasks.push(task);
        reports.extend(report);
    }
    let title = session.title.clone().unwrap_or_else(|| entry_title(session));
    let mut tags: Vec<String> = policy.tags.iter().chain(&closing.tags).map(|tag| text(tag)).collect();
    tags.extend(tasks.iter().flat_map(|task| task.labels.iter().cloned()));
    // So that there is something to find every session by.
    let project = text(&view.governance()?.project);
    tags.extend(std::iter::once(&project).chain(&session.agents).map(|name| text(name).to_lowercase()));
    tags.retain(|tag| !tag.is_empty());
    tags.sort();
    tags.dedup();
    let mut steps = closing.steps.clone();
    for step in &mut steps {
        step.evidence = step.evidence.iter().map(|line| text(line)).collect();
    }
    Ok(Content {
        project,
        protocol: closing.protocol.clone(),
        title: text(&title),
        minutes: minutes(session, now),
        before: if has_plan { session.before } else { Progress { done: 0, total: scope.total } },
        after: if has_plan { session.progress() } else { scope },
        decisions: decisions(view, session)?,
        challenges: challenges(view, session, &tasks)?,
        resources: resources(session, unnamed),
        outcome: outcome(session),
        discovered: session.discovered.iter().map(|title| text(title)).collect(),
        next: next(view, session)?,
        artifacts: closing.artifacts.iter().map(shown).collect(),
        metrics: metrics(view, session, &reports, now)?,
        learnings: learnings(closing, &tasks, &reports),
        feedback: closing.feedback.as_ref().map(|feedback| Feedback {
            rating: feedback.rating,
            text: feedback.text.as_ref().map(|said| visible_lines(&masked(said)).into_owned()),
        }),
        steps,
        tags,
        archives: policy.archive.unwrap_or_default(),
        folder: closing.archive.clone(),
        session: session.clone(),
        tasks,
    })
}

fn archived_task<V: View>(
    view: &V,
    session: &Session,
    item: &Item,
    report: Option<&Report>,
) -> Result<ArchivedTask, V::Error> {
    let (files, labels) = match item.task {
        Some(id) => {
            let files = touched_by(view, session, id, FILES)?;
            (files, view.task(id)?.map(|task| task.labels).unwrap_or_default())
        }
        None => (Vec::new(), Vec::new()),
    };
    let is_completed = item.end == Some(TaskEnd::Completed);
    Ok(ArchivedTask {
        id: item.task,
        title: text(&item.title),
        goal: item.goal.as_ref().map(|goal| text(goal)),
        end: item.end,
        files: files.into_iter().map(|(path, touch)| (masked(&path.to_text()).into_owned(), touch)).collect(),
        why: match item.task {
            _ if !is_completed => Some(text(&why_not(view, session, item)?)),
            Some(id) => Some(review_words(view, id)?.join("; ")).filter(|words| !words.is_empty()),
            None => None,
        },
        outcome: report.map(|report| text(&report.summary)).filter(|line| !line.is_empty()),
        labels: labels.iter().map(|label| text(label)).collect(),
    })
}

/// What was decided, with what else could have been.
fn decisions<V: View>(view: &V, session: &Session) -> Result<Vec<ArchivedDecision>, V::Error> {
    let plain = |what: &String| ArchivedDecision { what: text(what), alternatives: Vec::new(), why: None, by: None };
    let mut all: Vec<ArchivedDecision> = session.decisions.iter().map(plain).collect();
    let until = session.ended.unwrap_or(Wall(i64::MAX));
    for question in view.decided_since(session.started, NAMED)? {
        all.extend(decision(&question, until));
    }
    Ok(all)
}

fn decision(question: &Question, until: Wall) -> Option<ArchivedDecision> {
    let answer = question.answer.as_ref().filter(|answer| answer.at <= until)?;
    let is_chosen = |value: &str| answer.choice.as_deref() == Some(value);
    let (chosen, others): (Vec<_>, Vec<_>) = question.options.iter().partition(|option| is_chosen(&option.value));
    let chosen = chosen.first().map(|option| option.text.as_str()).or(answer.choice.as_deref());
    let what = match (chosen, &answer.text) {
        (Some(chosen), _) => format!("{} {chosen}", question.question),
        (None, Some(said)) => format!("{} {said}", question.question),
        (None, None) => question.question.clone(),
    };
    Some(ArchivedDecision {
        what: text(&what),
        alternatives: others.iter().map(|option| text(&option.text)).collect(),
        why: answer.text.as_ref().filter(|_| chosen.is_some()).map(|said| text(said)),
        by: match &answer.by {
            AnsweredBy::Person { name } => Some(text(name)),
            AnsweredBy::Policy | AnsweredBy::Withdrawn => None,
        },
    })
}

/// What was hard: what did not get done, what fell outside, what the scan found, and what was refused.
fn challenges<V: View>(view: &V, session: &Session, tasks: &[ArchivedTask]) -> Result<Vec<String>, V::Error> {
    let mut lines = Vec::new();
    for task in tasks {
        let is_hard = match task.end {
            Some(TaskEnd::Failed | TaskEnd::Blocked | TaskEnd::Partial | TaskEnd::Rejected) => true,
            Some(TaskEnd::Completed | TaskEnd::Cancelled) | None => false,
        };
        if let Some(why) = task.why.as_ref().filter(|_| is_hard) {
            lines.push(format!("{}: {why}", task.title));
        }
    }
    for flag in view.flags_of(session.id, NAMED)? {
        let answer = match flag.answer {
            None => "no answer yet",
            Some(FlagAnswer::Extend) => "the scope was extended",
            Some(FlagAnswer::Log) => "logged for later and taken out",
            Some(FlagAnswer::AllowOnce) => "allowed once",
            Some(FlagAnswer::RolledBack) => "taken out by the policy",
            Some(FlagAnswer::Refused) => "refused",
        };
        lines.push(format!("{} ({answer})", text(&flag.message())));
    }
    let until = session.ended.unwrap_or(Wall(i64::MAX));
    for seen in view.acknowledged_since(session.started, NAMED)?.iter().filter(|seen| seen.time <= until) {
        lines.push(format!("{} was found and kept: {}", seen.rule, text(&seen.reason)));
    }
    for refused in view.refused_in(session, NAMED)? {
        lines.push(format!("refused: {}", text(&refused)));
    }
    lines.dedup();
    Ok(lines)
}

/// An artifact as it may be spread.
fn shown(artifact: &Artifact) -> Artifact {
    let delivered = match &artifact.delivered {
        Delivered::Folder(path) => Delivered::Folder(masked(path).into_owned()),
        Delivered::Workspace => Delivered::Workspace,
        Delivered::Commit(id) => Delivered::Commit(id.clone()),
    };
    Artifact { path: masked(&artifact.path).into_owned(), delivered, ..artifact.clone() }
}

/// How many of these files there is still room for.
fn fitting(files: &[(String, Touch)], room: &mut usize) -> usize {
    let fits = |(path, _): &&(String, Touch)| {
        let is_room = path.len() <= *room;
        *room = room.saturating_sub(path.len());
        is_room
    };
    files.iter().take_while(fits).count()
}

fn resources(session: &Session, unnamed: usize) -> Vec<String> {
    let mut lines: Vec<String> = session.agents.iter().map(|agent| format!("agent {}", text(agent))).collect();
    lines.extend(session.model.as_ref().map(|model| format!("model {}", text(model))));
    lines.extend(session.documents.iter().map(|path| format!("document {path}")));
    if unnamed > 0 {
        lines.push(format!("{unnamed} more files, which are not named here"));
    }
    lines
}

/// What came of it, against what was agreed to and what the sprint is for.
fn outcome(session: &Session) -> String {
    let scope = session.scope_progress();
    let mut said = format!("{}/{} of the scope completed", scope.done, scope.total);
    let progress = session.progress();
    if let Some(goal) = &session.sprint_goal {
        said.push_str(&format!("; sprint goal \"{}\"", text(goal)));
        if progress.total > 0 {
            said.push_str(&format!(": {}/{} ({}%)", progress.done, progress.total, progress.percent()));
        }
    }
    said
}

/// What is left to be done, the most urgent first.
fn next<V: View>(view: &V, session: &Session) -> Result<Vec<NextTask>, V::Error> {
    let open = session.items.iter().filter(|item| match item.end {
        Some(TaskEnd::Completed | TaskEnd::Cancelled) => false,
        Some(TaskEnd::Partial | TaskEnd::Blocked | TaskEnd::Failed | TaskEnd::Rejected) | None => true,
    });
    let mut all: Vec<NextTask> = Vec::new();
    let mut wanted: Vec<(String, Option<TaskId>)> = open.map(|item| (item.title.clone(), item.task)).collect();
    for title in &session.discovered {
        wanted.push((title.clone(), view.open_task_titled(title)?));
    }
    for (title, id) in wanted {
        let task = match id {
            Some(id) => view.task(id)?,
            None => None,
        };
        let next = NextTask { title: text(&title), priority: task.map_or(Priority::Medium, |task| task.priority) };
        if !all.iter().any(|known| known.title == next.title) {
            all.push(next);
        }
    }
    all.sort_by_key(|next| next.priority);
    Ok(all)
}

/// The session's own figures, and those of its reports: counts are added up, of shares and scores the last one stands.
fn metrics<V: View>(
    view: &V,
    session: &Session,
    reports: &[(TaskId, Report)],
    now: &Now,
) -> Result<Vec<Figure>, V::Error> {
    let scope = session.scope_progress();
    let figure = |name: &str, value: String, unit| Figure { name: name.to_owned(), value, unit };
    let (approved, rejected, waiting) = hunks(view, session)?;
    let mut figures = vec![
        figure("tasks_completed", scope.done.to_string(), Some("tasks")),
        figure("tasks_in_scope", scope.total.to_string(), Some("tasks")),
        figure("duration", minutes(session, now).to_string(), Some("minutes")),
        figure("hunks_approved", approved.to_string(), Some("hunks")),
        figure("hunks_rejected", rejected.to_string(), Some("hunks")),
        figure("hunks_waiting", waiting.to_string(), Some("hunks")),
    ];
    let own = figures.len();
    for metric in reports.iter().flat_map(|(_, report)| &report.metrics) {
        let unit = metric.known().map(completion::KnownMetric::unit);
        let fresh = Figure { name: text(&metric.name), value: text(&metric.value), unit: unit.map(Unit::word) };
        let known = figures.iter_mut().skip(own).find(|known| known.name == fresh.name);
        match (known, unit) {
            (None, _) => figures.push(fresh),
            (Some(known), Some(Unit::Files | Unit::Violations | Unit::TestFiles | Unit::Seconds)) => {
                let before = completion::Metric { name: metric.name.clone(), value: known.value.clone() }.number();
                known.value = match before.zip(metric.number()) {
                    Some((before, more)) => (before + more).to_string(),
                    None => fresh.value,
                };
            }
            (Some(known), Some(Unit::Percent | Unit::Score) | None) => known.value = fresh.value,
        }
    }
    Ok(figures)
}

/// How many hunks of the session's tasks were approved, were rejected, and wait.
fn hunks<V: View>(view: &V, session: &Session) -> Result<(usize, usize, usize), V::Error> {
    let (mut approved, mut rejected, mut waiting) = (0, 0, 0);
    for item in &session.items {
        let Some(task) = item.task else { continue };
        let last = item.attempt.unwrap_or(u32::MAX);
        let by = |author: &Author| matches!(author, Author::Run(run) if run.task == task && run.attempt <= last);
        for (path, _) in view.touched_by(task, FILES)? {
            let Some(file) = view.file_at(&path)? else { continue };
            approved += file.weave.decided_hunks(&by, Decided::Approved).len();
            rejected += file.weave.decided_hunks(&by, Decided::Rejected).len();
            waiting += file.weave.hunks_of(&by).len();
        }
    }
    Ok((approved, rejected, waiting))
}

/// What the person has learnt, and what the reports say that was.
fn learnings(closing: &Closing, tasks: &[ArchivedTask], reports: &[(TaskId, Report)]) -> Vec<Learning> {
    let own = |said: &String| Learning { text: whole(said), tags: closing.tags.clone(), task: None };
    let mut all: Vec<Learning> = closing.learnings.iter().map(own).collect();
    let mut proposed = Vec::new();
    for (id, report) in reports {
        let labels = tasks.iter().find(|task| task.id == Some(*id)).map(|task| task.labels.clone());
        let mut said: Vec<String> = report.summary.lines().filter_map(learnt).collect();
        match report.status {
            Status::Blocked => said.push(format!("Pitfall: {}", report.summary)),
            Status::Completed | Status::Partial => {}
        }
        let tags = labels.unwrap_or_default();
        let learning = |said: &String| Learning { text: text(said), tags: tags.clone(), task: Some(*id) };
        proposed.extend(said.iter().map(learning));
    }
    proposed.truncate(PROPOSED);
    for learning in proposed {
        if !learning.text.is_empty() && !all.iter().any(|known| known.text == learning.text) {
            all.push(learning);
        }
    }
    all
}

/// What a line says was learnt, if it says so.
fn learnt(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches(['-', '*', '•']).trim_start();
    let is_marked = |mark: &&&str| line.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark));
    let mark = LEARNT.iter().filter(is_marked).max_by_key(|mark| mark.len())?;
    Some(line[mark.len()..].trim().to_owned()).filter(|rest| !rest.is_empty())
}
