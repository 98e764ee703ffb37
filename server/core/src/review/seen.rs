//! A file was seen to have changed. The content is the truth: what differs from what is known becomes a revision with an
//! author and the evidence for it. A run's revision waits for a decision; a person's own needs none.

mod deciding;
mod half_written;
mod returning;

use deciding::after_vcs;
pub(super) use half_written::begun_before;

use super::findings;
use super::{FileNumber, TrackedFile};
use crate::actor::Actor;
use crate::attribution::{
    AFTERMATH_MS, ActiveRuns, Author, Claim, Evidence, Facts, Finding, FromVcs, SavedBefore, Word, attribute,
};
use crate::file::{Body, ContentHash, FilePath, FileState};
use crate::ledger::{Data, Event, Topic};
use crate::queue::look;
use crate::session::{self, Judged, Touch};
use crate::time::{Now, Wall};
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::{DecisionNo, Hunk, NewRevision, RevisionNo, Weave};
use crate::written_text::WrittenAs;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenFile {
    pub now: FileState,
    /// What was there before, for a file that is not tracked yet; `None` where nobody knows.
    pub before: Option<FileState>,
    pub from_vcs: FromVcs,
    pub renamed_from: Option<FilePath>,
    /// An editor has it open with text that is not saved.
    pub unsaved: bool,
    /// What was there before is kept by no commit and no stash: it was on disk alone.
    pub discards: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    Live,
    /// Found by looking again, since something may have been missed; the reason in words.
    Rescan(String),
    /// It happened while nobody watched.
    Gap,
}

/// HEAD or the index has moved.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VcsMoved {
    pub from_branch: Option<String>,
    pub from_commit: Option<String>,
    pub to_branch: Option<String>,
    pub to_commit: Option<String>,
    /// How many files it changed that nothing is known of but their base.
    pub quiet: u64,
    /// Tracked files whose content is now what the newest commit holds.
    pub committed: Vec<FilePath>,
}

impl VcsMoved {
    fn switched(&self) -> Option<(&str, &str)> {
        match (&self.from_branch, &self.to_branch) {
            (Some(from), Some(to)) if from != to => Some((from, to)),
            (Some(_) | None, Some(_) | None) => None,
        }
    }
}

pub(crate) fn seen<V: View>(
    view: &V,
    files: &[SeenFile],
    cause: &Cause,
    vcs: Option<&VcsMoved>,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut looking = Looking {
        runs: look(active_runs(view, now))?,
        next_file: look(view.next_file())?,
        next_decision: look(view.next_decision())?.0,
        next_flag: look(view.next_flag())?,
        view,
        cause,
        vcs,
        now,
        effects: Vec::new(),
    };
    if let Some(vcs) = vcs {
        looking.effects.push(Effect::Record(vcs_event(vcs, files.len())));
    }
    if let Cause::Rescan(why) = cause {
        let data = Data::map([("why", why.as_str().into()), ("files", count(files.len()))]);
        looking.effects.push(Effect::Record(host_event("watch.rescanned", Topic::Workspace, Vec::new(), data)));
    }
    let mut given_up = None;
    for file in files {
        if file.now.body == Body::Absent && look(view.file_at(&file.now.path))?.is_none() {
            let given_up = match &mut given_up {
                Some(names) => names,
                unasked => unasked.insert(looking.given_up(files)?),
            };
            if given_up.contains(&file.now.path) {
                continue;
            }
        }
        looking.file(file)?;
    }
    if let (Some(vcs), ActiveRuns::None) = (vcs, looking.runs) {
        for path in &vcs.committed {
            looking.committed(path, vcs)?;
        }
    }
    Ok(Turn::done(Answer::Noted, looking.effects))
}

/// All after a step again as one revision of somebody else's: what it settled and what it implies depends on whose it is.
pub(super) fn made_anew<V: View>(
    view: &V,
    mut file: TrackedFile,
    (step, time): (u32, Wall),
    (author, evidence): (Author, Evidence),
    now: &Now,
) -> Result<Vec<Effect>, Stop<V::Error>> {
    let mut looking = Looking {
        runs: look(active_runs(view, now))?,
        next_file: look(view.next_file())?,
        next_decision: look(view.next_decision())?.0,
        next_flag: look(view.next_flag())?,
        view,
        cause: &Cause::Live,
        vcs: None,
        now,
        effects: Vec::new(),
    };
    let state = file.weave.view();
    file.weave.rewind(step);
    let held = is_held(&author, looking.runs);
    let by = NewRevision { author: author.clone(), evidence, time, held };
    if let Some(no) = file.weave.revise(&state, by) {
        file.weave.settle_what_came_to_nothing(no, time);
        looking.implied(&mut file, no, &Finding { author: author.clone(), evidence, claim: None, saved_before: None });
        looking.effects.extend(touched(&file.weave, no, &author));
    }
    looking.effects.push(Effect::PutFile(Box::new(file)));
    Ok(looking.effects)
}

/// Whether a revision waits for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    ByAuthor,
    Always,
}

struct Looking<'a, V: View> {
    view: &'a V,
    cause: &'a Cause,
    vcs: Option<&'a VcsMoved>,
    now: &'a Now,
    runs: ActiveRuns,
    next_file: u64,
    next_decision: u64,
    next_flag: u64,
    effects: Vec<Effect>,
}

impl<V: View> Looking<'_, V> {
    /// The names that decisions have taken from files by renaming them. A process that ended before it could tell the eyes
    /// has left them to be found together with the new ones; nobody has deleted anything there.
    fn given_up(&self, files: &[SeenFile]) -> Result<Vec<FilePath>, Stop<V::Error>> {
        let mut names = Vec::new();
        for seen in files.iter().filter(|seen| seen.now.body != Body::Absent) {
            let file = look(self.view.file_at(&seen.now.path))?.filter(|file| !file.weave.other_names().is_empty());
            if let Some(file) = file.filter(|file| file.weave.view() == seen.now) {
                names.extend(file.weave.other_names().into_iter().cloned());
            }
        }
        Ok(names)
    }

    fn file(&mut self, seen: &SeenFile) -> Result<(), Stop<V::Error>> {
        if let Some(from) = &seen.renamed_from
            && look(self.view.file_at(&seen.now.path))?.is_some()
        {
            self.left(seen, from)?;
        }
        let Some(mut file) = self.tracked(seen)? else { return Ok(()) };
        if file.weave.view() == seen.now {
            if file.awaits_save {
                file.awaits_save = false;
                self.effects.push(Effect::PutFile(Box::new(file)));
            }
            return Ok(());
        }
        let claims = look(self.view.claims(&seen.now.path))?;
        let finding = attribute(&Facts {
            hash: content_hash(&seen.now),
            written_as: written_as(&file.weave.view(), &seen.now),
            from_vcs: seen.from_vcs,
            was_before: seen.from_vcs == FromVcs::Perhaps && file.weave.was(&seen.now),
            unwatched: *self.cause == Cause::Gap,
            unsaved: seen.unsaved,
            claims: &claims,
            runs: self.runs,
            now: self.now.wall,
        });
        if let Some(before) = &finding.saved_before {
            self.saved_before(&mut file, seen, before);
        }
        let used = finding.claim.into_iter().chain(finding.saved_before.as_ref().map(|before| before.claim));
        self.effects.extend(used_up(&claims, &used.collect::<Vec<_>>()).map(Effect::DropClaim));
        file.awaits_save = false;
        if file.weave.is_heavy() && file.weave.is_settled() {
            // Only what no decision could bring back goes.
            file.weave.compact(Some(DecisionNo(0)));
        }
        if self.came_back(&mut file, &seen.now, &finding)? {
            self.effects.push(Effect::PutFile(Box::new(file)));
            return Ok(());
        }
        if finding.author == Author::Vcs {
            self.bring(&mut file, &seen.now)?;
        }
        look(self.finish_half_written(&mut file, &seen.now, &finding))?;
        let judged = look(self.judged(&file, seen, &finding.author))?;
        let was_there = file.weave.view().body != Body::Absent;
        let held = if judged.is_flagged { Held::Always } else { self.held(&file, seen, &finding) };
        let Some(no) = self.revise(&mut file, &seen.now, &finding.author, finding.evidence, held) else {
            self.effects.push(Effect::PutFile(Box::new(file)));
            return Ok(());
        };
        file.weave.settle_what_came_to_nothing(no, self.now.wall);
        self.implied(&mut file, no, &finding);
        self.told(&file, &finding.author, no, was_there)?;
        self.policy(file, &finding.author, judged)
    }

    /// What the session says of a change: at the place where the file is, and at the one that it was moved away from.
    fn judged(&self, file: &TrackedFile, seen: &SeenFile, author: &Author) -> Result<Judged, V::Error> {
        let judge = |path: &FilePath| session::judge(self.view, author, path, self.next_flag, self.now);
        let mut judged = judge(&seen.now.path)?;
        if let Some(from) = seen.renamed_from.as_ref().filter(|_| !judged.is_flagged) {
            judged = judge(from)?;
        }
        // What was flagged elsewhere goes on waiting, whatever becomes of the file since.
        if !judged.is_flagged && !file.weave.other_names().is_empty() {
            judged.is_flagged = !session::waiting_at(self.view, &file.weave)?.is_empty();
        }
        Ok(judged)
    }

    /// What the reports and the scan make of a change.
    fn told(
        &mut self,
        file: &TrackedFile,
        author: &Author,
        no: RevisionNo,
        was_there: bool,
    ) -> Result<(), Stop<V::Error>> {
        let path = file.path().clone();
        if let Author::Run(run) = author {
            let touch = match (was_there, file.weave.view().body == Body::Absent) {
                (_, true) => Touch::Deleted,
                (false, false) => Touch::Created,
                (true, false) => Touch::Changed,
            };
            self.effects.push(Effect::NoteTouched { task: run.task, path, touch });
        }
        match author {
            Author::Run(_) | Author::Unknown => {}
            Author::Person { .. } | Author::Vcs => return Ok(()),
        }
        let fresh: Vec<Hunk> = file.weave.hunks().into_iter().filter(|hunk| hunk.revisions.1 == no).collect();
        self.effects.extend(look(findings::records(self.view, &file.weave, &fresh))?);
        Ok(())
    }

    /// The file's story so far; begun here if there is none. A checkout of another branch parks what waits on the old
    /// one and brings back what waits on the new one.
    fn tracked(&mut self, seen: &SeenFile) -> Result<Option<TrackedFile>, Stop<V::Error>> {
        let at_path = look(self.view.file_at(&seen.now.path))?;
        let found = match (&seen.renamed_from, at_path) {
            (_, Some(file)) => Some(file),
            (Some(from), None) => look(self.view.file_at(from))?,
            (None, None) => None,
        };
        if let Some((from, to)) = self.vcs.and_then(VcsMoved::switched).filter(|_| seen.from_vcs == FromVcs::Yes) {
            return self.switched(seen, found, from, to).map(Some);
        }
        Ok(Some(match found {
            Some(file) => file,
            None => match &seen.before {
                Some(before) => {
                    let mut base = before.clone();
                    if let Some(from) = &seen.renamed_from {
                        base.path = from.clone();
                    }
                    self.begun(&base)
                }
                None => {
                    let path = seen.now.path.clone();
                    let data = Data::map([("baseKnown", false.into())]);
                    self.effects.push(Effect::Record(host_event("file.found", Topic::File(path), Vec::new(), data)));
                    let file = self.begun(&seen.now);
                    self.effects.push(Effect::PutFile(Box::new(file)));
                    return Ok(None);
                }
            },
        }))
    }

    /// A file moved to a path that has a story of its own, which goes on with it. The story of the place it left ends.
    fn left(&mut self, seen: &SeenFile, from: &FilePath) -> Result<(), Stop<V::Error>> {
        let before = seen.before.as_ref().map(|before| FileState { path: from.clone(), ..before.clone() });
        let now = FileState { path: from.clone(), body: Body::Absent, mode: 0 };
        self.file(&SeenFile {
            now,
            before,
            from_vcs: seen.from_vcs,
            renamed_from: None,
            unsaved: false,
            discards: seen.discards,
        })
    }

    fn begun(&mut self, base: &FileState) -> TrackedFile {
        let number = FileNumber(self.next_file);
        self.next_file += 1;
        TrackedFile { number, weave: Weave::new(base), awaits_save: false, parked: None }
    }

    /// What an editor saved and somebody else overwrote before we looked: a revision of its own.
    fn saved_before(&mut self, file: &mut TrackedFile, seen: &SeenFile, saved: &SavedBefore) {
        let mode = match file.weave.view().mode {
            0 => seen.now.mode,
            mode => mode,
        };
        let state = FileState {
            path: file.path().clone(),
            body: crate::weave::body_of(saved.text.clone()),
            mode: if mode == 0 { 0o644 } else { mode },
        };
        self.revise(file, &state, &saved.author, saved.evidence, Held::ByAuthor);
    }

    fn revise(
        &mut self,
        file: &mut TrackedFile,
        to: &FileState,
        author: &Author,
        evidence: Evidence,
        held: Held,
    ) -> Option<RevisionNo> {
        let held = held == Held::Always || is_held(author, self.runs);
        let was = file.weave.view();
        let from = Some(was.path).filter(|from| *from != to.path);
        let what = match (&was.body, &to.body) {
            (Body::Absent, _) => Some("created"),
            (_, Body::Absent) => Some("deleted"),
            (_, _) => None,
        };
        let no = file.weave.revise(to, NewRevision { author: author.clone(), evidence, time: self.now.wall, held })?;
        let (added, removed) = file.weave.size_of(no);
        let hash = content_hash(to).map(|hash| hash.to_string()[..16].to_owned());
        let data = Data::map([
            ("author", author_name(author).into()),
            ("evidence", evidence.name().into()),
            ("added", added.into()),
            ("removed", removed.into()),
            ("hash", hash.into()),
            ("held", held.into()),
            ("step", file.weave.revision(no).map(|revision| revision.step).into()),
            ("what", what.into()),
            ("from", from.as_ref().map(FilePath::to_text).into()),
        ]);
        // Whoever asks for the file under its old name is told where it went.
        let about = about(author).into_iter().chain(from.map(Topic::File)).collect();
        let subject = Topic::File(to.path.clone());
        self.effects.push(Effect::Record(host_event("file.changed", subject, about, data)));
        Some(no)
    }

    /// While somebody is at work, nobody can say who told version control to throw away what only the disk had. Then it
    /// waits for a decision, unless it is no more than what waits already.
    fn held(&self, file: &TrackedFile, seen: &SeenFile, finding: &Finding) -> Held {
        if finding.author != Author::Vcs || !seen.discards || self.runs == ActiveRuns::None {
            return Held::ByAuthor;
        }
        match after_vcs(&file.weave, &seen.now, self.now.wall) {
            (weave, Some(no)) if weave.takes_away(no) => Held::Always,
            (_, Some(_) | None) => Held::ByAuthor,
        }
    }
}

/// The words that have had their say: those that were used, and every save before one of them, since what was saved then was
/// saved over.
pub(super) fn used_up<'a>(claims: &'a [Claim], used: &[u64]) -> impl Iterator<Item = u64> + 'a {
    let is_save = |claim: &&Claim| matches!(claim.word, Word::Saved { .. });
    let newest = claims.iter().filter(is_save).map(|claim| claim.number).filter(|number| used.contains(number)).max();
    let used = used.to_vec();
    let is_done = move |claim: &&Claim| {
        used.contains(&claim.number) || (is_save(claim) && newest.is_some_and(|newest| claim.number <= newest))
    };
    claims.iter().filter(is_done).map(|claim| claim.number)
}

/// A run's change waits for a decision, and so does one that nobody is known to have made while a run was at work.
pub(super) fn is_held(author: &Author, runs: ActiveRuns) -> bool {
    match author {
        Author::Run(_) => true,
        Author::Unknown => runs != ActiveRuns::None,
        Author::Person { .. } | Author::Vcs => false,
    }
}

pub(super) fn active_runs<V: View>(view: &V, now: &Now) -> Result<ActiveRuns, V::Error> {
    Ok(match view.active_runs(2)?[..] {
        [] if view.has_run_since(Wall(now.wall.0.saturating_sub(AFTERMATH_MS)))? => ActiveRuns::JustEnded,
        [] => ActiveRuns::None,
        [one] => ActiveRuns::One(one),
        _ => ActiveRuns::Several,
    })
}

pub(super) fn author_name(author: &Author) -> String {
    match author {
        Author::Person { name } => format!("person:{name}"),
        Author::Run(run) => format!("run:{run}"),
        Author::Vcs => "vcs".to_owned(),
        Author::Unknown => "unknown".to_owned(),
    }
}

/// What the reports tell of a revision that turned out to be a run's.
pub(super) fn touched(weave: &Weave, no: RevisionNo, author: &Author) -> Option<Effect> {
    let Author::Run(run) = author else { return None };
    let step = weave.revision(no)?.step;
    let is_there = |step: u32| weave.at(step).is_none_or(|state| state.body != Body::Absent);
    let touch = match (is_there(step.saturating_sub(1)), is_there(step)) {
        (_, false) => Touch::Deleted,
        (false, true) => Touch::Created,
        (true, true) => Touch::Changed,
    };
    Some(Effect::NoteTouched { task: run.task, path: weave.path().clone(), touch })
}

pub(super) fn about(author: &Author) -> Vec<Topic> {
    match author {
        Author::Run(run) => vec![Topic::Task(run.task), Topic::Run(*run)],
        Author::Person { .. } | Author::Vcs | Author::Unknown => Vec::new(),
    }
}

/// The hash of a file's content, where it has any that is kept.
pub(super) fn content_hash(state: &FileState) -> Option<ContentHash> {
    match &state.body {
        Body::Text(text) => Some(ContentHash::of(text)),
        Body::Whole { hash, .. } => Some(*hash),
        Body::Absent | Body::Link(_) | Body::Large { .. } | Body::Special => None,
    }
}

/// How an editor would write a text between these two: as it found the file, if that was text.
fn written_as(before: &FileState, now: &FileState) -> WrittenAs {
    let of = |state: &FileState| match &state.body {
        Body::Text(text) => Some(WrittenAs::of(text)),
        Body::Whole { .. } | Body::Large { .. } | Body::Absent | Body::Link(_) | Body::Special => None,
    };
    of(before).or_else(|| of(now)).unwrap_or(WrittenAs::Plain)
}

fn count(number: usize) -> Data {
    u64::try_from(number).unwrap_or(u64::MAX).into()
}

fn host_event(kind: &'static str, subject: Topic, about: Vec<Topic>, data: Data) -> Event {
    Event { actor: Actor::Host, kind, subject, about, data }
}

fn vcs_event(vcs: &VcsMoved, files: usize) -> Event {
    let quiet = usize::try_from(vcs.quiet).unwrap_or(usize::MAX);
    let data = Data::map([
        ("fromBranch", vcs.from_branch.clone().into()),
        ("from", vcs.from_commit.clone().into()),
        ("toBranch", vcs.to_branch.clone().into()),
        ("to", vcs.to_commit.clone().into()),
        ("files", count(files.saturating_add(quiet))),
    ]);
    host_event("vcs.moved", Topic::Workspace, Vec::new(), data)
}
