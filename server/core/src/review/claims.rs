//! Words about files, from runs and from editors. A word waits a while for the change it speaks of; one that comes late
//! speaks for a revision that was seen a moment ago on weak evidence.

use super::select::path;
use crate::actor::Actor;
use crate::attribution::{Claim, SavedHow, Word, is_written, late_word};
use crate::file::{ContentHash, FilePath};
use crate::ledger::{Data, Event, Topic};
use crate::queue::{self, look};
use crate::refusal::Refusal;
use crate::review::TrackedFile;
use crate::review::seen::{active_runs, content_hash, is_held};
use crate::task::Status;
use crate::time::{Now, Wall};
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

/// A run, or a person for it, says which file is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileClaim {
    pub path: String,
    /// In hex.
    pub hash: Option<String>,
    pub task: Option<String>,
}

/// What an editor has saved.
pub(crate) struct SavedText<'a> {
    pub(crate) at: &'a str,
    pub(crate) text: &'a str,
    /// Without it nothing was changed since the file was read.
    pub(crate) how: Option<SavedHow>,
    pub(crate) ago_ms: u32,
}

/// How long after a change was seen a word about it still counts: one that is given then, or that is about then.
const LATE_MS: i64 = 10_000;

pub(crate) fn claim<V: View>(view: &V, actor: &Actor, said: &FileClaim, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let path = path(&said.path)?;
    let hash = match &said.hash {
        None => None,
        Some(text) => Some(ContentHash::from_hex(text).ok_or_else(|| Refusal::BadHash { value: text.clone() })?),
    };
    let run = match (actor, &said.task) {
        (Actor::Run { run }, None) => *run,
        (Actor::Run { run }, Some(wanted)) => {
            let task = queue::find(view, wanted)?;
            if task.id != run.task {
                return Err(Refusal::NotItsTask { own: run.task, task: task.id }.into());
            }
            *run
        }
        (Actor::Person { .. } | Actor::Host, Some(wanted)) => {
            let task = queue::find(view, wanted)?;
            if task.status != Status::InProgress {
                let next = "Take it first, with start or claim.";
                return Err(
                    Refusal::WrongStatus { task: task.id, status: task.status, action: "claimed for", next }.into()
                );
            }
            task.run()
        }
        (Actor::Person { .. } | Actor::Host, None) => return Err(Refusal::TaskNotSaid.into()),
    };
    let event = Event {
        actor: actor.clone(),
        kind: "file.claimed",
        subject: Topic::File(path.clone()),
        about: vec![Topic::Task(run.task), Topic::Run(run)],
        data: Data::map([("hash", hash.map(|hash| hash.to_string()).into())]),
    };
    let mut effects = vec![Effect::Record(event)];
    effects.extend(take(view, path, Word::Writes { run, hash }, now.wall, now)?);
    Ok(Turn::done(Answer::Noted, effects))
}

/// An editor says what it has saved. It leaves a record only where it changes what is known.
pub(crate) fn saved<V: View>(
    view: &V,
    actor: &Actor,
    saved: &SavedText<'_>,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let path = path(saved.at)?;
    let (Some(how), Actor::Person { name }) = (saved.how, actor) else {
        return Ok(Turn::done(Answer::Noted, Vec::new()));
    };
    let time = Wall(now.wall.0.saturating_sub(i64::from(saved.ago_ms)));
    let word = Word::Saved { person: name.clone(), text: saved.text.as_bytes().to_vec(), how };
    Ok(Turn::done(Answer::Noted, take(view, path, word, time, now)?))
}

/// The saves that wait, once a newer one is known to be there: they were saved over.
fn saved_over<V: View>(view: &V, newer: &Claim) -> Result<Vec<Effect>, Stop<V::Error>> {
    if !matches!(newer.word, Word::Saved { .. }) {
        return Ok(Vec::new());
    }
    let waiting = look(view.claims(&newer.path))?;
    let saves = waiting.iter().filter(|claim| matches!(claim.word, Word::Saved { .. }));
    Ok(saves.map(|claim| Effect::DropClaim(claim.number)).collect())
}

/// How the newest revision stands, as long as nobody has decided about it.
enum Newest {
    Open,
    /// It came to nothing with what it followed, which depends on whose it is.
    Settled,
}

fn standing_of_newest<V: View>(view: &V, file: &TrackedFile) -> Result<Option<Newest>, V::Error> {
    if file.weave.newest_open().is_some() {
        return Ok(Some(Newest::Open));
    }
    let settled = file.weave.settled_by_newest();
    for no in &settled {
        if view.decision_in(file.number, *no)?.is_some() {
            return Ok(None);
        }
    }
    Ok((!settled.is_empty()).then_some(Newest::Settled))
}

/// Lets a word speak for what was seen a moment ago, or keeps it for what will be seen.
fn take<V: View>(view: &V, path: FilePath, word: Word, time: Wall, now: &Now) -> Result<Vec<Effect>, Stop<V::Error>> {
    let claim = Claim { number: 0, path: path.clone(), time, word };
    let Some(mut file) = look(view.file_at(&path))? else {
        return Ok(vec![Effect::PutClaim(Box::new(claim))]);
    };
    let Some(seen) = content_hash(&file.weave.view()) else {
        return Ok(vec![Effect::PutClaim(Box::new(claim))]);
    };
    let last = file.weave.revisions().last().cloned();
    if let Some(last) = last
        && (now.wall.0.saturating_sub(last.time.0) <= LATE_MS || last.time.0.abs_diff(time.0) <= LATE_MS.unsigned_abs())
        && let Some((author, evidence)) = late_word(&claim, seen, last.evidence, look(active_runs(view, now))?)
        && let Some(standing) = look(standing_of_newest(view, &file))?
    {
        let runs = look(active_runs(view, now))?;
        let held = is_held(&author, runs);
        let event = Event {
            actor: Actor::Host,
            kind: "file.attributed",
            subject: Topic::File(path),
            about: super::seen::about(&author),
            data: Data::map([
                ("author", super::seen::author_name(&author).into()),
                ("evidence", evidence.name().into()),
                ("instead", super::seen::author_name(&last.author).into()),
            ]),
        };
        let mut effects = vec![Effect::Record(event)];
        let one_write = super::seen::begun_before(&file.weave, (&author, evidence), runs);
        match (standing, one_write) {
            (_, Some(step)) => {
                effects.extend(super::seen::made_anew(view, file, (step, last.time), (author, evidence), now)?);
            }
            (Newest::Open, None) => {
                file.weave.reattribute(last.no, author.clone(), evidence, held);
                effects.extend(super::seen::touched(&file.weave, last.no, &author));
                effects.push(Effect::PutFile(Box::new(file)));
            }
            (Newest::Settled, None) => {
                let step = last.step.saturating_sub(1);
                effects.extend(super::seen::made_anew(view, file, (step, last.time), (author, evidence), now)?);
            }
        }
        effects.extend(saved_over(view, &claim)?);
        return Ok(effects);
    }
    // What is there already says nothing about what comes next.
    match &claim.word {
        Word::Saved { text, .. } if is_written(text, seen) => saved_over(view, &claim),
        Word::Writes { hash: Some(hash), .. } if *hash == seen => Ok(Vec::new()),
        Word::Saved { .. } | Word::Writes { .. } => Ok(vec![Effect::PutClaim(Box::new(claim))]),
    }
}
