//! A file was seen to have changed. The content is the truth: what differs from what is known becomes a revision with an
//! author and the evidence for it. A run's revision waits for a decision; a person's own needs none.

mod returning;

use std::collections::HashMap;

use super::decide::{Carrying, about_runs, run_of};
use super::findings;
use super::policy::Treatment;
use super::{Decision, DecisionFile, DecisionKind, FileNumber, TrackedFile};
use crate::actor::Actor;
use crate::attribution::{
    AFTERMATH_MS, ActiveRuns, Author, Claim, Evidence, Facts, Finding, FromVcs, SavedBefore, Word, attribute,
};
use crate::diff::split_lines;
use crate::file::{Body, ContentHash, FilePath, FileState};
use crate::ledger::{Data, Event, Topic};
use crate::queue::look;
use crate::session::{self, Judged, Touch};
use crate::time::{Now, Wall};
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::{DecisionNo, Hunk, NewRevision, RevisionNo, Standing, Weave};
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

/// Whether a revision waits for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    ByAuthor,
    Always,
}

/// How long after its beginning a write may be seen to go on.
const HALF_WRITTEN_MS: i64 = 2_000;

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
        self.finish_half_written(&mut file, &seen.now, &finding);
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

    /// A file is often emptied and then written. If that was seen in between, it was one write and not two.
    fn finish_half_written(&mut self, file: &mut TrackedFile, now: &FileState, finding: &Finding) {
        let Some(last) = file.weave.newest_open() else { return };
        let age = self.now.wall.0.saturating_sub(last.time.0);
        let before = last.step.saturating_sub(1);
        let Some(first) = file.weave.at(before) else { return };
        let half = file.weave.view();
        // What only lost its end, and has all of it again or is known to be somebody's, was cut by whoever wrote it next,
        // whoever that was taken for.
        let is_told = holds_all(&first, now) || !finding.evidence.is_weak();
        let was_cut = last.evidence.is_weak() && is_beginning(&half, &first) && is_told;
        // What waits for a decision goes on waiting, unless somebody is known to have written it.
        let stays_held = !last.held || is_held(&finding.author, self.runs) || !finding.evidence.is_weak();
        let is_one = (last.author == finding.author || was_cut) && stays_held;
        let same_file = half.path == first.path && half.mode == first.mode;
        let is_recent = (0..=HALF_WRITTEN_MS).contains(&age);
        // Where nothing comes back, there may as well have been two writes, and a later word may speak for one of them.
        if is_recent && is_one && same_file && is_beginning(&half, now) && comes_back(&first, &half, now) {
            file.weave.rewind(before);
        }
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
        ]);
        self.effects.push(Effect::Record(host_event(
            "file.changed",
            Topic::File(to.path.clone()),
            about(author),
            data,
        )));
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

    /// A person or version control that takes pending lines back has decided about them, and so has whoever does while
    /// nobody is at work: what was taken back must not come back once more when it is rejected.
    fn implied(&mut self, file: &mut TrackedFile, no: RevisionNo, finding: &Finding) {
        match finding.author {
            Author::Person { .. } | Author::Vcs => {}
            Author::Unknown if self.runs == ActiveRuns::None => {}
            Author::Run(_) | Author::Unknown => return,
        }
        let Some((count, weave_decision)) = fold(&mut file.weave, no, self.now.wall) else { return };
        self.keep_implied(file, count, weave_decision, DecisionKind::Reject, author_name(&finding.author));
    }

    /// Somebody committed pending lines while no run was at work: that is a yes.
    fn committed(&mut self, path: &FilePath, vcs: &VcsMoved) -> Result<(), Stop<V::Error>> {
        // A file that this very turn has changed is known only to its effects.
        let changed = self.effects.iter().rev().find_map(|effect| {
            let Effect::PutFile(file) = effect else { return None };
            (file.path() == path && file.parked.is_none()).then(|| (**file).clone())
        });
        let file = match changed {
            Some(file) => Some(file),
            None => look(self.view.file_at(path))?,
        };
        let Some(mut file) = file else { return Ok(()) };
        let hunks = file.weave.hunks();
        let (state, policy) = (file.weave.view(), look(self.view.review_policy())?);
        // What always asks, and what two people must approve, is not approved by the way.
        if hunks.is_empty() || policy.is_control(&state) || policy.needs_second(&file.weave) {
            return Ok(());
        }
        if look(findings::stops(self.view, &file.weave, &hunks))? {
            return Ok(());
        }
        if !look(session::waiting_at(self.view, &file.weave))?.is_empty() {
            return Ok(());
        }
        let marks: Vec<_> = hunks.iter().flat_map(|hunk| hunk.marks.iter().copied()).collect();
        let weave_decision = file.weave.decide(&marks, Standing::Approved, self.now.wall);
        let by = format!("commit:{}", vcs.to_commit.as_deref().unwrap_or_default());
        self.keep_implied(
            &file,
            u32::try_from(hunks.len()).unwrap_or(u32::MAX),
            weave_decision,
            DecisionKind::Approve,
            by,
        );
        self.effects.push(Effect::PutFile(Box::new(file)));
        Ok(())
    }

    fn keep_implied(
        &mut self,
        file: &TrackedFile,
        count: u32,
        weave_decision: DecisionNo,
        kind: DecisionKind,
        by: String,
    ) {
        let id = super::DecisionId(self.next_decision);
        self.next_decision += 1;
        let verdict = if kind == DecisionKind::Approve { "approved" } else { "rejected" };
        let data = Data::map([("verdict", verdict.into()), ("hunks", count.into()), ("by", by.as_str().into())]);
        let runs = file.weave.authors_in(weave_decision).into_iter().filter_map(run_of).collect::<Vec<_>>();
        let mut about = vec![Topic::Decision(id)];
        about.extend(about_runs(&runs));
        self.effects.push(Effect::Record(host_event("review.implied", Topic::File(file.path().clone()), about, data)));
        self.effects.push(Effect::PutDecision(Box::new(Decision {
            id,
            kind,
            actor: by,
            time: self.now.wall,
            files: vec![DecisionFile {
                file: file.number,
                path: file.path().clone(),
                hunks: count,
                weave_decision,
                stands: true,
            }],
            undone_by: None,
        })));
    }

    /// Keeps the file, after what the person's policy decides about a run's hunks in it.
    fn policy(&mut self, file: TrackedFile, author: &Author, judged: Judged) -> Result<(), Stop<V::Error>> {
        let before = self.next_decision;
        let (is_flagged, rolls_back) = (judged.is_flagged, judged.rolls_back);
        self.by_policy(file, author, is_flagged, rolls_back)?;
        if let Some(flag) = judged.raised {
            self.next_flag += 1;
            // What could not be taken out waits like any other.
            self.effects.extend(session::raise(flag, rolls_back && self.next_decision > before));
        }
        Ok(())
    }

    fn by_policy(
        &mut self,
        file: TrackedFile,
        author: &Author,
        is_flagged: bool,
        rolls_back: bool,
    ) -> Result<(), Stop<V::Error>> {
        let Author::Run(run) = author else {
            self.effects.push(Effect::PutFile(Box::new(file)));
            return Ok(());
        };
        let policy = look(self.view.review_policy())?;
        let state = file.weave.view();
        let asked_elsewhere = file.weave.other_names().into_iter().any(|name| {
            let there = FileState { path: name.clone(), ..state.clone() };
            policy.is_control(&there)
        }) || policy.needs_second(&file.weave);
        let verdict = match policy.treatment(&state) {
            _ if rolls_back => Standing::Rejected,
            Treatment::Approve if is_flagged => {
                self.effects.push(Effect::PutFile(Box::new(file)));
                return Ok(());
            }
            // A file that was moved away from where it asks goes on asking.
            Treatment::Approve if asked_elsewhere => {
                self.effects.push(Effect::PutFile(Box::new(file)));
                return Ok(());
            }
            Treatment::Ask => {
                self.effects.push(Effect::PutFile(Box::new(file)));
                return Ok(());
            }
            Treatment::Approve => Standing::Approved,
            Treatment::Reject => Standing::Rejected,
        };
        let hunks: Vec<Hunk> = file.weave.hunks().into_iter().filter(|hunk| hunk.author == Author::Run(*run)).collect();
        // What is interwoven with somebody else's work is never taken out unasked.
        let entangled = verdict == Standing::Rejected && hunks.iter().any(|hunk| !hunk.entangled.is_empty());
        let found = verdict == Standing::Approved && look(findings::stops(self.view, &file.weave, &hunks))?;
        if hunks.is_empty() || entangled || found {
            self.effects.push(Effect::PutFile(Box::new(file)));
            return Ok(());
        }
        let id = super::DecisionId(self.next_decision);
        let mut carrying = Carrying::new(id, &Actor::Host, self.now);
        let kept = file.clone();
        match carrying.take(self.view, file, &hunks, verdict) {
            Ok(()) => {
                self.next_decision += 1;
                let kind = if verdict == Standing::Approved { DecisionKind::Approve } else { DecisionKind::Reject };
                self.effects.extend(carrying.turn(kind).effects);
                Ok(())
            }
            // What cannot be taken out by itself waits for a person.
            Err(Stop::Refused(_)) => {
                self.effects.push(Effect::PutFile(Box::new(kept)));
                Ok(())
            }
            Err(failed) => Err(failed),
        }
    }
}

/// Makes a rejection of what a revision took back without saying so, and tells how many hunks that were.
fn fold(weave: &mut Weave, no: RevisionNo, time: Wall) -> Option<(u32, DecisionNo)> {
    if let Some(restored) = weave.restores(no) {
        let count = weave.hunks().iter().filter(|hunk| restored.has(hunk)).count();
        return Some((u32::try_from(count).unwrap_or(u32::MAX), weave.fold_restored(&restored, time)));
    }
    let taken_back = weave.implied(no);
    if taken_back.is_empty() {
        return None;
    }
    Some((u32::try_from(taken_back.len()).unwrap_or(u32::MAX), weave.fold(no, &taken_back, time)))
}

/// The story as it would be once version control has put this there, and the revision that it would be.
fn after_vcs(weave: &Weave, to: &FileState, time: Wall) -> (Weave, Option<RevisionNo>) {
    let mut weave = weave.clone();
    let by = NewRevision { author: Author::Vcs, evidence: Evidence::VersionControl, time, held: false };
    let no = weave.revise(to, by);
    if let Some(no) = no {
        fold(&mut weave, no, time);
    }
    (weave, no)
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

/// Whether one text is how the other begins.
fn is_beginning(part: &FileState, whole: &FileState) -> bool {
    match (&part.body, &whole.body) {
        (Body::Text(part), Body::Text(whole)) => part.len() < whole.len() && whole.starts_with(part),
        (_, _) => false,
    }
}

/// Whether a line that one text had and the next had lost is there again.
fn comes_back(first: &FileState, half: &FileState, now: &FileState) -> bool {
    let (Body::Text(first), Body::Text(half), Body::Text(now)) = (&first.body, &half.body, &now.body) else {
        return false;
    };
    let mut counts: HashMap<&[u8], (i64, i64)> = HashMap::new();
    for (text, lost, found) in [(first, 1, 0), (half, -1, -1), (now, 0, 1)] {
        for line in split_lines(text) {
            let count = counts.entry(line).or_default();
            *count = (count.0 + lost, count.1 + found);
        }
    }
    counts.values().any(|(lost, found)| *lost > 0 && *found > 0)
}

/// Whether every line of one text is in the other, in order.
fn holds_all(lines: &FileState, whole: &FileState) -> bool {
    let (Body::Text(lines), Body::Text(whole)) = (&lines.body, &whole.body) else { return false };
    let mut rest = split_lines(whole).into_iter();
    split_lines(lines).into_iter().all(|line| rest.any(|other| other == line))
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
