//! What a change decides, or has decided, without anybody being asked: lines that are taken back, a commit, the person's policy.
//! What always asks, what the scan stops and what fell outside of a scope is never approved here.

use super::{Looking, author_name, host_event};
use crate::actor::Actor;
use crate::attribution::{ActiveRuns, Author, Evidence, Finding};
use crate::file::{FilePath, FileState};
use crate::ledger::{Data, Topic};
use crate::queue::look;
use crate::review::decide::{Carrying, Shares, about_runs, run_of};
use crate::review::policy::Treatment;
use crate::review::{Decision, DecisionFile, DecisionId, DecisionKind, TrackedFile, VcsMoved, findings};
use crate::session::{self, Judged};
use crate::time::Wall;
use crate::turn::{Effect, Stop};
use crate::view::View;
use crate::weave::{DecisionNo, Hunk, NewRevision, RevisionNo, Standing, Weave};

impl<V: View> Looking<'_, V> {
    /// A person or version control that takes pending lines back has decided about them, and so has whoever does while
    /// nobody is at work: what was taken back must not come back once more when it is rejected.
    pub(super) fn implied(&mut self, file: &mut TrackedFile, no: RevisionNo, finding: &Finding) {
        match finding.author {
            Author::Person { .. } | Author::Vcs => {}
            Author::Unknown if self.runs == ActiveRuns::None => {}
            Author::Run(_) | Author::Unknown => return,
        }
        let Some((count, weave_decision)) = fold(&mut file.weave, no, self.now.wall) else { return };
        let shares = Shares::default();
        self.keep_implied(file, count, &shares, weave_decision, DecisionKind::Reject, author_name(&finding.author));
    }

    /// Somebody committed pending lines while no run was at work: that is a yes.
    pub(super) fn committed(&mut self, path: &FilePath, vcs: &VcsMoved) -> Result<(), Stop<V::Error>> {
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
        let mut shares = Shares::default();
        shares.count(&hunks);
        self.keep_implied(
            &file,
            u32::try_from(hunks.len()).unwrap_or(u32::MAX),
            &shares,
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
        shares: &Shares,
        weave_decision: DecisionNo,
        kind: DecisionKind,
        by: String,
    ) {
        let id = DecisionId(self.next_decision);
        self.next_decision += 1;
        let verdict = if kind == DecisionKind::Approve { "approved" } else { "rejected" };
        let data = Data::map([
            ("verdict", verdict.into()),
            ("hunks", count.into()),
            ("runs", shares.data()),
            ("by", by.as_str().into()),
        ]);
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
    pub(super) fn policy(&mut self, file: TrackedFile, author: &Author, judged: Judged) -> Result<(), Stop<V::Error>> {
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
        // What is entangled with somebody else's work is never taken out unasked.
        let entangled = verdict == Standing::Rejected && hunks.iter().any(|hunk| !hunk.entangled.is_empty());
        let found = verdict == Standing::Approved && look(findings::stops(self.view, &file.weave, &hunks))?;
        if hunks.is_empty() || entangled || found {
            self.effects.push(Effect::PutFile(Box::new(file)));
            return Ok(());
        }
        let id = DecisionId(self.next_decision);
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
pub(super) fn after_vcs(weave: &Weave, to: &FileState, time: Wall) -> (Weave, Option<RevisionNo>) {
    let mut weave = weave.clone();
    let by = NewRevision { author: Author::Vcs, evidence: Evidence::VersionControl, time, held: false };
    let no = weave.revise(to, by);
    if let Some(no) = no {
        fold(&mut weave, no, time);
    }
    (weave, no)
}
