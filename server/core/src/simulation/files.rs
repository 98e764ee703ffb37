//! Tracked files, decisions, approvals, words about files and writes under way, as a store keeps them. Everything is
//! found by looking through all of it, but the hunks: those have an index, as in the store, so that it can be compared
//! with the weaves.

use std::collections::{BTreeMap, BTreeSet};

use crate::attribution::{Author, CLAIM_MS, Claim};
use crate::file::FilePath;
use crate::id::{RunId, TaskId};
use crate::review::policy::ReviewPolicy;
use crate::review::{Approval, Decision, DecisionId, FileNumber, FileWrite, PendingOf, TrackedFile};
use crate::time::Wall;
use crate::weave::{DecisionNo, Weave};

#[derive(Debug, Clone, Default)]
pub struct Files {
    files: BTreeMap<FileNumber, TrackedFile>,
    last_file: u64,
    hunks: BTreeMap<(String, FileNumber), Option<RunId>>,
    decisions: BTreeMap<DecisionId, Decision>,
    last_decision: u64,
    approvals: BTreeMap<(String, String), Approval>,
    claims: BTreeMap<u64, Claim>,
    last_claim: u64,
    writing: BTreeMap<(DecisionId, FileNumber), FileWrite>,
    policy: ReviewPolicy,
}

impl Files {
    pub(super) fn put(&mut self, file: &TrackedFile) {
        let weave = Weave::decode(&file.weave.encode()).expect("a weave that is kept can be read again");
        assert_eq!(weave, file.weave, "a weave that is read again is the one that was kept");
        let other = |kept: &&TrackedFile| kept.number != file.number && kept.parked.is_none();
        if file.parked.is_none()
            && let Some(other) = self.files.values().filter(other).find(|kept| kept.path() == file.path())
        {
            panic!("two tracked files at {}: {:?} and {:?}", file.path(), other.number, file.number);
        }
        self.last_file = self.last_file.max(file.number.0);
        self.hunks.retain(|(_, number), _| *number != file.number);
        self.hunks.extend(indexed(file));
        self.files.insert(file.number, file.clone());
    }

    pub(super) fn put_decision(&mut self, decision: &Decision) {
        self.last_decision = self.last_decision.max(decision.id.0);
        self.decisions.insert(decision.id, decision.clone());
    }

    pub(super) fn forget_decision(&mut self, id: DecisionId) {
        self.decisions.remove(&id).expect("only a known decision is forgotten");
    }

    pub(super) fn keep_approval(&mut self, approval: &Approval) {
        self.approvals.insert((approval.hunk.clone(), approval.by.clone()), approval.clone());
    }

    /// Keeps a word, and lets go of those that have waited too long.
    pub(super) fn put_claim(&mut self, claim: &Claim) {
        let old = claim.time.0.saturating_sub(CLAIM_MS);
        self.claims.retain(|_, kept| kept.time.0 >= old);
        self.last_claim += 1;
        self.claims.insert(self.last_claim, Claim { number: self.last_claim, ..claim.clone() });
    }

    pub(super) fn drop_claim(&mut self, number: u64) {
        self.claims.remove(&number);
    }

    pub(super) fn begin_write(&mut self, write: &FileWrite) {
        self.writing.insert((write.decision, write.file), write.clone());
    }

    pub(super) fn settle_write(&mut self, decision: DecisionId, file: FileNumber) {
        self.writing.remove(&(decision, file)).expect("only a write under way is settled");
    }

    /// Every tracked file, parked ones too.
    pub fn all(&self) -> impl Iterator<Item = &TrackedFile> {
        self.files.values()
    }

    /// Pending hunks by id, as the index has them.
    pub fn hunks(&self) -> impl Iterator<Item = (&str, FileNumber)> {
        self.hunks.keys().map(|(id, file)| (id.as_str(), *file))
    }

    pub fn decisions(&self) -> &BTreeMap<DecisionId, Decision> {
        &self.decisions
    }

    /// The words that wait for a change, by number.
    pub fn waiting(&self) -> &BTreeMap<u64, Claim> {
        &self.claims
    }

    /// The writes that were begun and whose outcome is not known yet, in their order.
    pub fn writing(&self) -> impl Iterator<Item = &FileWrite> {
        self.writing.values()
    }

    pub fn set_policy(&mut self, policy: ReviewPolicy) {
        self.policy = policy;
    }

    /// The index holds exactly the pending hunks of the files that are not parked, and decisions name files that are
    /// there.
    pub(super) fn verify(&self) -> Result<(), String> {
        let hunks: BTreeMap<_, _> = self.files.values().flat_map(indexed).collect();
        if hunks != self.hunks {
            return Err(format!("the index has the hunks {:?}, the weaves {hunks:?}", self.hunks));
        }
        let count: usize = self.files.values().filter(|file| file.parked.is_none()).map(pending_of).sum();
        if count != self.hunks.len() {
            return Err(format!("there are {count} pending hunks, {} have a name of their own", self.hunks.len()));
        }
        let lost = |decision: &&Decision| decision.files.iter().any(|part| !self.files.contains_key(&part.file));
        match self.decisions.values().find(lost) {
            Some(decision) => Err(format!("{} decides about a file that is not there", decision.id)),
            None => Ok(()),
        }
    }

    pub(super) fn file(&self, number: FileNumber) -> Option<TrackedFile> {
        self.files.get(&number).cloned()
    }

    pub(super) fn file_at(&self, path: &FilePath) -> Option<TrackedFile> {
        self.files.values().find(|file| file.parked.is_none() && file.path() == path).cloned()
    }

    pub(super) fn parked_at(&self, path: &FilePath, branch: &str) -> Option<TrackedFile> {
        let waits = |file: &&TrackedFile| file.parked.as_deref() == Some(branch) && file.path() == path;
        self.files.values().rev().find(waits).cloned()
    }

    pub(super) fn parked(&self, path: &FilePath, limit: usize) -> Vec<TrackedFile> {
        let waits = |file: &&TrackedFile| file.parked.is_some() && file.path() == path && !file.weave.is_settled();
        self.files.values().rev().filter(waits).take(limit).cloned().collect()
    }

    pub(super) fn next_file(&self) -> u64 {
        self.last_file + 1
    }

    pub(super) fn pending_files(&self, of: &PendingOf, limit: usize) -> Vec<FileNumber> {
        let wanted = |run: &Option<RunId>| match of {
            PendingOf::All => true,
            PendingOf::Task(task) => run.is_some_and(|run| run.task == *task),
            PendingOf::Run(wanted) => *run == Some(*wanted),
            PendingOf::Unknown => run.is_none(),
        };
        let found: BTreeMap<&FilePath, FileNumber> = self
            .hunks
            .iter()
            .filter(|(_, run)| wanted(run))
            .map(|((_, file), _)| (self.files[file].path(), *file))
            .collect();
        found.into_values().take(limit).collect()
    }

    pub(super) fn waiting_hunks(&self, task: TaskId) -> u32 {
        let of_task = self.hunks.values().flatten().filter(|run| run.task == task);
        u32::try_from(of_task.count()).unwrap_or(u32::MAX)
    }

    pub(super) fn hunks_starting(&self, beginning: &str, limit: usize) -> Vec<(String, FileNumber)> {
        self.hunks.keys().filter(|(id, _)| id.starts_with(beginning)).take(limit).cloned().collect()
    }

    pub(super) fn approved_by(&self, decision: DecisionId) -> Vec<Approval> {
        self.approvals.values().filter(|approval| approval.decision == decision).cloned().collect()
    }

    pub(super) fn decision_in(&self, file: FileNumber, step: DecisionNo) -> Option<Decision> {
        let made = |part: &crate::review::DecisionFile| part.file == file && part.weave_decision == step;
        self.decisions.values().find(|decision| decision.files.iter().any(made)).cloned()
    }

    pub(super) fn approvals(&self, hunk: &str) -> Vec<Approval> {
        self.approvals.values().filter(|approval| approval.hunk == hunk).cloned().collect()
    }

    pub(super) fn claims(&self, path: &FilePath) -> Vec<Claim> {
        self.claims.values().filter(|claim| claim.path == *path).cloned().collect()
    }

    pub(super) fn decision(&self, id: DecisionId) -> Option<Decision> {
        self.decisions.get(&id).cloned()
    }

    pub(super) fn next_decision(&self) -> DecisionId {
        DecisionId(self.last_decision + 1)
    }

    pub(super) fn newest_decisions(&self, limit: usize) -> Vec<Decision> {
        self.decisions.values().rev().take(limit).cloned().collect()
    }

    pub(super) fn decisions_until(&self, until: Wall, limit: usize) -> Vec<Decision> {
        let mut found: Vec<Decision> =
            self.decisions.values().filter(|decision| decision.time <= until).cloned().collect();
        found.sort_by_key(|decision| (decision.time, decision.id));
        found.truncate(limit);
        found
    }

    pub(super) fn done(&self, limit: usize) -> Vec<FileNumber> {
        let waits: BTreeSet<FileNumber> = self.hunks.keys().map(|(_, number)| *number).collect();
        let done = self.files.values().filter(|file| file.parked.is_none() && !waits.contains(&file.number));
        done.map(|file| file.number).take(limit).collect()
    }

    pub(super) fn policy(&self) -> ReviewPolicy {
        self.policy.clone()
    }
}

fn pending_of(file: &TrackedFile) -> usize {
    file.weave.hunks().len()
}

/// What the index holds of a file: nothing while it is parked.
fn indexed(file: &TrackedFile) -> Vec<((String, FileNumber), Option<RunId>)> {
    if file.parked.is_some() {
        return Vec::new();
    }
    let entry = |hunk: crate::weave::Hunk| {
        let run = match &hunk.author {
            Author::Run(run) => Some(*run),
            Author::Person { .. } | Author::Vcs | Author::Unknown => None,
        };
        ((hunk.id.to_string(), file.number), run)
    };
    file.weave.hunks().into_iter().map(entry).collect()
}
