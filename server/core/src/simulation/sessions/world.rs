//! The world of a made-up session: the disk, the editor, git and the clock, and the host that looks, decides, writes and
//! now and then dies. Whoever acts here does as the real ones do; nothing here knows a rule of review.

use std::collections::{BTreeMap, BTreeSet};

use super::super::random::Random;
use super::super::{Disk, Memory};
use super::check;
use super::fates::{Fates, Sight};
use super::summary::SessionSummary;
use super::text::{Words, nothing_at, persons, shown, text_of};
use crate::attribution::{Claim, FromVcs, Word};
use crate::file::{Body, FilePath, FileState};
use crate::id::RunId;
use crate::refusal::Refusal;
use crate::review::{Cause, FileWrite, Outcome, SeenFile, VcsMoved, WrittenFile};
use crate::time::{Boot, Now, Steady, Wall};
use crate::turn::{Answer, Effect, Input, Turn, decide};
use crate::view::View;

/// What a step came to: a broken promise ends the session.
pub(super) type Step<T = ()> = Result<T, String>;

/// Text in an editor that is not saved.
#[derive(Debug, Clone)]
pub(super) struct Buffer {
    /// What was on disk when it was opened.
    pub(super) opened: FileState,
    pub(super) text: Vec<u8>,
}

pub(super) struct World {
    pub(super) memory: Memory,
    pub(super) disk: Disk,
    /// What the host has seen of the disk, or written itself.
    pub(super) known: Disk,
    pub(super) random: Random,
    pub(super) words: Words,
    pub(super) wall: i64,
    /// What each branch holds, and which one is checked out.
    pub(super) branches: BTreeMap<String, Disk>,
    pub(super) head: String,
    /// What git did since the host last looked, and the files it wrote.
    pub(super) git: Option<VcsMoved>,
    pub(super) from_git: BTreeMap<FilePath, FileState>,
    /// Moves of files since the host last looked, by where they went.
    pub(super) moves: BTreeMap<FilePath, FilePath>,
    pub(super) buffers: BTreeMap<FilePath, Buffer>,
    /// Contents that a file has had.
    pub(super) earlier: BTreeMap<FilePath, Vec<FileState>>,
    /// Runs at work.
    pub(super) runs: Vec<RunId>,
    /// Words that the editor has not told yet.
    pub(super) untold: Vec<Input>,
    pub(super) fates: Fates,
    pub(super) script: Vec<String>,
    pub(super) summary: SessionSummary,
}

impl World {
    pub(super) fn now(&self) -> Now {
        Now { wall: Wall(self.wall), steady: Steady(self.wall), boot: Boot("boot".to_owned()) }
    }

    pub(super) fn say(&mut self, line: impl Into<String>) {
        self.script.push(line.into());
    }

    /// Somebody changes a file on disk, and the host does not know yet.
    pub(super) fn put(&mut self, state: &FileState) {
        let was = self.disk.at(&state.path);
        if was.body != Body::Absent {
            self.earlier.entry(state.path.clone()).or_default().push(was);
        }
        self.disk.put(state);
    }

    /// One turn of the host, all of it: what was decided is kept, files are written, and what came of that is told.
    pub(super) fn turn(&mut self, input: &Input) -> Step<Result<Answer, Refusal>> {
        let now = self.now();
        let turn = decide(&self.memory, input, &now).unwrap_or_else(|never| match never {});
        check::turn(&self.memory, input, &turn)?;
        self.memory.apply(&turn, &now);
        self.summary.count(&turn.verdict);
        let writes = writes(&turn);
        if !writes.is_empty() {
            self.carry_out(&writes)?;
        }
        Ok(turn.verdict)
    }

    fn carry_out(&mut self, writes: &[FileWrite]) -> Step {
        if self.random.chance(12) {
            return self.die(writes);
        }
        if self.random.chance(12) {
            self.overtake(&writes[0].before.path)?;
        }
        let outcomes: Vec<(FileWrite, Outcome)> =
            writes.iter().map(|write| (write.clone(), self.write(write))).collect();
        self.tell(&outcomes, false)
    }

    fn write(&mut self, write: &FileWrite) -> Outcome {
        if let Some(buffer) = self.buffers.get_mut(&write.before.path) {
            // The editor is asked to change its text; what the person typed stays in it.
            if write.before.path == write.after.path && write.after.body != Body::Absent {
                buffer.text = retyped(&write.before, &write.after, &buffer.text);
                return Outcome::InEditor;
            }
            return Outcome::NotWritten { reason: "it is open with unsaved text".to_owned() };
        }
        let outcome = self.disk.carry_out(write);
        if outcome == Outcome::Written {
            self.wrote(write);
        }
        outcome
    }

    fn wrote(&mut self, write: &FileWrite) {
        self.known.put(&nothing_at(&write.before.path));
        self.known.put(&write.after);
        // Whatever was moved there or away from there is no longer the same file.
        self.moves
            .retain(|to, from| ![from, to].iter().any(|at| **at == write.before.path || **at == write.after.path));
    }

    fn tell(&mut self, outcomes: &[(FileWrite, Outcome)], after_crash: bool) -> Step {
        let decisions: BTreeSet<_> = outcomes.iter().map(|(write, _)| write.decision).collect();
        for decision in decisions {
            let files: Vec<WrittenFile> = outcomes
                .iter()
                .filter(|(write, _)| write.decision == decision)
                .map(|(write, outcome)| WrittenFile { file: write.file, outcome: outcome.clone() })
                .collect();
            for (write, outcome) in outcomes.iter().filter(|(write, _)| write.decision == decision) {
                self.script.push(format!("      writes {}: {outcome:?}", shown(&write.after)));
            }
            self.summary.writes(&files);
            let _answer = self.turn(&Input::FilesWritten { decision, files, after_crash })?;
        }
        Ok(())
    }

    /// The host dies while it writes; others go on; the next host finishes or gives up each file, and looks at what
    /// happened meanwhile.
    fn die(&mut self, writes: &[FileWrite]) -> Step {
        self.summary.crashes += 1;
        let done = self.random.below(writes.len() + 1);
        self.say(format!("      the host dies after {done} of {} files", writes.len()));
        for write in &writes[..done] {
            if !self.buffers.contains_key(&write.before.path) {
                self.disk.carry_out(write);
            }
        }
        if let Some(write) = writes.get(done)
            && write.before.path != write.after.path
            && self.random.chance(50)
        {
            self.disk.carry_out_half(write);
        }
        if self.random.chance(30) {
            self.overtake(&writes[0].after.path)?;
        }
        let under_way: Vec<FileWrite> = self.memory.files().writing().cloned().collect();
        let mut outcomes = Vec::new();
        for write in under_way {
            let outcome = self.disk.finish(&write);
            if outcome == Outcome::Written {
                self.wrote(&write);
            }
            outcomes.push((write, outcome));
        }
        self.tell(&outcomes, true)?;
        self.look_at(&Cause::Gap, |_, _| true)
    }

    /// Somebody writes to a file that the host is about to write.
    fn overtake(&mut self, path: &FilePath) -> Step {
        self.summary.overtaken += 1;
        if self.random.chance(50) || self.runs.is_empty() { self.person_edits(path) } else { self.agent_edits(path) }
    }

    /// The host looks at what differs from what it knows, at times not at all of it.
    pub(super) fn look(&mut self, cause: &Cause) -> Step {
        if self.random.chance(12) {
            let seed = self.random.number();
            return self.look_at(cause, |_, place| (seed >> (place % 60)) & 1 == 0);
        }
        self.look_at(cause, |_, _| true)
    }

    /// Looks until nothing is left to be seen.
    pub(super) fn settle(&mut self) -> Step {
        for _ in 0..6 {
            if self.disk == self.known && self.git.is_none() {
                return check::settled(self);
            }
            self.look_at(&Cause::Rescan("to be sure".to_owned()), |_, _| true)?;
        }
        Err("looking again and again never ends".to_owned())
    }

    pub(super) fn look_at(&mut self, cause: &Cause, sees: impl Fn(&FilePath, usize) -> bool) -> Step {
        let mut files: Vec<SeenFile> = Vec::new();
        for (place, path) in self.differing().into_iter().enumerate() {
            if !sees(&path, place) {
                continue;
            }
            let now = self.disk.at(&path);
            // The place that a file was moved away from is not told by itself.
            let left = |(to, from): (&FilePath, &FilePath)| *from == path && self.was_moved(to);
            if self.moves.iter().any(left) {
                continue;
            }
            let renamed_from = self.moves.get(&path).filter(|_| self.was_moved(&path)).cloned();
            let before = self.known.at(renamed_from.as_ref().unwrap_or(&path));
            let is_woven = self.memory.file_at(&path).unwrap_or_else(|never| match never {}).is_some();
            let before = if is_woven && renamed_from.is_none() { None } else { Some(before) };
            let is_from_git = self.from_git.get(&path) == Some(&now) && renamed_from.is_none();
            let from_vcs = if is_from_git { FromVcs::Yes } else { FromVcs::No };
            let unsaved = self.buffers.contains_key(&path);
            files.push(SeenFile { now, before, from_vcs, renamed_from, unsaved, discards: is_from_git });
        }
        let vcs = self.git.take();
        if files.is_empty() && vcs.is_none() {
            return Ok(());
        }
        let told: Vec<(BTreeSet<String>, Vec<Claim>)> =
            files.iter().map(|file| (self.expected_at(&file.now.path), self.fresh_saves(&file.now.path))).collect();
        for file in &files {
            self.known.put(&file.now);
            if let Some(from) = &file.renamed_from {
                self.known.put(&nothing_at(from));
                self.moves.remove(&file.now.path);
            }
            self.from_git.remove(&file.now.path);
            let marks = [(file.from_vcs == FromVcs::Yes, " by git"), (file.unsaved, " unsaved")];
            let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
            let from = file.renamed_from.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
            self.script.push(format!("   host sees {}{from}{marks}", shown(&file.now)));
        }
        self.summary.looks += 1;
        let input = Input::FilesSeen { files, cause: cause.clone(), vcs };
        self.summary.say_cause(cause);
        let _answer = self.turn(&input)?;
        let Input::FilesSeen { files, .. } = &input else { return Ok(()) };
        let sights = files.iter().zip(told).map(|(seen, (was, saves))| Sight { seen, was, saves });
        self.fates.seen(&self.memory, &sights.collect::<Vec<_>>())
    }

    /// The person's lines that the host takes to be in a file: on disk, or in an editor that is to save it.
    fn expected_at(&self, path: &FilePath) -> BTreeSet<String> {
        let mut expected = persons(&self.known.at(path));
        let at = self.memory.file_at(path).unwrap_or_else(|never| match never {});
        expected.extend(at.filter(|file| file.awaits_save).iter().flat_map(|file| persons(&file.weave.view())));
        expected
    }

    /// Saves by hand that were told, and not so long ago that they count no more.
    fn fresh_saves(&self, path: &FilePath) -> Vec<Claim> {
        let fresh = |claim: &Claim| self.wall - claim.time.0 <= crate::attribution::CLAIM_MS;
        let claims = self.memory.files().waiting().values().filter(|claim| claim.path == *path && fresh(claim));
        claims.filter(|claim| matches!(claim.word, Word::Saved { .. })).cloned().collect()
    }

    fn differing(&self) -> Vec<FilePath> {
        let paths: BTreeSet<FilePath> =
            self.disk.files().chain(self.known.files()).map(|file| file.path.clone()).collect();
        paths.into_iter().filter(|path| self.disk.at(path) != self.known.at(path)).collect()
    }

    /// Whether the file that came to this path is still there, and nothing took the place it left.
    fn was_moved(&self, to: &FilePath) -> bool {
        self.moves.get(to).is_some_and(|from| {
            self.disk.at(from).body == Body::Absent
                && self.known.at(from).body != Body::Absent
                && self.known.at(to).body == Body::Absent
                && self.disk.at(to).body != Body::Absent
        })
    }
}

fn writes(turn: &Turn) -> Vec<FileWrite> {
    let write = |effect: &Effect| match effect {
        Effect::WriteFile(write) => Some((**write).clone()),
        Effect::Record(_)
        | Effect::PutTask(_)
        | Effect::RemoveTask(_)
        | Effect::FreeDependents(_)
        | Effect::BeginRun { .. }
        | Effect::PutRun(_)
        | Effect::PutReport { .. }
        | Effect::PutQuestion(_)
        | Effect::PutHandOff(_)
        | Effect::PutHandOffText { .. }
        | Effect::AllowAgent { .. }
        | Effect::EndProcess(_)
        | Effect::TellAgent { .. }
        | Effect::StartHandOff { .. }
        | Effect::WriteSetting(_)
        | Effect::PutFile(_)
        | Effect::PutDecision(_)
        | Effect::ForgetDecision(_)
        | Effect::DropContent(_)
        | Effect::KeepApproval(_)
        | Effect::PutClaim(_)
        | Effect::DropClaim(_)
        | Effect::SettleWrite { .. }
        | Effect::PutSession(_)
        | Effect::TellSession(_)
        | Effect::PutFlag(_)
        | Effect::NoteTouched { .. }
        | Effect::WriteDocuments(_)
        | Effect::PutClosing(_)
        | Effect::PutPrompt(_)
        | Effect::SettleFiles(_)
        | Effect::LoosenFiles(_)
        | Effect::CloseStep(_)
        | Effect::SealArchive(_)
        | Effect::PutAcknowledged(_)
        | Effect::PutAllowed(_)
        | Effect::DropAllowed(_) => None,
    };
    turn.effects.iter().filter_map(write).collect()
}

/// The text in an editor after a change of the file was applied to it: what was typed is kept at the end.
fn retyped(before: &FileState, after: &FileState, text: &[u8]) -> Vec<u8> {
    let lines =
        |text: &[u8]| -> Vec<Vec<u8>> { text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect() };
    let known = lines(text_of(before));
    let mut result = text_of(after).to_vec();
    if !result.is_empty() && !result.ends_with(b"\n") {
        result.push(b'\n');
    }
    result.extend(lines(text).into_iter().filter(|line| !known.contains(line)).flatten());
    result
}
