//! What the sandbox refused, as far as it can be told: the system tells only the agent, so its own complaint is looked
//! through for a path that it may not write to.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// What programs say when they may not.
const COMPLAINTS: [&str; 3] = ["permission denied", "eacces", "operation not permitted"];

/// How many refusals of one run are told.
const TOLD: usize = 20;
/// A longer line is not looked through.
const LINE: usize = 4_096;

/// What was refused to one run, each path once. Without folders nothing holds it, and nothing is looked for.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    writable: Option<Vec<PathBuf>>,
    cwd: PathBuf,
    told: BTreeSet<PathBuf>,
    /// The last line, as far as it has come.
    line: String,
}

impl Refusals {
    pub(super) fn new(writable: Vec<PathBuf>, cwd: PathBuf) -> Self {
        Self { writable: Some(writable), cwd, ..Self::default() }
    }

    /// New ones in words that are cut anywhere: each line is looked through once it is whole.
    pub(super) fn in_words(&mut self, text: &str) -> Vec<PathBuf> {
        if self.writable.is_none() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for part in text.split_inclusive('\n') {
            if self.line.len() + part.len() <= LINE {
                self.line.push_str(part);
            }
            if part.ends_with('\n') {
                let line = std::mem::take(&mut self.line);
                found.extend(self.in_complaint(&line));
            }
        }
        found
    }

    /// New ones in a whole text.
    pub(super) fn in_complaint(&mut self, text: &str) -> Vec<PathBuf> {
        let Some(writable) = &self.writable else { return Vec::new() };
        if self.told.len() >= TOLD {
            return Vec::new();
        }
        let mut found = refused(text, writable, &self.cwd);
        found.retain(|path| self.told.insert(path.clone()));
        found
    }
}

/// The paths in a complaint that lie outside of what may be written.
fn refused(text: &str, writable: &[PathBuf], cwd: &Path) -> Vec<PathBuf> {
    let complains = |line: &&str| {
        let line = line.to_lowercase();
        COMPLAINTS.iter().any(|complaint| line.contains(complaint))
    };
    let mut found = Vec::new();
    for line in text.lines().filter(complains) {
        // `/bin/sh: 1: cannot create …` begins with who complains.
        let line = match line.trim_start().split_once(": ") {
            Some((who, rest)) if who.starts_with('/') && !who.contains(' ') && rest.contains('/') => rest,
            Some(_) | None => line,
        };
        for word in line.split(|c: char| c.is_whitespace() || "'\"`()[]{}<>=,;‘’“”".contains(c)) {
            let word = word.trim_end_matches([':', '.', '!', '?']);
            let path = match word {
                word if word.len() > 1 && word.starts_with('/') => PathBuf::from(word),
                word if word.starts_with("../") => cwd.join(word),
                _ => continue,
            };
            let path = plain(&path);
            if !writable.iter().any(|folder| path.starts_with(folder)) && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Without steps back; links are not looked at.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part @ (Component::Normal(_) | Component::RootDir | Component::Prefix(_)) => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_complaint_is_found_where_it_may_not_be_written() {
        let writable = [PathBuf::from("/project/p"), PathBuf::from("/tmp")];
        let found = |text: &str| {
            let found = refused(text, &writable, Path::new("/project/p"));
            found.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found("sh: 1: cannot create /etc/x: Permission denied"), "/etc/x");
        assert_eq!(found("Error: EACCES: permission denied, open '/elsewhere/.profile'"), "/elsewhere/.profile");
        assert_eq!(found("touch: cannot touch '../outside': Permission denied"), "/project/outside");
        assert_eq!(found("cat: /project/p/secret: Permission denied"), "");
        assert_eq!(found("wrote /etc/x"), "");
        assert_eq!(found("/bin/sh: 1: cannot create /etc/evil: Permission denied"), "/etc/evil");
    }
}
