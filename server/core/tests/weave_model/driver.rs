//! Makes up one story from a seed, and keeps beside the weave what it must say: the view after each step, and each
//! mark's verdict by the decisions that were told.

use std::collections::{HashMap, HashSet};

use augment_core::attribution::{Author, Evidence};
use augment_core::file::{Body, FileState};
use augment_core::simulation::Random;
use augment_core::time::Wall;
use augment_core::weave::{
    CannotUndo, Change, DecisionKind, DecisionNo, Hunk, MarkRef, NewRevision, RevisionNo, Standing, Verdict, Weave,
};

use super::checks;
use super::values::{authors, base, edited, show};

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) operations: u64,
    pub(crate) revisions: u64,
    pub(crate) approved: u64,
    pub(crate) rejected: u64,
    pub(crate) undone: u64,
    pub(crate) refused_undoings: u64,
    pub(crate) reattributed: u64,
    pub(crate) compacted: u64,
    pub(crate) decoded: u64,
    pub(crate) folded: u64,
    /// An author came back to an earlier step, and the steps after it were taken out.
    pub(crate) rewound: u64,
    /// A run was rejected that nobody had edited into.
    pub(crate) exactly_back: u64,
    /// A hunk held together over others' lines.
    pub(crate) bridged: u64,
    /// A file was kept by others' lines although what made it a text was rejected.
    pub(crate) kept_by_others: u64,
    /// Pending marks that no hunk showed.
    pub(crate) moot: u64,
}

impl Summary {
    pub(crate) fn add(&mut self, other: &Self) {
        self.operations += other.operations;
        self.revisions += other.revisions;
        self.approved += other.approved;
        self.rejected += other.rejected;
        self.undone += other.undone;
        self.refused_undoings += other.refused_undoings;
        self.reattributed += other.reattributed;
        self.compacted += other.compacted;
        self.decoded += other.decoded;
        self.folded += other.folded;
        self.rewound += other.rewound;
        self.exactly_back += other.exactly_back;
        self.bridged += other.bridged;
        self.kept_by_others += other.kept_by_others;
        self.moot += other.moot;
    }
}

pub(crate) struct Driver {
    seed: u64,
    random: Random,
    pub(crate) weave: Weave,
    /// The view after each step.
    views: Vec<FileState>,
    verdicts: HashMap<MarkRef, Verdict>,
    /// Revisions that left something other than text, with their authors as they were then.
    without_text: Vec<(RevisionNo, Author)>,
    /// The author of the last revisions, if nothing else happened since and nothing of theirs was pending before; and
    /// the view before them.
    alone: Option<(Author, FileState)>,
    script: Vec<String>,
    summary: Summary,
}

/// Tells what happened when a check fails.
impl Drop for Driver {
    #[expect(clippy::print_stdout, reason = "a test that fails says how to replay it")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            let from = self.script.len().saturating_sub(60);
            println!(
                "the story so far:\n{}\nreplay: SEED={} OPERATIONS={} cargo test -p augment-core --test weave_model replay",
                self.script[from..].join("\n"),
                self.seed,
                self.summary.operations
            );
        }
    }
}

impl Driver {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(1));
        let base = base(&mut random);
        let weave = Weave::new(&base);
        assert_eq!(weave.view(), base);
        Self {
            seed,
            random,
            weave,
            script: vec![format!("base {}", show(&base))],
            views: vec![base],
            verdicts: HashMap::new(),
            without_text: Vec::new(),
            alone: None,
            summary: Summary::default(),
        }
    }

    pub(crate) fn run(&mut self, operations: u64) -> Summary {
        for _ in 0..operations {
            self.summary.operations += 1;
            match self.random.below(100) {
                0..=49 => self.revise(),
                50..=64 => self.decide_hunks(),
                65..=72 => self.decide_author(),
                73..=88 => self.undo(),
                89..=92 => self.reattribute(),
                93..=94 => self.compact(),
                95..=96 => self.decode(),
                97 => self.take_back(),
                98 => self.take_back(),
                _ => self.come_back(),
            }
            self.check();
        }
        for step in self.weave.since()..=self.weave.step() {
            assert_eq!(self.weave.at(step).as_ref(), Some(&self.views[step as usize]), "step {step}");
        }
        self.summary.clone()
    }

    /// From 0 to this, both included.
    fn up_to(&mut self, last: u32) -> u32 {
        u32::try_from(self.random.between(0, i64::from(last))).expect("it is between 0 and a u32")
    }

    /// Every operation has a time of its own.
    fn now(&self) -> Wall {
        Wall(1_700_000_000_000 + i64::try_from(self.summary.operations).expect("operations are few"))
    }

    fn note(&mut self, line: String) {
        self.script.push(format!("{}. {line}", self.summary.operations));
    }

    fn revise(&mut self) {
        let author = self.random.pick(&authors());
        let held = match author {
            Author::Run(_) | Author::Unknown => self.random.chance(95),
            Author::Person { .. } | Author::Vcs => self.random.chance(4),
        };
        let now = self.weave.view();
        let to = edited(&mut self.random, &now, &self.views);
        self.note(format!("{author:?} held {held} makes {}", show(&to)));
        let (hunks, settled) = (self.weave.hunks(), self.weave.marks_of(&|who| *who == author).is_empty());
        let by = NewRevision { author: author.clone(), evidence: Evidence::Nothing, time: self.now(), held };
        let step = self.weave.step();
        let Some(no) = self.weave.revise(&to, by) else {
            assert_eq!((now, step), (to, self.weave.step()), "nothing new");
            return;
        };
        self.summary.revisions += 1;
        assert_eq!(self.weave.view(), to, "the view is what was seen");
        if !matches!(to.body, Body::Text(_)) {
            self.without_text.push((no, author.clone()));
        }
        // What is left out of a file that is written anew belongs to whoever had taken the text away.
        if matches!(now.body, Body::Text(_)) {
            checks::others_hunks_stay(&self.weave, &hunks, &author);
        }
        let goes_on = self.alone.take_if(|(who, _)| *who == author && held);
        self.alone = goes_on.or_else(|| (held && settled).then_some((author, now)));
        self.views.push(to);
        self.fold(no);
    }

    /// What a person took back without saying so.
    fn fold(&mut self, no: RevisionNo) {
        let implied = self.weave.implied(no);
        if implied.is_empty() || self.random.chance(30) {
            return;
        }
        self.note(format!("{} hunks were taken back", implied.len()));
        let view = self.weave.view();
        let first = self.weave.step() + 1;
        let decision = self.weave.fold(no, &implied, self.now());
        assert_eq!(self.weave.view(), view, "folding changes nothing that can be seen");
        let pending = self.weave.marks_of(&|_| true);
        assert!(implied.iter().flat_map(|hunk| &hunk.marks).all(|mark| !pending.contains(mark)));
        self.summary.folded += 1;
        // What the revision did is taken out first, in a step that nobody sees.
        for step in first..decision.0 {
            self.decided_at(DecisionNo(step));
        }
        self.decided(decision);
    }

    fn decide_hunks(&mut self) {
        let hunks = self.weave.hunks();
        if hunks.is_empty() {
            return;
        }
        let hunk = self.random.pick(&hunks);
        let to = if self.random.chance(40) { Standing::Approved } else { Standing::Rejected };
        self.note(format!("{to:?} {hunk:?}"));
        checks::hunk_says_what_rejecting_does(&self.weave, &hunk);
        self.decide(&hunk.marks, to);
    }

    fn decide_author(&mut self) {
        let author = self.random.pick(&authors());
        let marks = if self.random.chance(15) {
            self.weave.marks_of(&|_| true)
        } else {
            self.weave.marks_of(&|who| *who == author)
        };
        let to = match self.random.below(10) {
            0..=2 => Standing::Approved,
            3 => Standing::Pending,
            _ => Standing::Rejected,
        };
        self.note(format!("{to:?} all of {author:?}: {} marks", marks.len()));
        self.decide(&marks, to);
    }

    fn decide(&mut self, marks: &[MarkRef], to: Standing) {
        let before = self.weave.view();
        let preview = self.weave.preview(marks, to);
        let decision = self.weave.decide(marks, to, self.now());
        let after = self.weave.view();
        assert_eq!(after, preview, "the preview is what comes");
        match to {
            Standing::Approved => {
                self.summary.approved += 1;
                assert_eq!(before, after, "approving changes nothing that can be seen");
            }
            Standing::Rejected => self.summary.rejected += 1,
            Standing::Pending => {}
        }
        let mut again = self.weave.clone();
        let undone = again.undo(decision, self.now()).expect("nothing came after");
        assert_eq!(again.view(), before, "undoing gives the view back");
        again.undo(undone, self.now()).expect("nothing came after");
        assert_eq!(again.view(), after, "and redoing takes it again");
        self.decided(decision);
    }

    /// Keeps what a decision said, after comparing it with what the marks were.
    fn decided(&mut self, no: DecisionNo) {
        assert_eq!(no.0, self.weave.step());
        self.decided_at(no);
    }

    fn decided_at(&mut self, no: DecisionNo) {
        self.alone = None;
        let known = self.weave.decisions().iter().find(|decision| decision.no == no);
        let decision = known.expect("a decision that was made is known");
        // What a file that was written anew leaves out begins as whatever had hidden it was decided, and is undone with that.
        let goes_along = |change: &Change| {
            let hid = |other: &Change| {
                matches!(other.mark, MarkRef::Body(_)) && (other.from, other.to) == (change.from, change.to)
            };
            let is_left_out = matches!((change.mark, decision.kind), (MarkRef::Deleted(..), DecisionKind::Undid(_)));
            is_left_out && decision.changes.iter().any(hid)
        };
        for change in &decision.changes {
            let begins = if goes_along(change) { change.from } else { Verdict::Open };
            let verdict = self.verdicts.insert(change.mark, change.to);
            assert_eq!(verdict.unwrap_or(begins), change.from, "{change:?}");
        }
        self.views.push(self.weave.at(no.0).expect("it was just made"));
    }

    fn undo(&mut self) {
        let decisions = self.weave.decisions();
        if decisions.is_empty() {
            return;
        }
        let from = if self.random.chance(60) { decisions.len().saturating_sub(4) } else { 0 };
        let decision = decisions[from + self.random.below(decisions.len() - from)].clone();
        self.note(format!("undo {:?}", decision.no));
        let stands = |no: DecisionNo, weave: &Weave| {
            weave.decisions().iter().find(|known| known.no == no).is_some_and(|known| known.undone_by.is_none())
        };
        match self.weave.undo(decision.no, self.now()) {
            Ok(no) => {
                self.summary.undone += 1;
                for change in &decision.changes {
                    assert_eq!(self.verdicts.get(&change.mark), Some(&change.to), "nothing later is undone with it");
                }
                self.decided(no);
                for change in &decision.changes {
                    assert_eq!(self.verdicts[&change.mark], change.from);
                }
                assert!(!stands(decision.no, &self.weave));
            }
            Err(CannotUndo::AlreadyUndone { by }) => {
                self.summary.refused_undoings += 1;
                assert!(stands(by, &self.weave) && decision.undone_by == Some(by));
            }
            Err(CannotUndo::ChangedSince { by }) => {
                self.summary.refused_undoings += 1;
                let later = self.weave.decisions().iter().find(|known| known.no == by).expect("it is known");
                let touches = |mark| decision.changes.iter().any(|change| change.mark == mark);
                assert!(by > decision.no && stands(by, &self.weave));
                assert!(later.changes.iter().any(|change| touches(change.mark)));
            }
            Err(CannotUndo::Unknown) => panic!("it is known"),
        }
    }

    fn reattribute(&mut self) {
        if self.weave.revisions().is_empty() {
            return;
        }
        let no = self.random.pick(self.weave.revisions()).no;
        let author = self.random.pick(&authors());
        let held = self.random.chance(60);
        self.note(format!("{no} is {author:?}'s, held {held}"));
        let view = self.weave.view();
        self.weave.reattribute(no, author.clone(), Evidence::Assigned, held);
        assert_eq!(self.weave.view(), view);
        for (known, by) in &mut self.without_text {
            if *known == no {
                *by = author.clone();
            }
        }
        self.alone = None;
        self.summary.reattributed += 1;
    }

    fn compact(&mut self) {
        let keep = match self.random.below(3) {
            0 => None,
            1 => Some(DecisionNo(0)),
            _ => Some(DecisionNo(self.up_to(self.weave.step()))),
        };
        self.note(format!("compact, keep {keep:?}"));
        let before = self.weave.clone();
        self.weave.compact(keep);
        checks::same_for_everybody(&before, &self.weave, keep);
        // What is final is not decided again; a mark that is gone may be made again.
        let decisions = self.weave.decisions().iter();
        let undoable: HashSet<MarkRef> =
            decisions.flat_map(|kept| kept.changes.iter().map(|change| change.mark)).collect();
        self.verdicts.retain(|mark, _| undoable.contains(mark));
        let twice = self.weave.clone();
        self.weave.compact(keep);
        assert_eq!(self.weave, twice, "compacting again finds nothing");
        self.summary.compacted += 1;
    }

    fn decode(&mut self) {
        self.note("encode and decode".to_owned());
        let decoded = Weave::decode(&self.weave.encode()).expect("it was encoded");
        assert_eq!(decoded, self.weave);
        self.weave = decoded;
        self.summary.decoded += 1;
    }

    /// A person undoes one pending hunk by hand.
    fn take_back(&mut self) {
        let hunks: Vec<Hunk> = self.weave.hunks_of(&|author| matches!(author, Author::Run(_)));
        if hunks.is_empty() {
            return;
        }
        let hunk = self.random.pick(&hunks);
        let to = self.weave.preview(&hunk.marks, Standing::Rejected);
        self.note(format!("ann takes back {hunk:?} by hand"));
        let author = Author::Person { name: "ann".to_owned() };
        let by = NewRevision { author, evidence: Evidence::Saved, time: self.now(), held: false };
        // Where another wants the same line deleted, rejecting one alone changes nothing.
        let Some(no) = self.weave.revise(&to, by) else { return };
        assert_eq!(self.weave.view(), to);
        if !matches!(to.body, Body::Text(_)) {
            self.without_text.push((no, Author::Person { name: "ann".to_owned() }));
        }
        self.alone = None;
        self.views.push(to);
        self.fold(no);
    }

    /// The last author makes the file what it was a few steps before.
    fn come_back(&mut self) {
        let Some(last) = self.weave.revisions().last().cloned() else { return };
        let to = self.random.pick(&self.views[self.views.len().saturating_sub(5)..]);
        let Some(step) = self.weave.returns_to(&to, &last.author) else { return };
        self.note(format!("{:?} comes back to step {step}", last.author));
        let kept = self.weave.revisions().iter().filter(|revision| revision.step <= step).count();
        for decision in self.weave.decisions().iter().rev().take_while(|decision| decision.no.0 > step) {
            for change in &decision.changes {
                self.verdicts.insert(change.mark, change.from);
            }
        }
        let last_step = self.weave.step();
        self.weave.rewind(step);
        assert_eq!(self.weave.view(), to, "what was after that step is gone");
        assert_eq!(self.weave.step(), last_step, "no number is given twice");
        assert_eq!(self.weave.revisions().len(), kept);
        // Nothing is left of those steps, so the file was then what it is now.
        self.views[step as usize + 1..].fill(to);
        let known: Vec<RevisionNo> = self.weave.revisions().iter().map(|revision| revision.no).collect();
        self.without_text.retain(|(no, _)| known.contains(no) || *no < last.no);
        self.alone = None;
        self.summary.rewound += 1;
    }

    fn check(&mut self) {
        let step = self.weave.step();
        assert_eq!(self.views.len(), step as usize + 1);
        let view = self.weave.view();
        assert_eq!(view, self.views[step as usize]);
        let first = self.weave.since();
        let some = first + self.up_to(step - first);
        assert_eq!(self.weave.at(some).as_ref(), Some(&self.views[some as usize]), "step {some}");
        let (bridged, moot) = checks::hunks_are_whole(&self.weave, &view);
        self.summary.bridged += u64::from(bridged);
        self.summary.moot += u64::from(moot);
        let author = self.random.pick(&authors());
        let kept = checks::others_lines_stay(&self.weave, &view, &author, &self.without_text);
        self.summary.kept_by_others += u64::from(kept);
        if let Some((author, before)) = &self.alone {
            let marks = self.weave.marks_of(&|who| who == author);
            assert_eq!(self.weave.preview(&marks, Standing::Rejected), *before, "nobody edited into it");
            self.summary.exactly_back += 1;
        }
    }
}
