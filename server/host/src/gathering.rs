//! Which files lie below some paths of the workspace, for whoever wants to look at them once. What git ignores is left out,
//! as it is when changes are watched; a file that is named itself is taken in any case. No link is followed, and no more
//! files are named than the limit says.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use augment_core::file::FilePath;
use ignore::WalkBuilder;

/// What was found.
#[derive(Debug, Default)]
pub struct Gathered {
    /// In the order of their paths below each path that was named.
    pub files: Vec<FilePath>,
    /// What could not be looked into, with why.
    pub not_read: Vec<String>,
    /// There are more files than the limit.
    pub more: bool,
}

/// A path to look below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Below {
    Workspace,
    Path(FilePath),
}

/// So many reasons are told; the rest would be more of the same.
const REASONS: usize = 100;

/// The files at or below these paths, at most `limit`.
#[must_use]
pub fn gather(root: &Path, below: &[Below], limit: usize) -> Gathered {
    let mut gathered = Gathered::default();
    for below in below {
        match below {
            Below::Workspace => gathered.walk(root, root.to_owned(), limit),
            Below::Path(path) => {
                let start = root.join(OsStr::from_bytes(path.as_bytes()));
                match leads_away(root, &start) {
                    Ok(None) => gathered.walk(root, start, limit),
                    Ok(Some(why)) => gathered.miss(format!("{path}: {why}")),
                    Err(error) => gathered.miss(format!("{path}: {error}")),
                }
            }
        }
    }
    gathered.files.sort();
    gathered.files.dedup();
    gathered
}

/// Why a path is not looked at: something on the way to it is a link, or it is neither file nor folder.
fn leads_away(root: &Path, path: &Path) -> std::io::Result<Option<&'static str>> {
    let mut at = root.to_owned();
    for part in path.strip_prefix(root).unwrap_or(path) {
        at.push(part);
        let found = std::fs::symlink_metadata(&at)?.file_type();
        if found.is_symlink() {
            return Ok(Some("links are not followed"));
        }
        if !found.is_dir() && !found.is_file() {
            return Ok(Some("it is neither a file nor a folder"));
        }
    }
    Ok(None)
}

impl Gathered {
    fn miss(&mut self, why: String) {
        if self.not_read.len() < REASONS {
            self.not_read.push(why);
        }
    }

    fn walk(&mut self, root: &Path, start: PathBuf, limit: usize) {
        let walk = WalkBuilder::new(start)
            .standard_filters(false)
            .git_ignore(true)
            .git_global(true)
            .git_exclude(true)
            .parents(true)
            .require_git(false)
            .follow_links(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .sort_by_file_name(OsStr::cmp)
            .build();
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.miss(error.to_string());
                    continue;
                }
            };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            if self.files.len() >= limit {
                self.more = true;
                return;
            }
            let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
            match FilePath::new(below.as_os_str().as_bytes()) {
                Ok(path) => self.files.push(path),
                Err(why) => self.miss(format!("{}: {why}", below.display())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    fn found(root: &Path, below: &[&str], limit: usize) -> (Vec<String>, Vec<String>, bool) {
        let below: Vec<Below> = below
            .iter()
            .map(|path| if *path == "." { Below::Workspace } else { Below::Path(FilePath::from_text(path).unwrap()) })
            .collect();
        let gathered = gather(root, &below, limit);
        (gathered.files.iter().map(FilePath::to_text).collect(), gathered.not_read, gathered.more)
    }

    #[test]
    fn what_git_ignores_is_left_out_unless_it_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        put(
            &root,
            &[
                (".gitignore", "*.log\nout/\n"),
                ("a.rs", ""),
                ("b.log", ""),
                ("out/c", ""),
                ("src/.hidden", ""),
                (".git/x", ""),
            ],
        );
        assert_eq!(found(&root, &["."], 10).0, [".gitignore", "a.rs", "src/.hidden"]);
        assert_eq!(found(&root, &["b.log", "src"], 10).0, ["b.log", "src/.hidden"]);
        assert_eq!(found(&root, &["a.rs", "."], 10).0, [".gitignore", "a.rs", "src/.hidden"]);
        let (files, _, more) = found(&root, &["."], 2);
        assert_eq!((files.len(), more), (2, true));
    }

    #[test]
    fn links_are_not_followed_and_told_where_they_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        put(&root, &[("in/a", "")]);
        std::os::unix::fs::symlink("/etc", root.join("out")).unwrap();
        assert_eq!(found(&root, &["."], 10).0, ["in/a"]);
        assert_eq!(found(&root, &["out/passwd"], 10).1, ["out/passwd: links are not followed"]);
        let (files, not_read, _) = found(&root, &["gone"], 10);
        assert!(files.is_empty() && not_read[0].starts_with("gone: "), "{not_read:?}");
    }
}
