//! Approving and rejecting. Rejecting sets the marks and asks for what is then visible to be written; approving changes
//! nothing on disk. Where another's work is entangled, or a control file is swept up with many others, the person is
//! shown the result first, and their yes is bound to exactly that result.

use std::collections::{BTreeMap, BTreeSet};

use super::select::Selected;
use super::undo;
use super::{
    Approval, Decision, DecisionFile, DecisionId, DecisionKind, FileWrite, Selection, TrackedFile, select, state_hash,
};
use crate::actor::Actor;
use crate::attribution::Author;
use crate::file::{Body, FileState};
use crate::id::RunId;
use crate::ledger::{Data, Event, Topic};
use crate::queue::look;
use crate::refusal::Refusal;
use crate::review::findings;
use crate::review::policy::ReviewPolicy;
use crate::session::{self, SessionRefusal};
use crate::time::Now;
use crate::turn::{Answer, Decided, DecidedFile, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::{Hunk, MarkRef, Standing, Weave};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decide {
    pub verdict: Standing,
    pub what: Selection,
    /// The yes to a result that was shown.
    pub confirm: Option<String>,
}

/// Why a decision is shown before it is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    No,
    Entangled { with: Vec<Author> },
    Control,
}

/// What must be shown first.
#[must_use]
pub fn asks(decide: &Decide, selected: &[Selected], policy: &ReviewPolicy) -> Ask {
    if decide.verdict == Standing::Rejected {
        let mut with: Vec<Author> = Vec::new();
        for hunk in selected.iter().flat_map(|selected| &selected.hunks) {
            for author in &hunk.entangled {
                if !with.contains(author) {
                    with.push(author.clone());
                }
            }
        }
        if !with.is_empty() {
            return Ask::Entangled { with };
        }
    }
    let control = || selected.iter().any(|selected| policy.is_control(&selected.file.weave.view()));
    if decide.verdict == Standing::Approved && !decide.what.is_explicit() && control() {
        return Ask::Control;
    }
    Ask::No
}

/// Stands for a verdict on exactly these hunks with exactly this result.
#[must_use]
pub fn confirm_token(verdict: Standing, selected: &[Selected]) -> String {
    let mut text = format!("{verdict:?}\n");
    for selected in selected {
        let before = selected.file.weave.view();
        let after = selected.file.weave.preview(&marks(selected), verdict);
        text += &format!("{} {} {}\n", selected.file.number.0, state_hash(&before), state_hash(&after));
        for hunk in &selected.hunks {
            text += &format!("{}\n", hunk.id);
        }
    }
    crate::file::ContentHash::of(text.as_bytes()).to_string()[..32].to_owned()
}

fn is_entangled(selected: &Selected) -> bool {
    selected.hunks.iter().any(|hunk| !hunk.entangled.is_empty())
}

fn marks(selected: &Selected) -> Vec<MarkRef> {
    selected.hunks.iter().flat_map(|hunk| hunk.marks.iter().copied()).collect()
}

pub(crate) fn decide<V: View>(view: &V, actor: &Actor, decide: &Decide, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let selected = select(view, &decide.what)?;
    let policy = look(view.review_policy())?;
    let asks = asks(decide, &selected, &policy);
    if asks != Ask::No {
        let token = confirm_token(decide.verdict, &selected);
        let files = match asks {
            Ask::Entangled { .. } => selected.iter().filter(|selected| is_entangled(selected)).count(),
            Ask::Control | Ask::No => selected.len(),
        };
        match &decide.confirm {
            Some(confirm) if *confirm == token => {}
            Some(_) => return Err(Refusal::ShownOtherwise { files }.into()),
            None => {
                return Err(match asks {
                    Ask::Entangled { with } => Refusal::Entangled { files, with },
                    Ask::Control | Ask::No => Refusal::ControlFiles { files },
                }
                .into());
            }
        }
    }
    let mut carrying = Carrying::new(look(view.next_decision())?, actor, now);
    let mut cannot = None;
    for mut selected in selected {
        let path = selected.file.path().clone();
        if decide.verdict == Standing::Approved {
            let Selected { file, hunks } = &mut selected;
            if let Some(no) = look(held_back(view, &file.weave, hunks, decide.what.is_explicit()))? {
                carrying.outcomes.push(DecidedFile::left_out(path.clone(), no.to_string()));
                cannot.get_or_insert(no);
            }
            if selected.hunks.is_empty() {
                continue;
            }
        }
        let second = decide.verdict == Standing::Approved && policy.needs_second(&selected.file.weave);
        let passes = match decide.verdict {
            Standing::Approved if decide.what.is_explicit() && !second => {
                let Selected { file, hunks } = &selected;
                let authors: Vec<Author> = hunks.iter().map(|hunk| hunk.author.clone()).collect();
                let mut left = file.weave.hunks();
                left.retain(|hunk| hunks.iter().all(|taken| taken.id != hunk.id));
                look(session::settle_approved(view, actor, &file.weave, &authors, &left, carrying.id))?
            }
            Standing::Approved | Standing::Rejected | Standing::Pending => Vec::new(),
        };
        let taken = if second {
            carrying.approve_first(view, selected)
        } else {
            carrying.take(view, selected.file, &selected.hunks, decide.verdict)
        };
        match taken {
            Ok(()) => carrying.effects.extend(passes),
            // One file that cannot be written is no reason to leave the others.
            Err(Stop::Refused(no)) => {
                carrying.outcomes.push(DecidedFile::left_out(path, no.to_string()));
                cannot.get_or_insert(no);
            }
            Err(failed) => return Err(failed),
        }
    }
    if let Some(no) = cannot.filter(|_| carrying.files.is_empty()) {
        return Err(no.into());
    }
    if let Some(hunk) = carrying.again.take_if(|_| carrying.files.is_empty()) {
        return Err(Refusal::SameApprover { hunk }.into());
    }
    let kind = match decide.verdict {
        Standing::Approved => DecisionKind::Approve,
        Standing::Rejected | Standing::Pending => DecisionKind::Reject,
    };
    Ok(carrying.turn(kind))
}

/// Leaves out what a person has to look at before it is approved, and says why: hunks with findings, and those that fell
/// outside of what was agreed to unless the person names them.
pub(super) fn held_back<V: View>(
    view: &V,
    weave: &Weave,
    hunks: &mut Vec<Hunk>,
    is_named: bool,
) -> Result<Option<Refusal>, V::Error> {
    if !is_named && let Some(flag) = session::waiting_at(view, weave)?.first() {
        hunks.clear();
        let no = SessionRefusal::OutsideScope { path: weave.path().clone(), flag: flag.id };
        return Ok(Some(Refusal::Session(no)));
    }
    let mut found = Vec::new();
    let all = findings::stopping_in(view, weave, hunks)?;
    for (hunk, stopping) in std::mem::take(hunks).into_iter().zip(all) {
        if stopping.is_empty() {
            hunks.push(hunk);
        } else {
            found.push((hunk.id, stopping));
        }
    }
    Ok(findings::refusal(weave.path(), &found))
}

/// Who has approved a hunk that needs two approvals, and has not taken it back.
pub fn approvers<V: View>(view: &V, hunk: &str) -> Result<Vec<String>, V::Error> {
    let mut approvers = Vec::new();
    for approval in view.approvals(hunk)? {
        if undo::stands(view, approval.decision)? {
            approvers.push(approval.by);
        }
    }
    Ok(approvers)
}

/// A decision being put together, file by file.
pub(super) struct Carrying<'a> {
    pub(super) id: DecisionId,
    actor: &'a Actor,
    now: &'a Now,
    pub(super) files: Vec<DecisionFile>,
    /// Whose work is decided about.
    runs: BTreeSet<RunId>,
    /// How many of the hunks are whose.
    pub(super) shares: Shares,
    pub(super) outcomes: Vec<DecidedFile>,
    pub(super) effects: Vec<Effect>,
    /// Approvals that wait for a second person's.
    half: u32,
    /// A hunk that the same person has approved before.
    again: Option<String>,
    pub(super) took_back: Option<Box<Decision>>,
}

impl<'a> Carrying<'a> {
    pub(super) fn new(id: DecisionId, actor: &'a Actor, now: &'a Now) -> Self {
        Self {
            id,
            actor,
            now,
            files: Vec::new(),
            runs: BTreeSet::new(),
            shares: Shares::default(),
            outcomes: Vec::new(),
            effects: Vec::new(),
            half: 0,
            again: None,
            took_back: None,
        }
    }

    /// One approval of two: the hunk is approved once somebody else approves it, too.
    fn approve_first<V: View>(&mut self, view: &V, mut selected: Selected) -> Result<(), Stop<V::Error>> {
        let by = self.actor.to_string();
        let (mut second, mut first) = (Vec::new(), 0);
        for hunk in std::mem::take(&mut selected.hunks) {
            let id = hunk.id.to_string();
            let approvers = look(approvers(view, &id))?;
            let completes = approvers.iter().any(|approver| *approver != by);
            if !completes && !approvers.is_empty() {
                self.again.get_or_insert(id);
                continue;
            }
            self.runs.extend(run_of(&hunk.author));
            let approval = Approval { hunk: id, by: by.clone(), decision: self.id, completes };
            self.effects.push(Effect::KeepApproval(Box::new(approval)));
            if completes {
                second.push(hunk);
            } else {
                first += 1;
            }
        }
        self.shares.count(&second);
        self.half += first;
        let hunks = first + u32::try_from(second.len()).unwrap_or(u32::MAX);
        if hunks == 0 {
            self.outcomes.push(DecidedFile::unchanged(selected.file.path().clone()));
            return Ok(());
        }
        // A first approval changes no mark, but it is a decision all the same, and can be taken back.
        let marks: Vec<MarkRef> = second.iter().flat_map(|hunk| hunk.marks.iter().copied()).collect();
        let before = selected.file.weave.view();
        let weave_decision = selected.file.weave.decide(&marks, Standing::Approved, self.now.wall);
        let after = selected.file.weave.view();
        self.write(view, selected.file, before, after, hunks, weave_decision)
    }

    /// Decides these hunks of one file, and asks for what is then visible to be written.
    pub(super) fn take<V: View>(
        &mut self,
        view: &V,
        mut file: TrackedFile,
        hunks: &[Hunk],
        verdict: Standing,
    ) -> Result<(), Stop<V::Error>> {
        let marks: Vec<MarkRef> = hunks.iter().flat_map(|hunk| hunk.marks.iter().copied()).collect();
        let before = file.weave.view();
        let weave_decision = file.weave.decide(&marks, verdict, self.now.wall);
        let after = file.weave.view();
        self.shares.count(hunks);
        self.write(view, file, before, after, u32::try_from(hunks.len()).unwrap_or(u32::MAX), weave_decision)
    }

    /// Notes what was decided in one file; writes it where the result differs from what is there.
    pub(super) fn write<V: View>(
        &mut self,
        view: &V,
        file: TrackedFile,
        before: FileState,
        after: FileState,
        hunks: u32,
        weave_decision: crate::weave::DecisionNo,
    ) -> Result<(), Stop<V::Error>> {
        let path = after.path.clone();
        self.runs.extend(file.weave.authors_in(weave_decision).into_iter().filter_map(run_of));
        if before != after {
            can_be_written(&before, &after)?;
            if before.path != after.path
                && let Some(other) = look(view.file_at(&after.path))?
                && other.number != file.number
            {
                return Err(Refusal::PathTaken { path: after.path }.into());
            }
            self.outcomes.push(DecidedFile::to_write(file.number, &before, &after));
            self.effects.push(Effect::WriteFile(Box::new(FileWrite {
                decision: self.id,
                file: file.number,
                before,
                after,
            })));
        } else {
            self.outcomes.push(DecidedFile::unchanged(path.clone()));
        }
        self.files.push(DecisionFile { file: file.number, path, hunks, weave_decision, stands: true });
        self.effects.push(Effect::PutFile(Box::new(file)));
        Ok(())
    }

    pub(super) fn turn(mut self, kind: DecisionKind) -> Turn {
        let hunks = self.files.iter().map(|file| file.hunks).sum::<u32>() - self.half;
        let decision = Decision {
            id: self.id,
            kind,
            actor: self.actor.to_string(),
            time: self.now.wall,
            files: self.files,
            undone_by: None,
        };
        let mut effects =
            vec![Effect::Record(decided_event(self.actor, &decision, &self.runs, &self.shares, self.half))];
        if !decision.files.is_empty() {
            effects.push(Effect::PutDecision(Box::new(decision)));
        }
        // What goes makes room first, for a folder where a file was and the other way round.
        self.effects.sort_by_key(|effect| !is_removal(effect));
        effects.append(&mut self.effects);
        let decided =
            Decided { decision: self.id, hunks, half: self.half, files: self.outcomes, took_back: self.took_back };
        Turn::done(Answer::Decided(decided), effects)
    }
}

fn is_removal(effect: &Effect) -> bool {
    matches!(effect, Effect::WriteFile(write) if write.after.body == Body::Absent)
}

pub(super) fn run_of(author: &Author) -> Option<RunId> {
    match author {
        Author::Run(run) => Some(*run),
        Author::Person { .. } | Author::Vcs | Author::Unknown => None,
    }
}

/// What a record is found by that tells of a decision about the work of these runs.
pub(super) fn about_runs<'a>(runs: impl IntoIterator<Item = &'a RunId>) -> Vec<Topic> {
    let mut topics = Vec::new();
    for run in runs.into_iter().take(NAMED) {
        for topic in [Topic::Task(run.task), Topic::Run(*run)] {
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
    }
    topics
}

/// How many hunks of a decision are the work of each run, for the figures. What is left over is nobody's that is known.
#[derive(Debug, Default)]
pub(super) struct Shares(BTreeMap<RunId, u32>);

impl Shares {
    pub(super) fn count<'a>(&mut self, hunks: impl IntoIterator<Item = &'a Hunk>) {
        for run in hunks.into_iter().filter_map(|hunk| run_of(&hunk.author)) {
            *self.0.entry(run).or_insert(0) += 1;
        }
    }

    pub(super) fn data(&self) -> Data {
        let share =
            |(run, hunks): (&RunId, &u32)| Data::map([("run", run.to_string().into()), ("hunks", (*hunks).into())]);
        Data::List(self.0.iter().take(NAMED).map(share).collect())
    }
}

/// How many paths a record names, and how many runs it is found by; the rest are counted.
const NAMED: usize = 50;

fn decided_event(actor: &Actor, decision: &Decision, runs: &BTreeSet<RunId>, shares: &Shares, half: u32) -> Event {
    let kind = match decision.kind {
        DecisionKind::Approve => "review.approved",
        DecisionKind::Reject => "review.rejected",
        DecisionKind::Undo(_) => "review.undone",
        DecisionKind::Redo(_) => "review.redone",
    };
    let takes_back = decision.kind.takes_back().map(|of| of.to_string());
    let hunks = decision.files.iter().map(|file| file.hunks).sum::<u32>() - half;
    let named: Vec<String> = decision.files.iter().take(NAMED).map(|file| file.path.to_text()).collect();
    let mut about: Vec<Topic> = decision.files.iter().take(NAMED).map(|file| Topic::File(file.path.clone())).collect();
    about.extend(about_runs(runs));
    Event {
        actor: actor.clone(),
        kind,
        subject: Topic::Decision(decision.id),
        about,
        data: Data::map([
            ("hunks", hunks.into()),
            ("half", half.into()),
            ("files", u64::try_from(decision.files.len()).unwrap_or(u64::MAX).into()),
            ("paths", named.into()),
            ("runs", shares.data()),
            ("takesBack", takes_back.into()),
        ]),
    }
}

/// What is more than we keep, or no file at all, cannot be written or brought back.
fn can_be_written(before: &FileState, after: &FileState) -> Result<(), Refusal> {
    for state in [before, after] {
        match &state.body {
            Body::Large { length, .. } => {
                return Err(Refusal::TooLarge { path: state.path.clone(), length: *length });
            }
            Body::Special => return Err(Refusal::NotAFile { path: state.path.clone() }),
            Body::Absent | Body::Text(_) | Body::Whole { .. } | Body::Link(_) => {}
        }
    }
    Ok(())
}
