//! What must hold for any weave.

use std::collections::BTreeSet;

use augment_core::attribution::{Author, Evidence};
use augment_core::diff::split_lines;
use augment_core::file::{Body, FileState};
use augment_core::time::Wall;
use augment_core::weave::{
    Decided, DecisionNo, Hunk, LineChange, LineId, MarkRef, NewRevision, RevisionNo, Shape, Standing, Weave,
};

const NOW: Wall = Wall(0);

fn text(state: &FileState) -> Option<&[u8]> {
    match &state.body {
        Body::Text(content) => Some(content),
        Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => None,
    }
}

/// Hunks share no mark; together they have every pending mark that rejecting would show. Says whether one is held
/// together over others' lines, and whether there are marks in none.
pub(crate) fn hunks_are_whole(weave: &Weave, view: &FileState) -> (bool, bool) {
    let hunks = weave.hunks();
    let pending: BTreeSet<MarkRef> = weave.marks_of(&|_| true).into_iter().collect();
    let mut shown = BTreeSet::new();
    let mut ids = BTreeSet::new();
    let mut bridged = false;
    for hunk in &hunks {
        assert!(ids.insert(hunk.id), "two hunks have one id");
        assert!(!hunk.marks.is_empty() && !hunk.entangled.contains(&hunk.author));
        for mark in &hunk.marks {
            assert!(pending.contains(mark) && shown.insert(*mark), "{mark:?} of {hunk:?}");
        }
        if let Shape::Lines(change) = &hunk.shape {
            bridged |= change.spans.len() > 1;
        }
    }
    let moot: Vec<MarkRef> = pending.difference(&shown).copied().collect();
    assert_eq!(weave.preview(&moot, Standing::Rejected), *view, "what no hunk shows cannot be seen: {moot:?}");
    let all: Vec<MarkRef> = pending.into_iter().collect();
    assert_eq!(weave.preview(&all, Standing::Approved), *view);
    assert_eq!(weave.is_settled(), hunks.is_empty());
    let lines = text(view).map_or(0, |content| split_lines(content).len());
    assert_eq!(weave.blame().len(), lines, "every line has an origin");
    (bridged, !moot.is_empty())
}

/// Rejecting an author's pending marks leaves every line of others visible, and in order. Only where the file was
/// without text after such a line was written may the line go with the text.
pub(crate) fn others_lines_stay(
    weave: &Weave,
    view: &FileState,
    author: &Author,
    without_text: &[(RevisionNo, Author)],
) -> bool {
    let marks = weave.marks_of(&|who| who == author);
    if marks.is_empty() || text(view).is_none() {
        return false;
    }
    let is_others = |revision: RevisionNo| weave.revision(revision).is_none_or(|known| known.author != *author);
    let kept: Vec<(LineId, RevisionNo)> = weave
        .blame()
        .iter()
        .filter(|blame| is_others(blame.revision))
        .map(|blame| (blame.line, blame.revision))
        .collect();
    let mut rejected = weave.clone();
    rejected.decide(&marks, Standing::Rejected, NOW);
    if text(&rejected.view()).is_some() {
        let left: Vec<LineId> = rejected.blame().iter().map(|blame| blame.line).collect();
        let mut places = kept.iter().map(|(line, _)| left.iter().position(|known| known == line));
        assert!(places.clone().all(|place| place.is_some()), "a line of another author went");
        assert!(places.by_ref().is_sorted(), "lines of other authors moved");
    } else {
        for (_, revision) in &kept {
            let was_without = |(no, by): &(RevisionNo, Author)| no > revision && by != author;
            assert!(without_text.iter().any(was_without) || *revision == RevisionNo::BASE || is_since_decided(weave));
        }
    }
    !kept.is_empty() && text(&rejected.view()).is_some() && marks.iter().any(|mark| matches!(mark, MarkRef::Body(_)))
}

/// With decided marks of the same author in play, others' lines may depend on those.
fn is_since_decided(weave: &Weave) -> bool {
    !weave.decisions().is_empty() || weave.since() > 0
}

/// Another author's revision changes no hunk's marks; and a hunk that it left as it was keeps its id.
pub(crate) fn others_hunks_stay(weave: &Weave, before: &[Hunk], author: &Author) {
    if text(&weave.view()).is_none() {
        return;
    }
    let after = weave.hunks();
    for hunk in before.iter().filter(|hunk| hunk.author != *author) {
        let Shape::Lines(change) = &hunk.shape else { continue };
        for now in after.iter().filter(|now| now.marks.iter().any(|mark| hunk.marks.contains(mark))) {
            assert_eq!(now.marks, hunk.marks, "a hunk is torn or joined by another author");
            let Shape::Lines(changed) = &now.shape else { panic!("{now:?} was of lines") };
            let bare = |change: &LineChange| change.removed.iter().map(|line| bare(line).to_vec()).collect::<Vec<_>>();
            let same = (changed.added, bare(changed)) == (change.added, bare(change));
            if same && now.entangled == hunk.entangled && hunk.entangled.is_empty() {
                assert_eq!(now.id, hunk.id, "a hunk has another id though nothing in it changed: {hunk:?} {now:?}");
            }
            if !same {
                assert_ne!(now.id, hunk.id, "a hunk changed and kept its id: {hunk:?} {now:?}");
            }
        }
        let is_shown = after.iter().any(|now| now.marks == hunk.marks);
        assert!(is_shown || weave.preview(&hunk.marks, Standing::Rejected) == weave.view());
    }
}

/// Without what a last line may lack.
fn bare(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
    &line[..end]
}

/// Taking the added lines out of the content and putting the removed ones where they stood is what rejecting does.
pub(crate) fn hunk_says_what_rejecting_does(weave: &Weave, hunk: &Hunk) {
    let (view, rejected) = (weave.view(), weave.preview(&hunk.marks, Standing::Rejected));
    let Shape::Lines(change) = &hunk.shape else { return };
    assert!(change.added > 0 || !change.removed.is_empty() || !hunk.entangled.is_empty(), "it does nothing: {hunk:?}");
    let LineChange { start, added, spans, removed, old_start, old_spans } = change;
    let (Some(now), Some(then)) = (text(&view), text(&rejected)) else { return };
    let mut lines = split_lines(now);
    let shown: Vec<&[u8]> =
        spans.iter().flat_map(|span| lines[span.start as usize..span.end as usize].iter().copied()).collect();
    let told = hunk.lines(weave);
    let told: Vec<&[u8]> =
        told.iter().filter(|line| line.inserted && line.is_visible).map(|line| bare(&line.text)).collect();
    assert_eq!(shown.iter().map(|line| bare(line)).collect::<Vec<_>>(), told);
    assert_eq!((shown.len(), start), (*added as usize, old_start));
    for span in spans.iter().rev() {
        lines.drain(span.start as usize..span.end as usize);
    }
    let mut removed = removed.iter();
    for at in old_spans.iter().cloned().flatten() {
        lines.insert(at as usize, removed.next().expect("a text for each place"));
    }
    assert!(removed.next().is_none());
    let lines: Vec<&[u8]> = lines.into_iter().map(bare).collect();
    assert_eq!(lines, split_lines(then).into_iter().map(bare).collect::<Vec<_>>());
}

/// A compacted weave is the same to all who look at it and decide.
pub(crate) fn same_for_everybody(before: &Weave, after: &Weave, keep: Option<DecisionNo>) {
    assert_eq!(after.view(), before.view());
    assert_eq!(after.hunks(), before.hunks());
    assert_eq!(after.blame(), before.blame());
    assert_eq!(after.marks_of(&|_| true), before.marks_of(&|_| true));
    for hunk in before.hunks() {
        let reject = |weave: &Weave| weave.preview(&hunk.marks, Standing::Rejected);
        assert_eq!(reject(after), reject(before), "{hunk:?}");
    }
    for decision in before.decisions().iter().rev().take(5) {
        let (mut one, mut other) = (before.clone(), after.clone());
        if keep.is_some_and(|last| decision.no > last) {
            assert_eq!(other.undo(decision.no, NOW), one.undo(decision.no, NOW));
            assert_eq!(other.view(), one.view());
            assert_eq!(other.hunks(), one.hunks());
        } else {
            assert!(other.undo(decision.no, NOW).is_err());
        }
    }
}

/// Asks and changes everything; whatever the weave holds, nothing panics.
pub(crate) fn ask_everything(weave: &mut Weave) {
    assert_eq!(Weave::decode(&weave.encode()).as_ref(), Ok(&*weave), "what is read can be written and read again");
    let steps = weave.since()..=weave.step().min(weave.since() + 20);
    assert!(steps.clone().all(|step| weave.at(step).is_some()));
    let mut hunks = weave.hunks();
    hunks.extend(weave.decided_hunks(&|_| true, Decided::Approved));
    hunks.extend(weave.decided_hunks(&|_| true, Decided::Rejected));
    let path = weave.view().path;
    for hunk in hunks.iter().take(9) {
        assert!(hunk.lines(weave).len() <= hunk.marks.len());
        drop(weave.preview(&hunk.marks, Standing::Rejected));
    }
    let revisions: Vec<RevisionNo> = weave.revisions().iter().map(|revision| revision.no).collect();
    for no in revisions.into_iter().take(20) {
        let implied = weave.implied(no);
        weave.fold(no, &implied, NOW);
    }
    let decisions: Vec<DecisionNo> = weave.decisions().iter().map(|decision| decision.no).collect();
    for no in decisions.into_iter().rev().take(20) {
        weave.undo(no, NOW).ok();
    }
    drop((weave.blame(), weave.without(&|_| true)));
    weave.decide(&weave.marks_of(&|_| true), Standing::Rejected, NOW);
    let by = NewRevision { author: Author::Unknown, evidence: Evidence::Nothing, time: NOW, held: true };
    let to = FileState { body: Body::Text(b"a\nb".to_vec()), mode: 0o644, path };
    weave.revise(&to, by);
    assert_eq!(weave.view(), to);
    weave.compact(None);
    assert_eq!(weave.view(), to);
}
