//! How an author's marks on lines come together as hunks: marks next to each other are one hunk until a line stands
//! between them that stood there already when the later of the two was made. What others put in between afterwards does
//! not tear a hunk apart, and what others take away between two hunks does not make them one; so others' edits above,
//! below and inside leave it the same hunk.

use std::collections::BTreeSet;
use std::ops::Range;

use super::hunks::{Group, Hunk, HunkId, LineChange, Shape};
use super::{MarkRef, RevisionNo, Standing, Verdict, Weave, as_it_is};
use crate::attribution::Author;

/// The weave as it is looked at for one list of hunks.
pub(super) struct Grouping<'a> {
    weave: &'a Weave,
    visible: Vec<bool>,
    /// How many visible lines come before each line.
    before: Vec<u32>,
    /// The lines with marks that stand as wanted, in order.
    marked: Vec<Marked<'a>>,
}

/// One author's marks on one line that stand as wanted.
struct Marked<'a> {
    at: usize,
    author: &'a Author,
    touch: Touch,
}

/// The same without its author.
#[derive(Clone)]
pub(super) struct Touch {
    at: usize,
    inserted: bool,
    deleted: Vec<RevisionNo>,
    first: RevisionNo,
    last: RevisionNo,
}

impl<'a> Grouping<'a> {
    pub(super) fn new(weave: &'a Weave, standing: Standing) -> Self {
        let visible: Vec<bool> = weave.lines.iter().map(|line| line.is_visible(&as_it_is)).collect();
        let mut count = 0;
        let mut before: Vec<u32> = Vec::with_capacity(visible.len() + 1);
        for is_visible in &visible {
            before.push(count);
            count += u32::from(*is_visible);
        }
        before.push(count);
        let mut grouping = Self { weave, visible, before, marked: Vec::new() };
        for at in 0..weave.lines.len() {
            grouping.find_marks(at, standing);
        }
        grouping
    }

    fn find_marks(&mut self, at: usize, standing: Standing) {
        let line = &self.weave.lines[at];
        let from = self.marked.len();
        let marks = std::iter::once((line.inserted, true)).chain(line.deleted.iter().map(|mark| (*mark, false)));
        for (mark, is_insertion) in marks {
            // Nearly every line is the base's and has no other mark.
            if mark.revision == RevisionNo::BASE || !self.weave.is_standing(mark, standing) {
                continue;
            }
            let Some(author) = self.weave.author_of(mark.revision) else { continue };
            let known = self.marked[from..].iter().position(|marked| marked.author == author);
            let place = known.map_or(self.marked.len(), |known| from + known);
            if known.is_none() {
                let (first, last) = (mark.revision, mark.revision);
                let touch = Touch { at, inserted: false, deleted: Vec::new(), first, last };
                self.marked.push(Marked { at, author, touch });
            }
            let touch = &mut self.marked[place].touch;
            touch.first = touch.first.min(mark.revision);
            touch.last = touch.last.max(mark.revision);
            if is_insertion {
                touch.inserted = true;
            } else {
                touch.deleted.push(mark.revision);
            }
        }
    }

    pub(super) fn touched(&self, author: &Author) -> Vec<Touch> {
        debug_assert!(self.marked.is_sorted_by_key(|marked| marked.at), "lines are looked through in order");
        self.marked.iter().filter(|marked| marked.author == author).map(|marked| marked.touch.clone()).collect()
    }

    pub(super) fn line_groups(&self, author: &Author, touched: &[Touch]) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut start = 0;
        let mut inside = Vec::new();
        for next in 1..=touched.len() {
            let bridge = touched.get(next).and_then(|touch| self.bridge(&touched[next - 1], touch));
            match bridge {
                Some(lines) => inside.extend(lines),
                None => {
                    let touched = &touched[start..next];
                    let (hunk, place) = (self.hunk(author, touched, &inside), touched[0].at);
                    groups.push(Group { hunk, place, has_effect: self.has_effect(touched) });
                    inside.clear();
                    start = next;
                }
            }
        }
        groups
    }

    /// Whether rejecting these marks would change which lines are visible. A line that several authors want deleted is
    /// shown by the last of them, although it takes all to bring it back.
    pub(super) fn has_effect(&self, touched: &[Touch]) -> bool {
        touched.iter().any(|touch| {
            let line = &self.weave.lines[touch.at];
            let is_last = |by: RevisionNo| touch.deleted.iter().any(|own| *own > by);
            let mut others = line
                .deleted
                .iter()
                .filter(|mark| mark.verdict != Verdict::Rejected && !touch.deleted.contains(&mark.revision));
            let takes = !touch.inserted
                && !touch.deleted.is_empty()
                && line.inserted.verdict != Verdict::Rejected
                && others.all(|mark| self.weave.is_standing(*mark, Standing::Pending) && is_last(mark.revision));
            takes || self.visible[touch.at] && touch.inserted
        })
    }

    /// The visible lines that came between two marks later, or `None` if a line was there already.
    fn bridge(&self, left: &Touch, right: &Touch) -> Option<Vec<usize>> {
        let made = left.last.max(right.last);
        let mut inside = Vec::new();
        for at in left.at + 1..right.at {
            let line = &self.weave.lines[at];
            if line.inserted.verdict == Verdict::Rejected {
                continue;
            }
            let was_there = line.inserted.revision <= made;
            let was_gone = line.deleted.iter().any(|mark| mark.revision <= made && mark.verdict != Verdict::Rejected);
            if was_there && !was_gone {
                return None;
            }
            if self.visible[at] {
                inside.push(at);
            }
        }
        Some(inside)
    }

    fn hunk(&self, author: &Author, touched: &[Touch], inside: &[usize]) -> Hunk {
        let mut entangled = BTreeSet::new();
        let mut name = self.weave.new_name(author);
        for at in inside {
            let line = &self.weave.lines[*at];
            if let Some(other) = self.weave.author_of(line.inserted.revision).filter(|by| *by != author) {
                entangled.insert(other.clone());
                name.mark(line.inserted_ref());
            }
        }
        let mut hunk = Hunk {
            id: HunkId([0; 32]),
            author: author.clone(),
            revisions: (RevisionNo(u32::MAX), RevisionNo::BASE),
            marks: Vec::new(),
            shape: Shape::Lines(self.change(touched)),
            entangled: Vec::new(),
        };
        for touch in touched {
            let line = &self.weave.lines[touch.at];
            self.add(&mut hunk, touch, &mut entangled);
            name.number(u64::from(self.visible[touch.at]));
            name.number(u64::from(self.is_visible_without(touch)));
            name.number(u64::from(line.open));
            name.bytes(&line.text);
        }
        for mark in &hunk.marks {
            name.mark(*mark);
        }
        hunk.id = name.finish();
        entangled.remove(author);
        hunk.entangled = entangled.into_iter().collect();
        hunk
    }

    /// Puts all of an author's marks on lines into a hunk of the file as a whole.
    pub(super) fn add_all(&self, hunk: &mut Hunk, touched: &[Touch], revisions: &[RevisionNo]) {
        let mut entangled: BTreeSet<Author> = hunk.entangled.iter().cloned().collect();
        for touch in touched {
            self.add(hunk, touch, &mut entangled);
        }
        let since = revisions.iter().min().copied().unwrap_or(RevisionNo::BASE);
        for (at, line) in self.weave.lines.iter().enumerate() {
            if self.visible[at] && line.inserted.revision > since {
                entangled.extend(self.weave.author_of(line.inserted.revision).cloned());
            }
        }
        entangled.remove(&hunk.author);
        hunk.entangled = entangled.into_iter().collect();
    }

    fn add(&self, hunk: &mut Hunk, touch: &Touch, entangled: &mut BTreeSet<Author>) {
        let line = &self.weave.lines[touch.at];
        hunk.revisions = (hunk.revisions.0.min(touch.first), hunk.revisions.1.max(touch.last));
        if touch.inserted {
            hunk.marks.push(line.inserted_ref());
        }
        // Whoever else deleted the line has taken it from the hunk, or keeps it from coming back.
        let deletions = line.deleted.iter().filter(|mark| mark.verdict != Verdict::Rejected);
        entangled.extend(deletions.filter_map(|mark| self.weave.author_of(mark.revision)).cloned());
        hunk.marks.extend(touch.deleted.iter().map(|by| MarkRef::Deleted(line.id, *by)));
    }

    fn change(&self, touched: &[Touch]) -> LineChange {
        let (first, last) = (touched[0].at, touched[touched.len() - 1].at);
        let start = self.before[first];
        let mut change = LineChange {
            start,
            added: 0,
            spans: Vec::new(),
            removed: Vec::new(),
            old_start: start,
            old_spans: Vec::new(),
        };
        let is_at_the_end = self.before[last + 1] == self.before[self.before.len() - 1];
        let mut open = 0;
        let mut old = start;
        let mut touches = touched.iter().peekable();
        for at in first..=last {
            let line = &self.weave.lines[at];
            let touch = touches.next_if(|touch| touch.at == at);
            let stays = match touch {
                None => self.visible[at],
                Some(touch) => self.is_visible_without(touch),
            };
            if let Some(touch) = touch {
                if self.visible[at] && touch.inserted {
                    change.added += 1;
                    extend(&mut change.spans, self.before[at]);
                }
                if stays && !self.visible[at] {
                    change.removed.push(line.text.to_vec());
                    extend(&mut change.old_spans, old);
                }
            }
            if stays {
                // The last text ends the file, if this is the end and nothing visible comes after.
                open = if self.visible[at] { 0 } else { usize::from(line.open) };
                old += 1;
            }
        }
        if is_at_the_end && let Some(text) = change.removed.last_mut() {
            text.truncate(text.len() - open.min(text.len()));
        }
        change
    }

    /// Whether the line would be visible if these marks were rejected.
    fn is_visible_without(&self, touch: &Touch) -> bool {
        let line = &self.weave.lines[touch.at];
        let others = |by: RevisionNo| !touch.deleted.contains(&by);
        !touch.inserted
            && line.inserted.verdict != Verdict::Rejected
            && line.deleted.iter().all(|mark| mark.verdict == Verdict::Rejected || !others(mark.revision))
    }
}

fn extend(spans: &mut Vec<Range<u32>>, at: u32) {
    match spans.last_mut() {
        Some(span) if span.end == at => span.end = at + 1,
        Some(_) | None => spans.push(at..at + 1),
    }
}
