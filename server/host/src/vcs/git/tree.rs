//! Trees made from trees: only the folders on the way to what changes are read and written, whatever else the repository
//! holds. Nothing here knows of the index or of the disk.

use std::collections::BTreeMap;

use git2::{ObjectType, Oid, Repository, Tree};

use super::as_path;

/// What a tree has at a path: the object and its mode.
pub(super) type Kept = (Oid, u32);

/// A path, and what the one tree and the other have there.
pub(super) type Difference = (Vec<u8>, Option<Kept>, Option<Kept>);

const MODE_FOLDER: i32 = 0o040_000;

/// One file that shall be otherwise; without an object it shall not be there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edit<'a> {
    pub(super) place: &'a [u8],
    pub(super) after: Option<Kept>,
}

/// The tree with these edits.
pub(super) fn edited(git: &Repository, base: Option<&Tree<'_>>, edits: &[Edit<'_>]) -> Result<Oid, git2::Error> {
    match folder(git, base, edits)? {
        Some(tree) => Ok(tree),
        None => git.treebuilder(None)?.write(),
    }
}

/// What is to be done with one name of a folder.
#[derive(Default)]
struct Named<'a> {
    own: Option<Option<Kept>>,
    below: Vec<Edit<'a>>,
}

/// A folder with these edits; `None` where nothing is left in it.
fn folder(git: &Repository, base: Option<&Tree<'_>>, edits: &[Edit<'_>]) -> Result<Option<Oid>, git2::Error> {
    let mut names: BTreeMap<&[u8], Named<'_>> = BTreeMap::new();
    for edit in edits {
        match edit.place.iter().position(|byte| *byte == b'/') {
            Some(at) => {
                let below = Edit { place: &edit.place[at + 1..], after: edit.after };
                names.entry(&edit.place[..at]).or_default().below.push(below);
            }
            None => names.entry(edit.place).or_default().own = Some(edit.after),
        }
    }
    let mut builder = git.treebuilder(base)?;
    for (name, named) in names {
        let known = base.and_then(|base| base.get_name_bytes(name));
        let folder_before = match known.as_ref().map(|known| (known.kind(), known.id())) {
            Some((Some(ObjectType::Tree), id)) => Some(git.find_tree(id)?),
            _ => None,
        };
        let below = match (named.below.is_empty(), &folder_before) {
            (true, Some(before)) => Some(before.id()),
            (true, None) => None,
            (false, before) => folder(git, before.as_ref(), &named.below)?,
        };
        let own = match named.own {
            Some(own) => own,
            // A file that gives way to a folder of the same name, or stays where nothing came below it.
            None if folder_before.is_none() && below.is_none() => {
                known.as_ref().and_then(|known| Some((known.id(), u32::try_from(known.filemode_raw()).ok()?)))
            }
            None => None,
        };
        match (own, below) {
            (Some((id, mode)), _) => {
                let mode = i32::try_from(mode).map_err(|_| git2::Error::from_str("a mode is out of range"))?;
                builder.insert(name, id, mode)?;
            }
            (None, Some(below)) => {
                builder.insert(name, below, MODE_FOLDER)?;
            }
            (None, None) if known.is_some() => builder.remove(name)?,
            (None, None) => {}
        }
    }
    if builder.is_empty() { Ok(None) } else { builder.write().map(Some) }
}

/// What a tree has at a path, if that is a file, a link or another repository.
pub(super) fn kept(tree: &Tree<'_>, place: &[u8]) -> Result<Option<Kept>, git2::Error> {
    match tree.get_path(as_path(place)) {
        Ok(entry) if entry.kind() == Some(ObjectType::Tree) => Ok(None),
        Ok(entry) => Ok(u32::try_from(entry.filemode()).ok().map(|mode| (entry.id(), mode))),
        Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The paths of all that lies below a path in a tree; none where it has no folder there.
pub(in crate::vcs) fn below(git: &Repository, tree: &Tree<'_>, place: &[u8]) -> Result<Vec<Vec<u8>>, git2::Error> {
    let folder = match tree.get_path(as_path(place)) {
        Ok(entry) if entry.kind() == Some(ObjectType::Tree) => git.find_tree(entry.id())?,
        Ok(_) => return Ok(Vec::new()),
        Err(error) if error.code() == git2::ErrorCode::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    let mut folders = vec![(place.to_vec(), folder)];
    while let Some((at, folder)) = folders.pop() {
        for entry in &folder {
            let path = [&at, b"/".as_slice(), entry.name_bytes()].concat();
            if entry.kind() == Some(ObjectType::Tree) {
                folders.push((path, git.find_tree(entry.id())?));
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The files that differ between two trees, by path, with what each has.
pub(super) fn differences(
    git: &Repository,
    old: Option<&Tree<'_>>,
    new: Option<&Tree<'_>>,
) -> Result<Vec<Difference>, git2::Error> {
    let mut options = git2::DiffOptions::new();
    options.include_typechange(true).skip_binary_check(true);
    let diff = git.diff_tree_to_tree(old, new, Some(&mut options))?;
    let mut found = Vec::new();
    for delta in diff.deltas() {
        let Some(place) = delta.new_file().path_bytes().or_else(|| delta.old_file().path_bytes()) else { continue };
        let side = |file: git2::DiffFile<'_>| (!file.id().is_zero()).then(|| (file.id(), u32::from(file.mode())));
        found.push((place.to_vec(), side(delta.old_file()), side(delta.new_file())));
    }
    Ok(found)
}
