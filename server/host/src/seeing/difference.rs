//! From paths that were touched to files that differ from what is known of them. Nothing is read here; a stat tells.

use std::collections::{BTreeMap, HashMap};

use augment_core::file::FilePath;

use super::batch::Touched;
use super::disk::There;
use super::looking::{Eye, Grounds, shown};
use super::manifest::{Entry, join};
use super::stamp::Stamp;

/// A file that may differ from what is known of it.
pub(super) struct Difference {
    pub(super) path: FilePath,
    /// `None` when it is gone.
    pub(super) now: Option<Stamp>,
    pub(super) known: Option<Entry>,
    /// The path and entry that it had before it was moved.
    pub(super) moved: Option<(FilePath, Entry)>,
    pub(super) touched: Touched,
}

/// Looks at touched paths. The result is in the order of paths, with each path once.
pub(super) fn find(eye: &Eye, touched: Vec<Touched>) -> Vec<Difference> {
    let mut paths: BTreeMap<Vec<u8>, Touched> = BTreeMap::new();
    for touched in touched {
        match paths.get_mut(&touched.path) {
            Some(known) => known.join(touched),
            None => drop(paths.insert(touched.path.clone(), touched)),
        }
    }
    let mut found = BTreeMap::new();
    for touched in paths.into_values() {
        look_at(eye, touched, &mut found);
    }
    pair_moves(found.into_values().collect())
}

fn look_at(eye: &Eye, touched: Touched, found: &mut BTreeMap<FilePath, Difference>) {
    let grounds = &eye.grounds;
    if is_inside_ours(grounds, &touched.path) {
        return;
    }
    let there = match grounds.disk.there(&touched.path) {
        Ok(there) => there,
        Err(error) => {
            let path = shown(&touched.path);
            let sentence = format!("{path} cannot be looked at ({error}), so its changes are not seen.");
            grounds.note(&format!("unreadable {path}"), &sentence);
            return;
        }
    };
    let manifest = eye.manifest();
    if there != There::Folder && manifest.knows_below(&touched.path) {
        for (folder, files) in manifest.folders_below(&touched.path) {
            for (name, entry) in files.iter() {
                let below = Touched { path: join(folder, name), ..touched.clone() };
                put(grounds, below, None, Some(*entry), found);
            }
        }
    }
    let known = manifest.get(&touched.path).copied();
    drop(manifest);
    let now = match there {
        There::Thing(stamp) => Some(stamp),
        There::Nothing | There::Folder => None,
    };
    match (&now, &known) {
        (None, None) => {}
        (Some(now), Some(known)) if known.stamp == *now && !known.fresh => {}
        (Some(_), None) if grounds.leaves_out_path(&touched.path) && !is_tracked(grounds, &touched.path) => {}
        (Some(_), None | Some(_)) | (None, Some(_)) => put(grounds, touched, now, known, found),
    }
}

fn put(
    grounds: &Grounds,
    touched: Touched,
    now: Option<Stamp>,
    known: Option<Entry>,
    found: &mut BTreeMap<FilePath, Difference>,
) {
    match FilePath::new(touched.path.as_slice()) {
        Ok(path) => {
            found.insert(path.clone(), Difference { path, now, known, moved: None, touched });
        }
        Err(why) => {
            let path = shown(&touched.path);
            grounds.note("unnameable", &format!("The changes of {path} are not seen: {why}."));
        }
    }
}

/// A left-out file that was added to the index by force. The answer is remembered until the index or the rules change.
fn is_tracked(grounds: &Grounds, path: &[u8]) -> bool {
    if grounds.is_known_untracked(path) {
        return false;
    }
    let index = grounds.repository_of(path).and_then(|number| grounds.index(number));
    let tracked = index.is_some_and(|index| index.get(path).is_some());
    if !tracked {
        grounds.remember_untracked(path);
    }
    tracked
}

fn is_inside_ours(grounds: &Grounds, path: &[u8]) -> bool {
    let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    ends.chain([path.len()]).any(|end| {
        let (folder, name) = super::manifest::split(&path[..end]);
        grounds.is_never_looked_at(folder, name)
    })
}

/// Finds the files that went from one path to another: told by an event, or the same file by its stamp.
fn pair_moves(mut found: Vec<Difference>) -> Vec<Difference> {
    let mut gone: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, difference) in found.iter().enumerate() {
        if let (None, Some(known)) = (&difference.now, &difference.known) {
            gone.entry(known.stamp.inode).or_default().push(at);
        }
    }
    if gone.is_empty() {
        return found;
    }
    let mut taken = vec![false; found.len()];
    for at in 0..found.len() {
        let (Some(now), None) = (found[at].now, found[at].known) else { continue };
        let told = found[at].touched.moved_from.clone();
        let from = gone.get(&now.inode).into_iter().flatten().copied().find(|from| {
            let candidate = &found[*from];
            let same = candidate.known.is_some_and(|known| known.stamp.is_same_file(&now));
            !taken[*from] && (same || told.as_deref() == Some(candidate.path.as_bytes()))
        });
        if let Some(from) = from {
            taken[from] = true;
            found[at].moved = found[from].known.map(|known| (found[from].path.clone(), known));
        }
    }
    let mut taken = taken.into_iter();
    found.retain(|_| !taken.next().unwrap_or(false));
    found
}
