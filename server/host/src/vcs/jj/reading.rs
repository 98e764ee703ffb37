//! What jj knows, read with templates of our own and never with what it prints for people. Contents come from the git
//! store behind it, by hash, which is to the byte and costs no process.
//!
//! Nothing here changes anything, but for `ground`, which lets jj look at the files on disk as every command of it does.

use std::collections::HashMap;

use augment_core::file::FilePath;
use augment_core::text::quoted;
use git2::{ObjectType, Oid, Repository};
use serde::Deserialize;

use super::super::git::below;
use super::super::history::{About, Body, Commit, Ground, Held, HistoryError, Result};
use super::Jj;
use super::program::{Look, Reach, failed};

/// One commit on one line, as JSON.
const COMMIT: &str = concat!(
    r#""{\"id\":" ++ json(commit_id) ++ ",\"change\":" ++ json(change_id)"#,
    r#" ++ ",\"parents\":[" ++ parents.map(|parent| json(parent.commit_id())).join(",")"#,
    r#" ++ "],\"time\":" ++ committer.timestamp().format("%s") ++ ",\"conflict\":" ++ conflict"#,
    r#" ++ ",\"empty\":" ++ empty ++ ",\"below\":" ++ self.contained_in("::@")"#,
    r#" ++ ",\"hidden\":" ++ hidden ++ ",\"elsewhere\":" ++ self.contained_in("working_copies() ~ @")"#,
    r#" ++ ",\"bookmarks\":[" ++ local_bookmarks.map(|bookmark| json(bookmark.name())).join(",")"#,
    r#" ++ "],\"message\":" ++ json(description) ++ "}\n""#
);

/// What a session asks of a commit, on one line, as JSON.
const ABOUT: &str = concat!(
    r#""{\"id\":" ++ json(commit_id) ++ ",\"on_remote\":" ++ self.contained_in("::remote_bookmarks()")"#,
    r#" ++ ",\"held\":" ++ immutable"#,
    r#" ++ ",\"blank\":" ++ (empty && !description && parents.len() == 1) ++ "}\n""#
);

/// How many commits since a base are told.
const MAX_SINCE: usize = 10_000;

/// How much of a change id names a commit to a person.
const SHORT: usize = 12;

/// The commit below everything, which jj has and git has not.
pub(super) const ROOT: &str = "0000000000000000000000000000000000000000";

/// How many files with conflicts are named.
const MAX_CONFLICTS: usize = 20;

#[derive(Debug, Deserialize)]
struct Line {
    id: String,
    change: String,
    parents: Vec<String>,
    time: i64,
    conflict: bool,
    empty: bool,
    below: bool,
    hidden: bool,
    elsewhere: bool,
    bookmarks: Vec<String>,
    message: String,
}

#[derive(Debug, Deserialize)]
struct AboutLine {
    id: String,
    on_remote: bool,
    held: bool,
    blank: bool,
}

/// A bookmark of a remote by its name.
#[derive(Debug, Deserialize)]
struct At {
    branch: String,
    remote: String,
}

/// A commit with what only jj says of it.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) commit: Commit,
    /// It changes no file.
    pub(super) empty: bool,
    /// It is `@` or below it.
    pub(super) below: bool,
    /// It was rewritten or abandoned, and is only known by its hash.
    pub(super) hidden: bool,
    /// It is the `@` of another workspace.
    pub(super) elsewhere: bool,
    pub(super) bookmarks: Vec<String>,
}

impl Known {
    /// Such a working copy is nobody's work yet.
    pub(super) fn is_blank(&self) -> bool {
        self.empty && self.commit.message.is_empty()
    }
}

/// Where everything stands, with `@`.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) working: Known,
    pub(super) tip: Option<Commit>,
}

/// A bookmark of a remote, as it was when it was last heard of.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct RemoteBookmark {
    pub(super) remote: String,
    pub(super) target: String,
}

/// A string in jj's languages of revisions and files.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_ascii_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A commit by its whole hash; the root of everything without one.
pub(super) fn revision(id: Option<&str>) -> String {
    id.map_or_else(|| "root()".to_owned(), |id| format!("commit_id({})", literal(id)))
}

/// Whether a message is the one that was wanted. jj may append trailers where the person's settings say so.
pub(super) fn says(found: &str, wanted: &str) -> bool {
    let Some(rest) = found.trim_end().strip_prefix(wanted.trim_end()) else { return false };
    let is_trailer = |line: &str| {
        line.split_once(": ")
            .is_some_and(|(key, _)| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
    };
    rest.is_empty() || rest.starts_with('\n') && rest.lines().all(|line| line.is_empty() || is_trailer(line))
}

impl Jj {
    /// The commits of a revset, newest first.
    pub(super) fn commits(&self, look: Look, revset: &str, limit: Option<usize>) -> Result<Vec<Known>> {
        let mut arguments = vec!["log".to_owned(), "--no-graph".to_owned(), "-r".to_owned(), revset.to_owned()];
        if let Some(limit) = limit {
            arguments.extend(["--limit".to_owned(), limit.to_string()]);
        }
        arguments.extend(["-T".to_owned(), COMMIT.to_owned()]);
        let said = self.program.jj(look, &arguments)?;
        let lines = said.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(known).collect::<Result<Vec<_>>>().map(|all| all.into_iter().flatten().collect())
    }

    /// The only commit of a revset; `None` for the root, for none and for several.
    pub(super) fn only(&self, revset: &str) -> Result<Option<Known>> {
        let mut found = self.commits(Look::Aside, revset, Some(2))?;
        Ok(if found.len() == 1 { found.pop() } else { None })
    }

    pub(super) fn any(&self, revset: &str) -> Result<bool> {
        Ok(!self.commits(Look::Aside, revset, Some(1))?.is_empty())
    }

    /// `@` and what it stands on.
    pub(super) fn standing(&self, look: Look) -> Result<Standing> {
        let working = self.commits(look, "@", None)?.pop();
        let working = working.ok_or_else(|| self.odd("it knows no working copy here"))?;
        let tip = match working.commit.parents.as_slice() {
            [] => None,
            [tip] => Some(self.commit_of(tip)?.commit),
            several => {
                let parents = several.iter().map(|parent| parent.get(..12).unwrap_or(parent).to_owned()).collect();
                return Err(HistoryError::Merge { parents });
            }
        };
        Ok(Standing { working, tip })
    }

    pub(super) fn ground_here(&self) -> Result<Ground> {
        let Standing { working, tip } = self.standing(Look::First)?;
        Ok(Ground { tip, branch: None, working: Some(working.commit) })
    }

    /// A commit that must be there, by its hash, a change id, or the beginning of either.
    pub(super) fn commit_of(&self, name: &str) -> Result<Known> {
        self.found(name)?.ok_or_else(|| unknown(name))
    }

    pub(super) fn found(&self, name: &str) -> Result<Option<Known>> {
        let named = |from: char, to: char| !name.is_empty() && name.chars().all(|c| (from..=to).contains(&c));
        let revset = if named('k', 'z') {
            format!("change_id({})", literal(name))
        } else if name.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c)) && !name.is_empty() {
            format!("commit_id({})", literal(name))
        } else {
            return Ok(None);
        };
        let arguments = ["log", "--no-graph", "--limit", "2", "-r", &revset, "-T", COMMIT];
        let ended = self.program.try_jj(Look::Aside, Reach::Here, &arguments, b"")?;
        if !ended.status.success() {
            // More than one has this beginning; that is an answer.
            let is_ambiguous = String::from_utf8_lossy(&ended.stderr).contains("ambiguous");
            return if is_ambiguous { Ok(None) } else { Err(failed("jj", &ended)) };
        }
        let lines: Vec<&[u8]> = ended.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        match lines.as_slice() {
            [one] => known(one),
            // A history that was git's before may name a change by its trailer alone.
            [] if named('k', 'z') && name.len() >= 8 => {
                self.only(&format!("description(substring:{})", literal(&format!("\nChange-Id: {name}"))))
            }
            [] | [_, _, ..] => Ok(None),
        }
    }

    /// A commit by the name of a bookmark, also of a remote's (`dev@origin`), by a change id or a hash.
    fn named(&self, name: &str) -> Result<Known> {
        if let Some(found) = self.only(&format!("bookmarks(exact:{})", literal(name)))? {
            return Ok(found);
        }
        if let Some((bookmark, remote)) = name.rsplit_once('@') {
            let revset = format!("remote_bookmarks(exact:{}, exact:{})", literal(bookmark), literal(remote));
            if let Some(found) = self.only(&revset)? {
                return Ok(found);
            }
        }
        self.commit_of(name)
    }

    pub(super) fn since_base(&self, base: Option<&str>) -> Result<Vec<(Commit, Option<String>)>> {
        let base = revision(base);
        // What stands beside and is on a remote already came from there, or was finished before. What is below counts
        // whoever holds it: the session stands on it, or it is one of its own.
        let revset = format!(
            "(({base}..@) | (({base}:: ~ ::@ ~ ::remote_bookmarks()) & mutable()) ~ ::{base}) ~ (@ & empty() & description(exact:\"\"))"
        );
        let newest_first = self.commits(Look::Aside, &revset, Some(MAX_SINCE + 1))?;
        if newest_first.len() > MAX_SINCE {
            let words =
                format!("there are more than {MAX_SINCE} commits since then. Name a newer beginning, then repeat.");
            return Err(HistoryError::Refused { what: "Looking at the session's commits".to_owned(), words });
        }
        let mut names = names_beside(&newest_first);
        let counts = |known: &Known| known.below || !(known.empty || known.elsewhere);
        let told = newest_first.into_iter().rev().filter(counts).map(|known| {
            let name = names.remove(&known.commit.id).filter(|_| !known.below);
            (known.commit, name)
        });
        Ok(told.collect())
    }

    pub(super) fn about_line(&self, base: Option<&str>) -> Result<HashMap<String, About>> {
        let revset = format!("{}..@", revision(base));
        let arguments = ["log", "--no-graph", "-r", &revset, "-T", ABOUT];
        let lines: Vec<AboutLine> = lines_of(&self.program.jj(Look::Aside, &arguments)?)?;
        let told = lines.into_iter().map(|line| {
            let AboutLine { id, on_remote, held, blank } = line;
            (id, About { on_remote, held, blank })
        });
        Ok(told.collect())
    }

    /// Who holds a commit: first what is easily let go of.
    pub(super) fn held_by(&self, id: &str) -> Result<Option<Held>> {
        if !self.any(&format!("{} & immutable()", revision(Some(id))))? {
            return self.remote_that_has(id);
        }
        let revset = format!("tags() & {}::", revision(Some(id)));
        let template = r#"tags.map(|tag| json(tag.name())).join("\n") ++ "\n""#;
        let arguments = ["log", "--no-graph", "--limit", "1", "-r", &revset, "-T", template];
        let tags: Vec<String> = lines_of(&self.program.jj(Look::Aside, &arguments)?)?;
        match tags.into_iter().next() {
            Some(tag) => Ok(Some(Held::Tag(tag))),
            None => Ok(Some(self.remote_that_has(id)?.unwrap_or(Held::Setting))),
        }
    }

    fn remote_that_has(&self, id: &str) -> Result<Option<Held>> {
        let revset = format!("remote_bookmarks() & {}::", revision(Some(id)));
        let template = concat!(
            r#"remote_bookmarks.map(|at| "{\"branch\":" ++ json(at.name()) ++ ",\"remote\":" ++ json(at.remote()) ++ "}")"#,
            r#".join("\n") ++ "\n""#
        );
        let arguments = ["log", "--no-graph", "--limit", "1", "-r", &revset, "-T", template];
        let found: Vec<At> = lines_of(&self.program.jj(Look::Aside, &arguments)?)?;
        let found = found.into_iter().find(|at| at.remote != "git");
        Ok(found.map(|At { branch, remote }| Held::Remote { branch, remote }))
    }

    pub(super) fn first_parents(&self, from: Option<&str>, limit: usize) -> Result<Vec<Commit>> {
        let start = match from {
            Some(name) => revision(Some(&self.named(name)?.commit.id)),
            None => "first_parent(@)".to_owned(),
        };
        // Without a depth of its own it would walk to the root whatever the limit.
        let revset = format!("first_ancestors({start}, {limit}) ~ root()");
        let found = self.commits(Look::Aside, &revset, Some(limit))?;
        Ok(found.into_iter().map(|known| known.commit).collect())
    }

    pub(super) fn stands_on(&self, of: &str, ancestor: &str) -> Result<bool> {
        let (of, ancestor) = (self.named(of)?.commit.id, self.named(ancestor)?.commit.id);
        self.any(&format!("{} & ::{}", revision(Some(&ancestor)), revision(Some(&of))))
    }

    /// Files of the repository that differ between two commits.
    pub(super) fn differing(&self, from: Option<&str>, to: &str) -> Result<Vec<String>> {
        let (from, to) = (revision(from), revision(Some(to)));
        // Of a renamed file the entry's path is the new name alone.
        let template = r#"json(path) ++ "\n" ++ if(status == "renamed", json(source.path()) ++ "\n")"#;
        lines_of(&self.program.jj(Look::Aside, &["diff", "--from", &from, "--to", &to, "-T", template])?)
    }

    /// Files of the workspace that differ between two commits.
    pub(super) fn differing_here(&self, from: Option<&str>, to: &str) -> Result<Vec<FilePath>> {
        let all = self.differing(from, to)?;
        let mut here: Vec<FilePath> = all.iter().filter_map(|place| self.here(place)).collect();
        here.sort();
        Ok(here)
    }

    pub(super) fn touched_by(&self, name: &str) -> Result<Vec<FilePath>> {
        let known = self.commit_of(name)?;
        self.differing_here(known.commit.parents.first().map(String::as_str), &known.commit.id)
    }

    /// The files of a commit that hold conflicts, as the repository names them.
    pub(super) fn conflicts(&self, commit: &Commit) -> Result<Vec<String>> {
        if !commit.conflict {
            return Ok(Vec::new());
        }
        let revset = revision(Some(&commit.id));
        let template = r#"if(conflict, json(path) ++ "\n")"#;
        let mut files: Vec<String> =
            lines_of(&self.program.jj(Look::Aside, &["file", "list", "-r", &revset, "-T", template])?)?;
        files.truncate(MAX_CONFLICTS);
        Ok(files.iter().map(|file| augment_core::text::visible(file).into_owned()).collect())
    }

    /// The commit of each remote at which a bookmark was last seen.
    pub(super) fn remote_bookmarks(&self, bookmark: &str) -> Result<Vec<RemoteBookmark>> {
        let template = concat!(
            r#"if(remote && remote != "git", if(normal_target, "{\"remote\":" ++ json(remote) ++ ",\"target\":""#,
            r#" ++ json(normal_target.commit_id()) ++ "}\n"))"#
        );
        let pattern = format!("exact:{}", literal(bookmark));
        let said = self.program.jj(Look::Aside, &["bookmark", "list", "--all-remotes", &pattern, "-T", template])?;
        lines_of(&said)
    }

    /// Whether a bookmark is said to be in several places at once.
    pub(super) fn is_in_conflict(&self, bookmark: &str) -> Result<bool> {
        let pattern = format!("exact:{}", literal(bookmark));
        let template = r#"if(!remote && conflict, "x")"#;
        Ok(!self.program.jj(Look::Aside, &["bookmark", "list", &pattern, "-T", template])?.is_empty())
    }

    /// The remote that has this commit, as far as is known here.
    pub(super) fn pushed_to(&self, id: &str) -> Result<Option<String>> {
        Ok(match self.remote_that_has(id)? {
            Some(Held::Remote { remote, .. }) => Some(remote),
            Some(Held::Tag(_) | Held::Setting) | None => None,
        })
    }

    /// The workspaces whose working copy a commit is.
    pub(super) fn workspaces_at(&self, id: &str) -> Result<Vec<String>> {
        let template = r#"working_copies.map(|workspace| json(workspace.name())).join("\n") ++ "\n""#;
        let arguments = ["log", "--no-graph", "-r", &revision(Some(id)), "-T", template];
        lines_of(&self.program.jj(Look::Aside, &arguments)?)
    }

    /// The newest operation, which everything can be brought back to.
    pub(super) fn operation(&self) -> Result<String> {
        let said = self.program.jj(Look::Aside, &["op", "log", "--no-graph", "--limit", "1", "-T", "id"])?;
        Ok(String::from_utf8_lossy(&said).trim().to_owned())
    }

    /// The hashes of a revset, as it was after an operation.
    pub(super) fn all_then(&self, operation: &str, revset: &str) -> Result<Vec<String>> {
        let template = r#"commit_id ++ "\n""#;
        let arguments = ["log", "--at-operation", operation, "--no-graph", "-r", revset, "-T", template];
        let said = self.program.jj(Look::Aside, &arguments)?;
        Ok(String::from_utf8_lossy(&said).lines().map(str::to_owned).collect())
    }

    pub(super) fn body(&self, id: &str, place: &str) -> Result<Body> {
        let store = self.store()?;
        let tree = store.find_commit(Oid::from_str(id)?)?.tree()?;
        let entry = match tree.get_path(std::path::Path::new(place)) {
            Ok(entry) => entry,
            Err(error) if error.code() == git2::ErrorCode::NotFound => return Ok(Body::Absent),
            Err(error) => return Err(error.into()),
        };
        if entry.kind() != Some(ObjectType::Blob) {
            // A folder, or a repository of its own.
            return Ok(Body::Absent);
        }
        let content = store.find_blob(entry.id())?.content().to_vec();
        Ok(match entry.filemode() {
            0o120_000 => Body::Link(content),
            mode => Body::File { content, executable: mode & 0o111 != 0 },
        })
    }

    /// The files that a commit has below a place.
    pub(super) fn places_below(&self, id: &str, place: &str) -> Result<Vec<String>> {
        let store = self.store()?;
        let tree = store.find_commit(Oid::from_str(id)?)?.tree()?;
        let found = below(&store, &tree, place.as_bytes())?;
        Ok(found.into_iter().filter_map(|place| String::from_utf8(place).ok()).collect())
    }

    /// The hash of everything that a commit holds.
    pub(super) fn tree(&self, id: &str) -> Result<Oid> {
        Ok(self.store()?.find_commit(Oid::from_str(id)?)?.tree_id())
    }

    fn store(&self) -> Result<Repository> {
        Ok(Repository::open(&self.git)?)
    }

    pub(super) fn odd(&self, words: &str) -> HistoryError {
        HistoryError::Failed { program: "jj".to_owned(), words: words.to_owned() }
    }
}

pub(super) fn unknown(name: &str) -> HistoryError {
    HistoryError::Unknown { name: quoted(name) }
}

/// What each commit beside `@` is called: the nearest bookmark above it, or the newest commit above it that counts.
/// Children come before their parents here.
fn names_beside(newest_first: &[Known]) -> HashMap<String, String> {
    let mut nearest: HashMap<&str, (usize, &str)> = HashMap::new();
    let mut newest: HashMap<&str, &str> = HashMap::new();
    for known in newest_first {
        let id = known.commit.id.as_str();
        if let Some(bookmark) = known.bookmarks.first() {
            nearest.insert(id, (0, bookmark));
        }
        if !known.below && !known.empty && !known.elsewhere {
            let name = known.commit.name();
            newest.entry(id).or_insert(name.get(..SHORT).unwrap_or(name));
        }
        let (bookmark, name) = (nearest.get(id).copied(), newest.get(id).copied());
        for parent in &known.commit.parents {
            if let Some((far, bookmark)) = bookmark
                && nearest.get(parent.as_str()).is_none_or(|(known_far, _)| *known_far > far + 1)
            {
                nearest.insert(parent, (far + 1, bookmark));
            }
            if let Some(name) = name {
                newest.entry(parent).or_insert(name);
            }
        }
    }
    let bookmarks = nearest.into_iter().map(|(id, (_, bookmark))| (id.to_owned(), bookmark.to_owned()));
    let mut names: HashMap<String, String> =
        newest.into_iter().map(|(id, name)| (id.to_owned(), name.to_owned())).collect();
    names.extend(bookmarks);
    names
}

/// `None` for the root of everything.
fn known(line: &[u8]) -> Result<Option<Known>> {
    let line: Line = serde_json::from_slice(line).map_err(|error| unreadable(&error))?;
    if line.id == ROOT {
        return Ok(None);
    }
    let commit = Commit {
        id: line.id,
        change: Some(line.change),
        parents: line.parents.into_iter().filter(|parent| parent != ROOT).collect(),
        message: line.message,
        time: line.time,
        conflict: line.conflict,
    };
    let Line { empty, below, hidden, elsewhere, bookmarks, .. } = line;
    Ok(Some(Known { commit, empty, below, hidden, elsewhere, bookmarks }))
}

/// One value a line.
fn lines_of<T: for<'a> Deserialize<'a>>(said: &[u8]) -> Result<Vec<T>> {
    let lines = said.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(|error| unreadable(&error))).collect()
}

pub(super) fn unreadable(error: &serde_json::Error) -> HistoryError {
    HistoryError::Failed { program: "jj".to_owned(), words: format!("what it says cannot be read: {error}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_for_jj_cannot_end_early() {
        for (text, wanted) in [
            ("plain", r#""plain""#),
            (r#"a"b\c"#, r#""a\"b\\c""#),
            ("a\nb\u{1b}", r#""a\x0ab\x1b""#),
            ("é(x)|@", "\"é(x)|@\""),
        ] {
            assert_eq!(literal(text), wanted);
        }
    }

    #[test]
    fn a_message_is_the_wanted_one_also_with_trailers_of_the_persons_settings() {
        for (found, wanted, is) in [
            ("intent: a\n", "intent: a", true),
            ("intent: a\n\nSigned-off-by: Me <m@x>\n", "intent: a\n", true),
            ("intent: a\n\nMore words\n", "intent: a", false),
            ("intent: ab\n", "intent: a", false),
            ("intent: a\n", "intent: a\n\nmore", false),
        ] {
            assert_eq!(says(found, wanted), is, "{found:?} {wanted:?}");
        }
    }
}
