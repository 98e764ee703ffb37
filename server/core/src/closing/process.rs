//! How the steps follow on each other, and what each comes to.

use super::content::{self, gather};
use super::{
    ARTIFACTS_LIMIT, Artifact, Check, CloseStep, Closing, Completion, Delivered, EVIDENCE, FEEDBACK_LIMIT, Feedback,
    LEARNING_LIMIT, LEARNINGS_LIMIT, NOTICES, Notice, Outside, StepClosed, StepName, StepOutcome, StepWork, TAGS_LIMIT,
};
use crate::actor::Actor;
use crate::file::FilePath;
use crate::id::TaskId;
use crate::ledger::{Data, Event, Topic};
use crate::queue::{check_name, check_text, look};
use crate::refusal::Refusal;
use crate::run::{QuestionKind, withdraw};
use crate::session::{Session, SessionId, SessionRefusal, SessionState, Touch, by, touched_by, why_not};
use crate::task::NAME_LIMIT;
use crate::text::Lines;
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::Decided;

/// How many closings a start goes on with.
const OPEN: usize = 16;
/// How many attempts at a task are looked through for what they hold.
const ATTEMPTS: u32 = 100;

/// A session has ended: its closing begins.
pub(crate) fn begin<V: View>(view: &V, session: &Session, now: &Now) -> Result<Vec<Effect>, V::Error> {
    go_on(view, Closing::new(session.id), session, now)
}

/// What a killed process left to be done is done now.
pub(crate) fn take_up<V: View>(view: &V, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let mut effects = Vec::new();
    for closing in view.open_closings(OPEN)? {
        if let Some(session) = view.session_of(closing.session)? {
            effects.extend(go_on(view, closing, &session, now)?);
        }
    }
    Ok(effects)
}

/// The closing as it stands, with the order for the next step.
fn go_on<V: View>(view: &V, mut closing: Closing, session: &Session, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let order = match closing.next() {
        Some(step) => {
            let work = work(view, &closing, session, step, now)?;
            Some(Effect::CloseStep(Box::new(CloseStep { session: session.id, step, work })))
        }
        None if closing.sealed => None,
        None if closing.outcome(StepName::Archive) == StepOutcome::Done => {
            Some(Effect::SealArchive(Box::new(gather(view, &closing, session, now)?)))
        }
        None => {
            closing.sealed = true;
            None
        }
    };
    let put = Effect::PutClosing(Box::new(closing));
    Ok(std::iter::once(put).chain(order).collect())
}

/// What a step needs from outside.
fn work<V: View>(
    view: &V,
    closing: &Closing,
    session: &Session,
    step: StepName,
    now: &Now,
) -> Result<StepWork, V::Error> {
    Ok(match step {
        StepName::Confirmation | StepName::Summary | StepName::Knowledge => StepWork::Nothing,
        StepName::Outputs => match made(view, closing, session)?.artifacts {
            paths if paths.is_empty() => StepWork::Nothing,
            paths => StepWork::Outputs { paths, deliver: closing.deliver.clone() },
        },
        StepName::CleanUp => {
            let Made { mut artifacts, waiting } = made(view, closing, session)?;
            artifacts.extend(waiting);
            StepWork::CleanUp { paths: artifacts }
        }
        StepName::Archive if view.session_policy()?.archive.is_none() => StepWork::Nothing,
        StepName::Archive => StepWork::Archive(Box::new(gather(view, closing, session, now)?)),
        StepName::Notification if closing.notices >= NOTICES => StepWork::Nothing,
        StepName::Notification => {
            let content = gather(view, closing, session, now)?;
            StepWork::Notify(Notice {
                session: session.id,
                number: session.number,
                project: content.project,
                title: content.title,
                outcome: content.outcome,
                archive: closing.archive.clone(),
            })
        }
    })
}

/// What a session has made.
struct Made {
    /// What somebody has approved, and what a person has named.
    artifacts: Vec<FilePath>,
    /// What nobody has decided about.
    waiting: Vec<FilePath>,
}

fn made<V: View>(view: &V, closing: &Closing, session: &Session) -> Result<Made, V::Error> {
    let mut made = Made { artifacts: closing.declared.clone(), waiting: Vec::new() };
    for task in session.items.iter().filter_map(|item| item.task) {
        for (path, touch) in touched_by(view, session, task, ARTIFACTS_LIMIT)? {
            let is_there = match touch {
                Touch::Created | Touch::Changed => true,
                Touch::Deleted => false,
            };
            if !is_there || made.artifacts.contains(&path) || made.artifacts.len() >= ARTIFACTS_LIMIT {
                continue;
            }
            let kept = if is_undecided(view, task, &path)? { &mut made.waiting } else { &mut made.artifacts };
            if !kept.contains(&path) {
                kept.push(path);
            }
        }
    }
    made.waiting.retain(|path| !made.artifacts.contains(path));
    made.artifacts.sort();
    made.waiting.sort();
    Ok(made)
}

/// Whether a task's work on a file waits for a person, all of it.
fn is_undecided<V: View>(view: &V, task: TaskId, path: &FilePath) -> Result<bool, V::Error> {
    let Some(file) = view.file_at(path)? else { return Ok(false) };
    let by = by(task);
    Ok(file.weave.decided_hunks(&by, Decided::Approved).is_empty() && !file.weave.hunks_of(&by).is_empty())
}

/// What came of a step: it is recorded, once, and the next one begins.
pub(crate) fn step_closed<V: View>(view: &V, closed: &StepClosed, now: &Now) -> Result<Turn, V::Error> {
    let nothing = || Ok(Turn::done(Answer::Noted, Vec::new()));
    let Some(mut closing) = view.closing(closed.session)? else { return nothing() };
    let Some(session) = view.session_of(closed.session)? else { return nothing() };
    if closing.next() != Some(closed.step) {
        return nothing();
    }
    let mut effects = Vec::new();
    let (outcome, evidence) = outcome(view, &mut closing, &session, closed, &mut effects, now)?;
    if closed.step == StepName::Notification {
        closing.notices = 0;
    }
    note(&mut closing, closed.step, outcome, evidence, now, &mut effects);
    if closing.next().is_none() {
        effects.push(ended(&closing));
    }
    effects.extend(go_on(view, closing, &session, now)?);
    Ok(Turn::done(Answer::Noted, effects))
}

/// A program is about to be told: that is kept before it is, so that it is not told again and again by processes that end
/// while they tell.
pub(crate) fn notice_begun<V: View>(view: &V, session: SessionId) -> Result<Turn, V::Error> {
    let mut effects = Vec::new();
    if let Some(mut closing) = view.closing(session)? {
        closing.notices = closing.notices.saturating_add(1);
        let data = Data::map([("times", closing.notices.into())]);
        effects.push(event(Actor::Host, "closing.notice", session, data));
        effects.push(Effect::PutClosing(Box::new(closing)));
    }
    Ok(Turn::done(Answer::Noted, effects))
}

fn event(actor: Actor, kind: &'static str, session: SessionId, data: Data) -> Effect {
    Effect::Record(Event { actor, kind, subject: Topic::Session(session), about: Vec::new(), data })
}

fn note(
    closing: &mut Closing,
    name: StepName,
    outcome: StepOutcome,
    mut evidence: Vec<String>,
    now: &Now,
    effects: &mut Vec<Effect>,
) {
    let more = evidence.len().saturating_sub(EVIDENCE);
    evidence.truncate(EVIDENCE);
    if more > 0 {
        evidence.push(format!("and {more} more"));
    }
    for step in closing.steps.iter_mut().filter(|step| step.name == name) {
        step.outcome = outcome;
        step.evidence.clone_from(&evidence);
        step.at = Some(now.wall);
        step.tries = step.tries.saturating_add(1);
        let data = Data::map([
            ("protocol", closing.protocol.as_str().into()),
            ("step", name.name().into()),
            ("outcome", outcome.name().into()),
            ("evidence", evidence.clone().into()),
            ("tries", step.tries.into()),
        ]);
        effects.push(event(Actor::Host, "closing.step", closing.session, data));
    }
}

/// The last entry: that the session is complete, and how its steps came out.
fn ended(closing: &Closing) -> Effect {
    let count = |outcome| u64::try_from(closing.count(outcome)).unwrap_or(u64::MAX);
    let data = Data::map([
        ("protocol", closing.protocol.as_str().into()),
        ("done", count(StepOutcome::Done).into()),
        ("failed", count(StepOutcome::Failed).into()),
        ("skipped", count(StepOutcome::Skipped).into()),
        ("archive", closing.archive.clone().into()),
    ]);
    event(Actor::Host, "closing.ended", closing.session, data)
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// What a step comes to, with what shows it.
fn outcome<V: View>(
    view: &V,
    closing: &mut Closing,
    session: &Session,
    closed: &StepClosed,
    effects: &mut Vec<Effect>,
    now: &Now,
) -> Result<(StepOutcome, Vec<String>), V::Error> {
    let outside = &closed.outside;
    let by_failure = match &outside.failure {
        Some(_) => StepOutcome::Failed,
        None => StepOutcome::Done,
    };
    let mut lines: Vec<String> = outside.failure.iter().map(|why| content::text(why)).collect();
    Ok(match closed.step {
        StepName::Confirmation => (StepOutcome::Done, confirmation(view, closing, session)?),
        StepName::Outputs => {
            closing.artifacts.clone_from(&outside.artifacts);
            let waiting = made(view, closing, session)?.waiting;
            let left = waiting.iter().map(|path| format!("{path}: not delivered, it waits for review"));
            if closing.artifacts.is_empty() && outside.failure.is_none() {
                lines.extend(left);
                if lines.is_empty() {
                    lines.push("nothing was made that has to be delivered".to_owned());
                }
                return Ok((StepOutcome::Skipped, lines));
            }
            lines.extend(outside.evidence.iter().map(|line| content::text(line)));
            let (received, not): (Vec<&Artifact>, Vec<&Artifact>) =
                closing.artifacts.iter().partition(|artifact| artifact.received);
            lines.extend(not.into_iter().chain(received).map(artifact_line));
            lines.extend(left);
            let all = closing.artifacts.iter().all(|artifact| artifact.received);
            (if all { by_failure } else { StepOutcome::Failed }, lines)
        }
        StepName::Summary => {
            let content = gather(view, closing, session, now)?;
            lines.push(format!(
                "{}, {}, {}",
                counted(content.tasks.iter().filter(|task| task.end.is_some()).count(), "action", "actions"),
                counted(content.decisions.len(), "decision", "decisions"),
                counted(content.challenges.len(), "challenge", "challenges"),
            ));
            lines.push(counted(content.minutes as usize, "minute", "minutes"));
            lines.push(content.outcome);
            (StepOutcome::Done, lines)
        }
        StepName::Knowledge => {
            let content = gather(view, closing, session, now)?;
            lines.push(format!("{} kept", counted(content.learnings.len(), "learning", "learnings")));
            lines.push(format!("{} kept", counted(content.metrics.len(), "figure", "figures")));
            lines.push(match &closing.feedback {
                Some(feedback) => format!("rated {} of 5", feedback.rating),
                None => "no feedback was given: augment-cli session complete --rating N".to_owned(),
            });
            (StepOutcome::Done, lines)
        }
        StepName::CleanUp => {
            let freed = clean_up(view, session, effects, now)?;
            lines.extend(freed);
            lines.extend(outside.evidence.iter().map(|line| content::text(line)));
            if lines.is_empty() {
                lines
                    .push("nothing was held any more: no lease, no question, no process, no temporary file".to_owned());
            }
            (by_failure, lines)
        }
        StepName::Archive => {
            if let Some(folder) = &outside.folder {
                closing.archive = Some(folder.clone());
            }
            if outside.folder.is_none() && outside.failure.is_none() {
                return Ok((StepOutcome::Skipped, vec!["archives are switched off (archive.folder)".to_owned()]));
            }
            lines.extend(outside.evidence.iter().cloned());
            (by_failure, lines)
        }
        StepName::Notification if closing.notices >= NOTICES && outside == &Outside::default() => {
            lines.push(format!(
                "the program of notices.command was begun {NOTICES} times, and each time the process ended before it could \
                 say what came of it: augment-cli session resume {} tells it again",
                session.id
            ));
            (StepOutcome::Failed, lines)
        }
        StepName::Notification => {
            lines.extend(outside.evidence.iter().map(|line| content::text(line)));
            (by_failure, lines)
        }
    })
}

/// What the agents say about their work, and the word of a person or the criterion in its place.
fn confirmation<V: View>(view: &V, closing: &Closing, session: &Session) -> Result<Vec<String>, V::Error> {
    let mut lines = Vec::new();
    for item in &session.items {
        let Some(task) = item.task else { continue };
        let said = match content::report_of(view, item)? {
            Some((agent, report)) => {
                format!("{agent} reports {task} as {}: {}", report.status.word(), content::text(&item.title))
            }
            None => {
                let end = match item.end {
                    Some(end) => end.word().to_owned(),
                    None => content::text(&why_not(view, session, item)?),
                };
                format!("no report on {task}, which is {end}: {}", content::text(&item.title))
            }
        };
        lines.push(said);
    }
    let scope = session.scope_progress();
    lines.push(format!("{}/{} of the scope completed", scope.done, scope.total));
    lines.push(match (&closing.acknowledged_by, &session.end_reason) {
        (Some(person), _) => format!("acknowledged by {}", content::text(person)),
        (None, None) => "acknowledged: a person ended the session".to_owned(),
        (None, Some(reason)) => format!("implicit, by the criterion: {}", content::text(reason)),
    });
    Ok(lines)
}

fn artifact_line(artifact: &Artifact) -> String {
    let Artifact { path, hash, size, check, delivered, received } = artifact;
    let place = match delivered {
        Delivered::Workspace => "in the workspace".to_owned(),
        Delivered::Folder(path) => format!("copied to {path}"),
        Delivered::Commit(id) => format!("in commit {}", id.get(..10).unwrap_or(id)),
    };
    let what = match (check, hash, size) {
        (Check::Present, Some(hash), Some(size)) => format!("{size} bytes, {}", hash.get(..16).unwrap_or(hash)),
        (Check::Present, _, _) => "present".to_owned(),
        (Check::Missing, _, _) => "missing".to_owned(),
        (Check::Differs, _, _) => "something else is in its place".to_owned(),
    };
    match received {
        true => format!("{path}: {what}, {place}"),
        false => format!("{path}: {what}, not received"),
    }
}

/// What the session's tasks still hold is let go, and said.
fn clean_up<V: View>(
    view: &V,
    session: &Session,
    effects: &mut Vec<Effect>,
    now: &Now,
) -> Result<Vec<String>, V::Error> {
    let mut lines = Vec::new();
    for id in session.items.iter().filter_map(|item| item.task) {
        let Some(task) = view.task(id)? else { continue };
        // One that was taken again since the end is the next session's business.
        let is_later = task.started.is_some_and(|started| session.ended.is_some_and(|ended| started > ended));
        if task.lease.is_some() && !is_later {
            lines.push(format!(
                "{id} is still held by {}; its lease runs out by itself",
                holder(task.holder.as_deref())
            ));
        }
        for attempt in task.attempt.saturating_sub(ATTEMPTS) + 1..=task.attempt {
            let Some(mut run) = view.run(crate::id::RunId { task: id, attempt })? else { continue };
            if run.ended.is_none() {
                continue;
            }
            let withdrawn = withdraw(view, &mut run, None, now)?;
            if !withdrawn.is_empty() {
                lines.push(format!("questions of {} that nobody needs answered were withdrawn", run.id));
                effects.extend(withdrawn);
                effects.push(Effect::PutRun(Box::new(run.clone())));
            }
            let left = view.open_questions(run.id)?.into_iter().filter(|question| match question.kind {
                QuestionKind::DecisionPoint => true,
                QuestionKind::Permission | QuestionKind::Decision => false,
            });
            lines.extend(left.map(|question| {
                let (id, asked) = (question.id, content::text(&question.question));
                format!("{id} is still to be answered: {asked} (augment-cli agent answer {id})")
            }));
            if run.has_process() {
                lines.push(format!("the process of {} was ended", run.id));
                effects.push(Effect::EndProcess(run.id));
            }
        }
    }
    Ok(lines)
}

fn holder(name: Option<&str>) -> String {
    name.map_or_else(|| "somebody".to_owned(), content::text)
}

/// The archive tells of all seven steps, or could not be written once more.
pub(crate) fn sealed<V: View>(
    view: &V,
    session: SessionId,
    failure: Option<&str>,
    now: &Now,
) -> Result<Turn, V::Error> {
    let mut effects = Vec::new();
    if let Some(mut closing) = view.closing(session)?.filter(|closing| closing.next().is_none() && !closing.sealed) {
        closing.sealed = true;
        if let Some(why) = failure {
            let evidence = vec![content::text(why)];
            note(&mut closing, StepName::Archive, StepOutcome::Failed, evidence, now, &mut effects);
        }
        effects.push(Effect::PutClosing(Box::new(closing)));
    }
    Ok(Turn::done(Answer::Noted, effects))
}

/// A session that has ended, with its closing; one from before there were closings gets it now.
fn found<V: View>(view: &V, id: SessionId) -> Result<(Session, Closing), Stop<V::Error>> {
    let session = look(view.session_of(id))?.ok_or(SessionRefusal::UnknownSession { session: id })?;
    if session.state != SessionState::Ended {
        return Err(SessionRefusal::NotEnded { session: session.number, state: session.state }.into());
    }
    let closing = look(view.closing(id))?.unwrap_or_else(|| Closing::new(id));
    Ok((session, closing))
}

/// Runs what failed or waits once more.
pub(crate) fn resume<V: View>(view: &V, actor: &Actor, id: SessionId, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let (session, mut closing) = found(view, id)?;
    let again: Vec<StepName> = closing
        .steps
        .iter()
        .filter(|step| matches!(step.outcome, StepOutcome::Failed | StepOutcome::Waiting))
        .map(|step| step.name)
        .collect();
    if again.is_empty() && closing.sealed {
        return Err(SessionRefusal::NothingToResume { session: session.number }.into());
    }
    again.iter().for_each(|step| closing.wait(*step));
    let names: Vec<String> = again.iter().map(ToString::to_string).collect();
    let mut effects = vec![event(actor.clone(), "closing.resumed", id, Data::map([("steps", names.into())]))];
    effects.extend(look(go_on(view, closing, &session, now))?);
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

/// A person adds to a session that has ended, and says that it is complete. The steps that this is about are taken again.
pub(crate) fn complete<V: View>(
    view: &V,
    actor: &Actor,
    completion: &Completion,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let (session, mut closing) = found(view, completion.session)?;
    let before = closing.clone();
    add(&mut closing, completion)?;
    let person = actor.to_string();
    closing.acknowledged_by = Some(person.strip_prefix("person:").unwrap_or(&person).to_owned());
    let known = closing.artifacts.iter().map(|artifact| artifact.path.clone());
    let artifacts = look(made(view, &closing, &session))?.artifacts;
    let has_more = !artifacts.iter().map(FilePath::to_text).eq(known);
    let again = [
        (StepName::Confirmation, closing.acknowledged_by != before.acknowledged_by),
        (StepName::Outputs, has_more || closing.deliver != before.deliver),
        (StepName::Knowledge, (&closing.learnings, &closing.feedback) != (&before.learnings, &before.feedback)),
        // Also where nothing is new: it may not be there any more.
        (StepName::Archive, true),
    ];
    for (step, _) in again.into_iter().filter(|(_, is_changed)| *is_changed) {
        closing.wait(step);
    }
    for step in StepName::ALL {
        if closing.outcome(step) == StepOutcome::Failed {
            closing.wait(step);
        }
    }
    let data = Data::map([
        ("artifacts", completion.artifacts.clone().into()),
        ("deliver", completion.deliver.clone().into()),
        ("learnings", u64::try_from(completion.learnings.len()).unwrap_or(u64::MAX).into()),
        ("rating", completion.rating.into()),
        ("tags", completion.tags.clone().into()),
    ]);
    let mut effects = vec![event(actor.clone(), "closing.completed", session.id, data)];
    effects.extend(look(go_on(view, closing, &session, now))?);
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

/// Checks what a person adds, and adds it.
fn add(closing: &mut Closing, completion: &Completion) -> Result<(), Refusal> {
    let path = |text: &str| {
        let read = FilePath::from_text(text.trim_end_matches('/'));
        let path = read.map_err(|problem| Refusal::BadPath { path: text.to_owned(), problem })?;
        let is_kept = path.parts().any(|part| part == b".git" || part == b".jj");
        if is_kept {
            return Err(Refusal::Session(SessionRefusal::NotDelivered { path: path.to_text() }));
        }
        Ok(path)
    };
    for text in &completion.artifacts {
        let path = path(text)?;
        if !closing.declared.contains(&path) {
            closing.declared.push(path);
        }
    }
    at_most("artifacts", closing.declared.len(), ARTIFACTS_LIMIT)?;
    if let Some(folder) = &completion.deliver {
        closing.deliver = Some(path(folder)?);
    }
    for text in &completion.learnings {
        let learning = check_name("learning", text, LEARNING_LIMIT)?;
        if !closing.learnings.contains(&learning) {
            closing.learnings.push(learning);
        }
    }
    at_most("learnings", closing.learnings.len(), LEARNINGS_LIMIT)?;
    for text in &completion.tags {
        let tag = check_name("tag", text, NAME_LIMIT)?;
        if !closing.tags.contains(&tag) {
            closing.tags.push(tag);
        }
    }
    at_most("tags", closing.tags.len(), TAGS_LIMIT)?;
    if let Some(text) = &completion.feedback {
        check_text("feedback", text, Lines::Many, FEEDBACK_LIMIT)?;
    }
    let known = closing.feedback.as_ref().map(|feedback| feedback.rating);
    match (completion.rating.or(known), &completion.feedback) {
        (Some(rating), _) if !(1..=5).contains(&rating) => {
            return Err(Refusal::Session(SessionRefusal::BadRating { value: Some(rating) }));
        }
        (None, Some(_)) => return Err(Refusal::Session(SessionRefusal::BadRating { value: None })),
        (Some(rating), text) => {
            let kept = closing.feedback.take().and_then(|feedback| feedback.text);
            closing.feedback = Some(Feedback { rating, text: text.clone().or(kept) });
        }
        (None, None) => {}
    }
    Ok(())
}

fn at_most(field: &'static str, count: usize, limit: usize) -> Result<(), Refusal> {
    if count > limit { Err(Refusal::TooMany { field, count, limit }) } else { Ok(()) }
}

/// The session's documents are in a commit: where artifacts are among them, they are looked at again.
pub(crate) fn committed<V: View>(view: &V, session: SessionId, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let (Some(mut closing), Some(ended)) = (view.closing(session)?, view.session_of(session)?) else {
        return Ok(Vec::new());
    };
    if !closing.artifacts.iter().any(|artifact| ended.documents.contains(&artifact.path)) {
        return Ok(Vec::new());
    }
    closing.wait(StepName::Outputs);
    closing.wait(StepName::Archive);
    go_on(view, closing, &ended, now)
}
