//! Writing. Each function here has its counterpart of the same name in `read`.

use super::super::decide::{Change, Decision, DecisionKind};
use super::super::line::Line;
use super::super::register::{Kind, Register};
use super::super::{Mark, MarkRef, Revision, Standing, Verdict, Weave};
use crate::attribution::{Author, Evidence};

pub(super) fn weave(weave: &Weave) -> Vec<u8> {
    let text: usize = weave.lines.iter().map(|line| line.text.len() + 8).sum();
    let mut out = Out(Vec::with_capacity(text + 256));
    out.byte(super::FORM);
    out.number(weave.next_line);
    out.number(u64::from(weave.next_revision));
    out.number(u64::from(weave.step));
    out.number(u64::from(weave.since));
    out.number(weave.seed);
    out.list(&weave.revisions, revision);
    register(&mut out, &weave.body, kind);
    register(&mut out, &weave.mode, |out, mode| match mode {
        None => out.number(0),
        Some(mode) => out.number(u64::from(*mode) + 1),
    });
    register(&mut out, &weave.path, |out, path| out.bytes(path.as_bytes()));
    let mut previous = 0;
    out.list(&weave.lines, |out, each| {
        line(out, each, previous);
        previous = each.id.0;
    });
    out.list(&weave.decisions, decision);
    out.0
}

struct Out(Vec<u8>);

impl Out {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    /// Small ones of either sign stay small.
    fn signed(&mut self, number: i64) {
        self.number((number.cast_unsigned() << 1) ^ (number >> 63).cast_unsigned());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }
}

fn revision(out: &mut Out, revision: &Revision) {
    out.number(u64::from(revision.no.0));
    out.number(u64::from(revision.step));
    author(out, &revision.author);
    out.byte(evidence(revision.evidence));
    out.signed(revision.time.0);
    out.byte(u8::from(revision.held));
}

fn author(out: &mut Out, author: &Author) {
    match author {
        Author::Person { name } => {
            out.byte(0);
            out.bytes(name.as_bytes());
        }
        Author::Run(run) => {
            out.byte(1);
            out.number(run.task.number());
            out.number(u64::from(run.attempt));
        }
        Author::Vcs => out.byte(2),
        Author::Unknown => out.byte(3),
    }
}

fn evidence(evidence: Evidence) -> u8 {
    match evidence {
        Evidence::Assigned => 0,
        Evidence::DeclaredContent => 1,
        Evidence::DeclaredPath => 2,
        Evidence::Saved => 3,
        Evidence::Applied => 4,
        Evidence::VersionControl => 5,
        Evidence::Inferred => 6,
        Evidence::Unwatched => 7,
        Evidence::Nothing => 8,
    }
}

fn kind(out: &mut Out, kind: &Kind) {
    match kind {
        Kind::Absent => out.byte(0),
        Kind::Text => out.byte(1),
        Kind::Whole { hash, length } => {
            out.byte(2);
            out.0.extend_from_slice(&hash.0);
            out.number(*length);
        }
        Kind::Link(target) => {
            out.byte(3);
            out.bytes(target);
        }
        Kind::Large { length, changed_ns } => {
            out.byte(4);
            out.number(*length);
            out.signed(*changed_ns);
        }
        Kind::Special => out.byte(5),
    }
}

fn register<T>(out: &mut Out, register: &Register<T>, value: impl Fn(&mut Out, &T)) {
    value(out, &register.base);
    out.number(u64::from(register.base_revision.0));
    out.number(u64::from(register.next));
    out.list(&register.entries, |out, entry| {
        out.number(u64::from(entry.number));
        value(out, &entry.value);
        mark(out, entry.mark);
    });
}

fn verdict(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Open => 0,
        Verdict::Approved => 1,
        Verdict::Rejected => 2,
    }
}

fn mark(out: &mut Out, mark: Mark) {
    out.number(u64::from(mark.revision.0) * 3 + u64::from(verdict(mark.verdict)));
}

/// Most lines follow the one whose id is one less, are not open and not deleted: one byte for all of that.
fn line(out: &mut Out, line: &Line, previous: u64) {
    let step = line.id.0.wrapping_sub(previous).cast_signed();
    out.byte(line.open * 2 + u8::from(!line.deleted.is_empty()));
    out.signed(step);
    mark(out, line.inserted);
    if !line.deleted.is_empty() {
        out.list(&line.deleted, |out, each| {
            mark(out, *each);
            out.number(u64::from(each.made.0.saturating_sub(each.revision.0)));
        });
    }
    out.bytes(&line.text);
}

fn standing(standing: Standing) -> u8 {
    match standing {
        Standing::Pending => 0,
        Standing::Approved => 1,
        Standing::Rejected => 2,
    }
}

fn decision(out: &mut Out, decision: &Decision) {
    out.number(u64::from(decision.no.0));
    out.signed(decision.time.0);
    match decision.kind {
        DecisionKind::Decided(to) => out.byte(standing(to)),
        DecisionKind::Undid(no) => {
            out.byte(3);
            out.number(u64::from(no.0));
        }
    }
    out.number(decision.undone_by.map_or(0, |by| u64::from(by.0)));
    out.list(&decision.changes, |out, each| change(out, *each));
}

fn change(out: &mut Out, change: Change) {
    let verdicts = verdict(change.from) * 3 + verdict(change.to);
    let kind = |kind: u8| kind * 9 + verdicts;
    match change.mark {
        MarkRef::Inserted(line) => {
            out.byte(kind(0));
            out.number(line.0);
        }
        MarkRef::Deleted(line, by) => {
            out.byte(kind(1));
            out.number(line.0);
            out.number(u64::from(by.0));
        }
        MarkRef::Body(number) => {
            out.byte(kind(2));
            out.number(u64::from(number));
        }
        MarkRef::Mode(number) => {
            out.byte(kind(3));
            out.number(u64::from(number));
        }
        MarkRef::Path(number) => {
            out.byte(kind(4));
            out.number(u64::from(number));
        }
    }
}
