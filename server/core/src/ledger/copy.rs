//! A copy of the ledger that left its database, checked by itself. Each record comes with the hashes that were kept beside
//! it, so its place is known even where its text was redacted or records between are left out.
//!
//! What such a check cannot show is told by whoever shows its result: the text of redacted records, what stood in gaps, records
//! cut off at an end that nobody noted, and a copy that was rewritten as a whole.

use std::fmt;

use super::{Break, Hash, Head, Link};

/// A record as it stands in a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    pub link: Link,
    /// Something in its text was masked: the hash is that of the text before.
    pub redacted: bool,
}

/// How much of the ledger a copy claims to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every record from the first on.
    Whole,
    /// Some records in their order, such as those of one session.
    Part,
}

/// What a copy says about itself at its end, or somebody noted elsewhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Promise {
    pub head: Option<Hash>,
    pub records: Option<u64>,
}

/// The first thing that is wrong with a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyBreak {
    Chain(Break),
    /// The record of the head that it should end with, or that was noted, is not there.
    NoHead {
        head: Hash,
        last: u64,
    },
    /// There are more or fewer than the copy says.
    Count {
        said: u64,
        found: u64,
    },
}

impl CopyBreak {
    /// The record to look at, where one can be named.
    #[must_use]
    pub fn sequence(&self) -> Option<u64> {
        match self {
            Self::Chain(broken) => Some(broken.sequence()),
            Self::NoHead { last, .. } => Some(last.saturating_add(1)),
            Self::Count { .. } => None,
        }
    }
}

impl fmt::Display for CopyBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(broken) => broken.fmt(f),
            Self::NoHead { head, last } => write!(
                f,
                "The last record is {last}, and no record has the hash {head}: what came after record {last} was cut off, or \
                 all was written anew."
            ),
            Self::Count { said, found } => {
                write!(f, "It says that it holds {said} records, and it holds {found}: some were taken out or put in.")
            }
        }
    }
}

/// Follows a copy record by record; nothing of it is kept but where it stands.
#[derive(Debug, Clone)]
pub struct CopyCheck {
    extent: Extent,
    noted: Option<Hash>,
    noted_at: Option<u64>,
    last: Option<Head>,
    first: Option<u64>,
    records: u64,
    redacted: u64,
    gaps: u64,
}

impl CopyCheck {
    /// `noted` is a head that was written down before: its record has to be there.
    #[must_use]
    pub fn new(extent: Extent, noted: Option<Hash>) -> Self {
        Self { extent, noted, noted_at: None, last: None, first: None, records: 0, redacted: 0, gaps: 0 }
    }

    /// Takes the next record, or says what is wrong with it.
    pub fn next(&mut self, copied: &Copied) -> Result<(), Break> {
        let link = &copied.link;
        let found = link.record.sequence;
        let before = match self.extent {
            Extent::Whole => self.last.unwrap_or(Head::EMPTY),
            Extent::Part => self.head_before(link)?,
        };
        let sequence = before.sequence + 1;
        if found > sequence {
            return Err(Break::Missing { sequence });
        }
        if found < sequence {
            return Err(Break::OutOfOrder { sequence, found });
        }
        if link.previous != before.hash {
            return Err(Break::Unlinked { sequence });
        }
        // What was masked does not give its hash any more; the next record still has to follow it.
        if !copied.redacted && before.after(&link.record).hash != link.hash {
            return Err(Break::Changed { sequence });
        }
        if self.noted == Some(link.hash) {
            self.noted_at = Some(found);
        }
        self.first.get_or_insert(found);
        self.last = Some(Head { sequence: found, hash: link.hash });
        self.records += 1;
        self.redacted += u64::from(copied.redacted);
        Ok(())
    }

    /// Where the chain stood before a record of a part: at the record before if that is there, else where it says itself.
    fn head_before(&mut self, link: &Link) -> Result<Head, Break> {
        let found = link.record.sequence;
        match self.last {
            Some(last) if found <= last.sequence => {
                Err(Break::OutOfOrder { sequence: last.sequence.saturating_add(1), found })
            }
            Some(last) if found - last.sequence == 1 => Ok(last),
            Some(_) | None => {
                self.gaps += u64::from(found > 1);
                Ok(Head { sequence: found.saturating_sub(1), hash: link.previous })
            }
        }
    }

    /// The end of the copy: whether it is the one that was promised.
    pub fn end(&self, promise: Promise) -> Result<(), CopyBreak> {
        let last = self.last.unwrap_or(Head::EMPTY);
        if let Some(head) = promise.head.filter(|head| *head != last.hash) {
            return Err(CopyBreak::NoHead { head, last: last.sequence });
        }
        if let Some(said) = promise.records.filter(|said| *said != self.records) {
            return Err(CopyBreak::Count { said, found: self.records });
        }
        match (self.noted, self.noted_at) {
            (Some(head), None) if head != Hash::NONE => Err(CopyBreak::NoHead { head, last: last.sequence }),
            (Some(_) | None, _) => Ok(()),
        }
    }

    #[must_use]
    pub fn head(&self) -> Head {
        self.last.unwrap_or(Head::EMPTY)
    }

    /// The first record that is there.
    #[must_use]
    pub fn first(&self) -> Option<u64> {
        self.first
    }

    /// The record of the noted head.
    #[must_use]
    pub fn noted_at(&self) -> Option<u64> {
        self.noted_at
    }

    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    #[must_use]
    pub fn redacted(&self) -> u64 {
        self.redacted
    }

    /// How many times records are left out, at the beginning or between.
    #[must_use]
    pub fn gaps(&self) -> u64 {
        self.gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Record;
    use crate::time::Wall;

    fn copy(length: u64) -> Vec<Copied> {
        let mut head = Head::EMPTY;
        let link = |sequence: u64| {
            let record = Record {
                sequence,
                time: Wall(1_000),
                actor: "person:ada".into(),
                kind: "task.added".into(),
                subject: format!("task:a{sequence}"),
                about: vec![],
                data: format!("{{\"title\":\"t{sequence}\"}}"),
                version: 1,
            };
            let previous = head.hash;
            head = head.after(&record);
            Copied { link: Link { record, previous, hash: head.hash }, redacted: false }
        };
        (1..=length).map(link).collect()
    }

    /// What is found, as people read it; nothing where all is well.
    fn found(extent: Extent, copy: &[Copied], promise: Promise, noted: Option<Hash>) -> Option<String> {
        let mut check = CopyCheck::new(extent, noted);
        for copied in copy {
            if let Err(broken) = check.next(copied) {
                return Some(broken.to_string());
            }
        }
        check.end(promise).err().map(|broken| broken.to_string())
    }

    fn promise(copy: &[Copied]) -> Promise {
        Promise { head: copy.last().map(|it| it.link.hash), records: Some(copy.len() as u64) }
    }

    #[test]
    fn a_whole_copy_holds_and_every_touch_is_found() {
        let whole = copy(9);
        let promised = promise(&whole);
        let check = |copy: &[Copied]| found(Extent::Whole, copy, promised, None);
        assert_eq!(check(&whole), None);
        assert!(
            check(&whole[..8]).is_some_and(|it| it.starts_with("The last record is 8, and no record has the hash"))
        );
        let mut swapped = whole.clone();
        swapped.swap(3, 4);
        assert_eq!(check(&swapped).as_deref(), Some("Record 4 is missing."));
        let mut edited = whole.clone();
        edited[6].link.record.data = "{\"title\":\"t8\"}".into();
        assert_eq!(check(&edited).as_deref(), Some("Record 7 was changed after it was written."));
        let mut removed = whole;
        removed.remove(2);
        assert_eq!(check(&removed).as_deref(), Some("Record 3 is missing."));
    }

    #[test]
    fn a_cut_end_is_only_found_where_the_end_is_known() {
        let whole = copy(5);
        assert_eq!(found(Extent::Whole, &whole[..4], Promise::default(), None), None);
        assert!(found(Extent::Whole, &whole[..4], Promise::default(), Some(whole[4].link.hash)).is_some());
        assert_eq!(found(Extent::Whole, &whole, Promise::default(), Some(whole[2].link.hash)), None);
        assert_eq!(found(Extent::Whole, &whole, Promise::default(), Some(Hash::NONE)), None);
    }

    #[test]
    fn the_place_of_a_redacted_record_is_still_checked() {
        let mut redacted = copy(5);
        redacted[2].redacted = true;
        redacted[2].link.record.data = "{\"title\":\"[github-token]\"}".into();
        assert_eq!(found(Extent::Whole, &redacted, Promise::default(), None), None);
        redacted[2].link.hash = Hash([7; 32]);
        assert_eq!(
            found(Extent::Whole, &redacted, Promise::default(), None).as_deref(),
            Some("Record 4 does not follow the record before it: one of them was replaced.")
        );
    }

    #[test]
    fn a_part_may_have_gaps_but_no_disorder() {
        let whole = copy(9);
        let part: Vec<Copied> = [2, 3, 6, 8].map(|at| whole[at].clone()).into();
        assert_eq!(found(Extent::Part, &part, promise(&part), None), None);
        let mut check = CopyCheck::new(Extent::Part, None);
        for copied in &part {
            check.next(copied).unwrap();
        }
        assert_eq!((check.gaps(), check.records(), check.first()), (3, 4, Some(3)));
        let swapped: Vec<Copied> = [2, 6, 3, 8].map(|at| whole[at].clone()).into();
        assert_eq!(
            found(Extent::Part, &swapped, promise(&part), None).as_deref(),
            Some("Record 4 stands where record 8 belongs.")
        );
        let mut edited = part.clone();
        edited[2].link.record.actor = "person:eve".into();
        assert_eq!(
            found(Extent::Part, &edited, promise(&part), None).as_deref(),
            Some("Record 7 was changed after it was written.")
        );
        assert_eq!(
            found(Extent::Part, &[part[0].clone(), part[1].clone(), part[3].clone()], promise(&part), None).as_deref(),
            Some("It says that it holds 4 records, and it holds 3: some were taken out or put in.")
        );
    }
}
