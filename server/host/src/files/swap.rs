//! Replacing, making and removing in one step each, with a look at what came out before it goes.
//!
//! At any moment we hold one thing in our hand (a name of ours) and there is one thing in the place. If what came out is
//! not what was expected, the hand goes back; if meanwhile something newer is in the place, the newer one stays there.

use std::fs::File;

use augment_core::file::FilePath;
use rustix::fs::{AtFlags, RenameFlags, fstat, linkat, renameat, renameat_with, statat, unlinkat};
use rustix::io::Errno;

use super::error::WriteError;
use super::look::{Held, Seen, read_all};
use super::root::Place;
use super::temporary::{Ending, Temporary, fresh_name, keep, keep_content, unlink};
use super::{Expected, ExpectedThing, Ready, Stamp, refusal, writers};

/// How often others may put something new into a place while we bring back what was there.
const ROUNDS: usize = 16;

/// Makes a file or link where nothing is.
pub(super) fn create(place: Place<'_>, ready: &Ready<'_>, model: Option<&Held>) -> Result<Stamp, WriteError> {
    let mut temporary = Temporary::write(&place, ready, model)?;
    match put(&place, temporary.name().as_bytes()) {
        Ok(()) => temporary.let_go(),
        Err(Errno::EXIST) => {
            let absent = Expected { path: place.path.clone(), thing: ExpectedThing::Absent };
            return Err(refusal(place.root, &absent, Held::take(&place, place.name())?.seen));
        }
        Err(errno) => return Err(WriteError::from_errno(place.path, "written", errno)),
    }
    let (file, stamp) = (temporary.file.take(), temporary.stamp);
    drop(temporary);
    if let Err(error) = place.check_still_here().and_then(|()| place.sync()) {
        let in_hand = take_out(place, &ready.expected, |_| Ok(()))?;
        let writer = writers::of(in_hand.name(), file.as_ref());
        in_hand.finish(writer)?;
        return Err(error);
    }
    stamp_now(&place, file.as_ref(), stamp)
}

/// What came out of its place and lies under a name of ours, until it is known that no program writes to it.
pub(super) struct InHand<'a> {
    place: Place<'a>,
    hand: String,
    out: Held,
    expected: Expected,
    /// What we put into the place, if anything.
    put_in: Option<PutIn>,
}

struct PutIn {
    file: Option<File>,
    stamp: Stamp,
    expected: Expected,
}

/// A replacement or removal that has begun.
pub(super) enum Begun<'a> {
    InHand(Box<InHand<'a>>),
    /// The file system cannot exchange: there was no way back, and it is done.
    Done(Stamp),
}

/// Puts the wanted thing into the place, and has what was there in hand.
pub(super) fn exchange<'a>(
    place: Place<'a>,
    expected: &Expected,
    ready: &Ready<'_>,
    before: &Held,
) -> Result<Begun<'a>, WriteError> {
    let (hand, file, stamp) = Temporary::write(&place, ready, Some(before))?.into_swap()?;
    match swap(&place, hand.as_bytes()) {
        Ok(()) => {}
        Err(errno) if is_unsupported(errno) => {
            put_over(&place, expected, hand.as_bytes())?;
            return stamp_now(&place, file.as_ref(), stamp).map(Begun::Done);
        }
        Err(errno) => {
            unlink(&place, hand.as_bytes());
            return Err(match errno {
                Errno::NOENT => refusal(place.root, expected, Seen::Absent),
                errno => WriteError::from_errno(place.path, "replaced", errno),
            });
        }
    }
    let wrote = Expected { path: place.path.clone(), thing: ready.expected.clone() };
    let put_in = PutIn { file, stamp, expected: wrote };
    match check(&place, hand.as_bytes(), expected).and_then(|out| place.sync().map(|()| out)) {
        Ok(out) => {
            let expected = expected.clone();
            Ok(Begun::InHand(Box::new(InHand { place, hand, out, expected, put_in: Some(put_in) })))
        }
        Err(error) => Err(error.with_kept(put_back(&place, hand.as_bytes(), &put_in.ours())?)),
    }
}

/// Takes what is there out of the place.
pub(super) fn take<'a>(place: Place<'a>, expected: &ExpectedThing) -> Result<InHand<'a>, WriteError> {
    take_out(place, expected, |place| place.check_still_here())
}

/// Removes what is there.
pub(super) fn remove(place: Place<'_>, expected: &ExpectedThing) -> Result<(), WriteError> {
    take(place, expected)?.finish_alone().map(drop)
}

fn take_out<'a>(
    place: Place<'a>,
    thing: &ExpectedThing,
    still_here: fn(&Place<'_>) -> Result<(), WriteError>,
) -> Result<InHand<'a>, WriteError> {
    let expected = Expected { path: place.path.clone(), thing: thing.clone() };
    let hand = fresh_name(&place, Ending::Swap)?;
    // The name is random and ours, so there is nothing that a plain rename could overwrite.
    match renameat(place.folder(), place.name(), place.folder(), hand.as_str()) {
        Ok(()) => {}
        Err(Errno::NOENT) => return Err(refusal(place.root, &expected, Seen::Absent)),
        Err(errno) => return Err(WriteError::from_errno(place.path, "removed", errno)),
    }
    let looked = Held::take(&place, hand.as_bytes()).and_then(|out| {
        if !thing.matches(&out.seen) {
            return Err(refusal(place.root, &expected, out.seen));
        }
        still_here(&place).and_then(|()| place.sync()).map(|()| out)
    });
    match looked {
        Ok(out) => Ok(InHand { place, hand, out, expected, put_in: None }),
        Err(error) => Err(error.with_kept(return_to_empty(&place, hand.as_bytes())?)),
    }
}

impl InHand<'_> {
    /// The name under which it lies.
    pub(super) fn name(&self) -> &[u8] {
        self.hand.as_bytes()
    }

    /// Looks for programs that write to it, and finishes.
    pub(super) fn finish_alone(self) -> Result<Option<Stamp>, WriteError> {
        let writer = writers::of(self.name(), None);
        self.finish(writer)
    }

    /// Lets what came out go, unless a program writes to it: then it goes back. Gives the stamp of what is there now.
    pub(super) fn finish(self, writer: Option<String>) -> Result<Option<Stamp>, WriteError> {
        let Self { place, hand, out, expected, put_in } = self;
        let hand = hand.as_bytes();
        let done = match writer {
            Some(by) => Err(Trouble::InHand(WriteError::InUse { path: place.path.clone(), by })),
            None => discard(&place, hand, &out, &expected),
        };
        match (done, put_in) {
            (Ok(()), Some(put_in)) => stamp_now(&place, put_in.file.as_ref(), put_in.stamp).map(Some),
            (Ok(()), None) => Ok(None),
            (Err(Trouble::InHand(error)), Some(put_in)) => {
                Err(error.with_kept(put_back(&place, hand, &put_in.ours())?))
            }
            (Err(Trouble::InHand(error)), None) => Err(error.with_kept(return_to_empty(&place, hand)?)),
            (Err(Trouble::Gone(error)), _) => Err(error),
        }
    }
}

impl PutIn {
    fn ours(&self) -> Ours<'_> {
        Ours { file: self.file.as_ref(), stamp: self.stamp, expected: self.expected.clone() }
    }
}

/// What we put into the place, by which we know it again.
struct Ours<'a> {
    file: Option<&'a File>,
    stamp: Stamp,
    expected: Expected,
}

fn check(place: &Place<'_>, hand: &[u8], expected: &Expected) -> Result<Held, WriteError> {
    let out = Held::take(place, hand)?;
    if !expected.thing.matches(&out.seen) {
        return Err(refusal(place.root, expected, out.seen));
    }
    place.check_still_here()?;
    Ok(out)
}

/// Why what came out did not go, or not as it should.
enum Trouble {
    /// It is still in the hand.
    InHand(WriteError),
    /// Its name is gone; if somebody wrote to it at the last moment, the error says where that is kept.
    Gone(WriteError),
}

/// Removes what is in the hand if it is still what it should be. The last look comes after its name is gone, when only
/// those can still write to it who had it open before.
fn discard(place: &Place<'_>, hand: &[u8], out: &Held, expected: &Expected) -> Result<(), Trouble> {
    if let Some(seen) = changed(place, out, expected).map_err(Trouble::InHand)? {
        return Err(Trouble::InHand(refusal(place.root, expected, seen)));
    }
    match unlinkat(place.folder(), hand, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(errno) => return Err(Trouble::InHand(WriteError::from_errno(place.path, "replaced", errno))),
    }
    let synced = place.sync();
    rescue(place, out, expected).and(synced).map_err(Trouble::Gone)
}

/// Saves what somebody wrote into a file whose name is gone.
fn rescue(place: &Place<'_>, out: &Held, expected: &Expected) -> Result<(), WriteError> {
    if let Some(file) = &out.file
        && let Some(seen) = changed(place, out, expected)?
        && let Some(content) = read_all(place, file)?
    {
        let kept = keep_content(place, &content)?;
        return Err(refusal(place.root, expected, seen).with_kept(Some(kept)));
    }
    Ok(())
}

/// What an open file holds now, if that is not what was expected of it.
fn changed(place: &Place<'_>, out: &Held, expected: &Expected) -> Result<Option<Seen>, WriteError> {
    Ok(out.again(place)?.filter(|seen| !same_content(&expected.thing, seen)))
}

fn same_content(thing: &ExpectedThing, seen: &Seen) -> bool {
    match (thing, seen) {
        (ExpectedThing::File { hash, .. }, Seen::File { hash: found, .. }) => hash == found,
        (ExpectedThing::Absent | ExpectedThing::File { .. } | ExpectedThing::Link(_), seen) => thing.matches(seen),
    }
}

/// Brings what came out back to its place. Each exchange should bring out what was put in last; as long as it brings out
/// something else, that is newer and belongs into the place. In the end the hand holds our own file, which goes, or
/// something older of somebody else's, which is kept.
fn put_back(place: &Place<'_>, hand: &[u8], ours: &Ours<'_>) -> Result<Option<FilePath>, WriteError> {
    // `None` stands for our own file.
    let mut in_place = None;
    for _ in 0..ROUNDS {
        let in_hand = identity(place, hand)?;
        match swap(place, hand) {
            Ok(()) => {}
            Err(Errno::NOENT) => return return_to_empty(place, hand),
            Err(errno) => {
                let error = WriteError::from_errno(place.path, "put back", errno);
                return Err(error.with_kept(Some(keep(place, hand)?)));
            }
        }
        let out = identity(place, hand)?;
        match in_place {
            None if ours.is(place, hand, out)? => return ours.discard(place, hand),
            Some(identity) if out == identity => break,
            None | Some(_) => in_place = Some(in_hand),
        }
    }
    keep(place, hand).map(Some)
}

/// The device and inode by which a thing is known again under another name. It is not opened: it need not be readable.
fn identity(place: &Place<'_>, name: &[u8]) -> Result<(u64, u64), WriteError> {
    statat(place.folder(), name, AtFlags::SYMLINK_NOFOLLOW)
        .map(|stat| (stat.st_dev, stat.st_ino))
        .map_err(|errno| WriteError::from_errno(place.path, "put back", errno))
}

impl Ours<'_> {
    /// What we wrote, through our own handle: its mode may forbid us to open it again.
    fn held(&self, place: &Place<'_>, hand: &[u8]) -> Result<Held, WriteError> {
        match self.file {
            Some(file) => {
                let file = file.try_clone().map_err(|error| WriteError::from_io(place.path, "put back", error))?;
                Held::of(place, file)
            }
            None => Held::take(place, hand),
        }
    }

    /// Whether it came out as we had put it in.
    fn is(&self, place: &Place<'_>, hand: &[u8], out: (u64, u64)) -> Result<bool, WriteError> {
        if out.1 != self.stamp.inode {
            return Ok(false);
        }
        Ok(same_content(&self.expected.thing, &self.held(place, hand)?.seen))
    }

    fn discard(&self, place: &Place<'_>, hand: &[u8]) -> Result<Option<FilePath>, WriteError> {
        // For a moment it was in the place, where somebody may have opened it to write.
        if writers::of(hand, self.file).is_some() {
            return keep(place, hand).map(Some);
        }
        match discard(place, hand, &self.held(place, hand)?, &self.expected) {
            Ok(()) => Ok(None),
            Err(Trouble::Gone(WriteError::Kept { kept, .. })) => Ok(Some(kept)),
            Err(Trouble::Gone(error)) => Err(error),
            Err(Trouble::InHand(_)) => keep(place, hand).map(Some),
        }
    }
}

/// Brings what came out back to a place where nothing is. If something is there by now, that is newer.
fn return_to_empty(place: &Place<'_>, hand: &[u8]) -> Result<Option<FilePath>, WriteError> {
    match put(place, hand) {
        Ok(()) => place.sync().map(|()| None),
        Err(_) => keep(place, hand).map(Some),
    }
}

/// Renames to the place if nothing is there.
fn put(place: &Place<'_>, from: &[u8]) -> Result<(), Errno> {
    match rename_with(place, from, place.name(), RenameFlags::NOREPLACE) {
        Err(errno) if is_unsupported(errno) => put_by_link(place, from),
        done => done,
    }
}

/// Linking never replaces anything either. Where there are no hard links, a look has to do.
fn put_by_link(place: &Place<'_>, from: &[u8]) -> Result<(), Errno> {
    let (folder, name) = (place.folder(), place.name());
    match linkat(folder, from, folder, name, AtFlags::empty()) {
        Ok(()) => unlinkat(folder, from, AtFlags::empty()),
        Err(Errno::EXIST) => Err(Errno::EXIST),
        Err(_) => match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Err(Errno::EXIST),
            Err(Errno::NOENT) => renameat(folder, from, folder, name),
            Err(errno) => Err(errno),
        },
    }
}

/// For file systems that cannot exchange: looks, and renames over it at once. Between the two lies the moment that the
/// exchange does not have; what is written through an open handle in it is still found afterwards.
fn put_over(place: &Place<'_>, expected: &Expected, hand: &[u8]) -> Result<(), WriteError> {
    let old = match check(place, place.name(), expected) {
        Ok(old) => old,
        Err(error) => {
            unlink(place, hand);
            return Err(error);
        }
    };
    if let Err(errno) = renameat(place.folder(), hand, place.folder(), place.name()) {
        unlink(place, hand);
        return Err(WriteError::from_errno(place.path, "replaced", errno));
    }
    place.sync()?;
    rescue(place, &old, expected)
}

/// Exchanges what is in the place and what is in hand.
///
/// The place is named first. Of an exchange the system tells as of two moves, one after the other, and programs that fold
/// what they hear of one name (VS Code's watcher) believe the last word: this way round the file was moved in and has
/// changed; the other way round it was moved out, and an editor that shows it would not read it again.
fn swap(place: &Place<'_>, hand: &[u8]) -> Result<(), Errno> {
    rename_with(place, place.name(), hand, RenameFlags::EXCHANGE)
}

fn rename_with(place: &Place<'_>, from: &[u8], to: &[u8], how: RenameFlags) -> Result<(), Errno> {
    renameat_with(place.folder(), from, place.folder(), to, how)
}

fn is_unsupported(errno: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP].contains(&errno)
}

/// What the file system says of what we wrote. Renaming changes `changed_ns`; should somebody have written into it since,
/// the rest stays as we left it, so that it does not match and is read again.
fn stamp_now(place: &Place<'_>, file: Option<&File>, written: Stamp) -> Result<Stamp, WriteError> {
    let stat = match file {
        Some(file) => fstat(file),
        None => statat(place.folder(), place.name(), AtFlags::SYMLINK_NOFOLLOW),
    };
    match stat {
        Ok(stat) => Ok(Stamp { changed_ns: Stamp::of(&stat).changed_ns, ..written }),
        Err(Errno::NOENT) => Ok(written),
        Err(errno) => Err(WriteError::from_errno(place.path, "looked at", errno)),
    }
}

#[cfg(test)]
mod tests;
