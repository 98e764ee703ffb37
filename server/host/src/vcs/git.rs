//! Prompt sessions on plain git. libgit2 does what it can; the person's own git program runs hooks, signs and talks to
//! remotes, because only it does these as the person has set them up. Branches move by compare-and-swap, the files on disk
//! are never written, no global configuration is read for writing, and nothing is ever forced on a remote.

mod begun;
mod conversion;
mod identity;
mod index;
mod names;
mod program;
mod pushing;
mod reading;
mod settings;
mod submodules;
mod synthesis;
mod taking_back;
mod tree;
mod writing;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use augment_core::file::FilePath;
use augment_core::prompt::message::{Section, is_session};
use git2::{ErrorCode, Repository};

use self::names::Names;
use self::settings::Settings;
pub(super) use self::tree::below;
use super::committing::{self, CommitError};
use super::history::{
    Body, Commit, Ground, History, HistoryError, LeftOut, Made, NewCommit, NoteStaged, Remote, Result, Synthesis,
    System,
};

/// What stands before a change id in a commit's message.
const TRAILER: &str = "Change-Id: ";
/// How many letters a change id has.
const CHANGE_LETTERS: usize = 32;

/// The repository that a workspace lies in.
pub struct Git {
    git: Repository,
    /// The real way to the repository's files.
    top: PathBuf,
    /// Where the workspace lies in the repository; empty where it is the repository's top.
    prefix: Vec<u8>,
    /// What the person's own shell had.
    environment: Vec<(String, String)>,
    /// The files that the person told git to leave alone, once somebody has asked.
    left_alone: OnceCell<BTreeSet<Vec<u8>>>,
    /// What the person has set, once somebody has asked.
    settings: OnceCell<Settings>,
    /// The change ids that are known, as of the tip at which somebody asked last.
    names: RefCell<Option<Names>>,
}

impl std::fmt::Debug for Git {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Git").field("top", &self.top).finish_non_exhaustive()
    }
}

impl Git {
    /// `None` where the workspace lies in no repository. `environment` is what the person's own shell had: who they are,
    /// where their keys and their configuration lie.
    pub fn open(root: &Path, environment: &[(String, String)]) -> Result<Option<Self>> {
        let git = match committing::open(root) {
            Ok(git) => git,
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
            // libgit2 has no other word for it.
            Err(error) if error.message().contains("object format") => return Err(HistoryError::ObjectFormat),
            Err(error) => return Err(error.into()),
        };
        let top = git.workdir().ok_or(CommitError::NoFilesOfItsOwn)?;
        let top = top.canonicalize().map_err(|_| CommitError::NoFilesOfItsOwn)?;
        let root = root.canonicalize().map_err(|source| io(root, source))?;
        let prefix = root.strip_prefix(&top).map_err(|_| CommitError::NoFilesOfItsOwn)?;
        let prefix = prefix.as_os_str().as_bytes().to_vec();
        if let Some(config) = identity::configuration(&git, environment)? {
            git.set_config(&config)?;
        }
        Ok(Some(Self {
            git,
            top,
            prefix,
            environment: environment.to_vec(),
            left_alone: OnceCell::new(),
            settings: OnceCell::new(),
            names: RefCell::new(None),
        }))
    }

    /// The last value that the person's shell had under this name.
    fn variable(&self, name: &str) -> Option<&str> {
        variable(&self.environment, name)
    }

    fn tip_tree(&self) -> Result<Option<git2::Tree<'_>>> {
        Ok(committing::tip(&self.git)?.map(|tip| tip.tree()).transpose()?)
    }

    /// A path of the workspace as the repository has it.
    fn within(&self, path: &FilePath) -> Vec<u8> {
        if self.prefix.is_empty() {
            return path.as_bytes().to_vec();
        }
        [&self.prefix, b"/".as_slice(), path.as_bytes()].concat()
    }

    /// A path of the repository as the workspace has it; `None` where it lies outside.
    fn outward(&self, place: &[u8]) -> Option<FilePath> {
        let below = if self.prefix.is_empty() {
            place
        } else {
            place.strip_prefix(self.prefix.as_slice())?.strip_prefix(b"/")?
        };
        FilePath::new(below).ok()
    }

    /// Refused where something is under way that moves the branch by itself.
    fn settled(&self) -> Result<()> {
        match committing::under_way(self.git.state()) {
            Some(what) => Err(CommitError::UnderWay { what }.into()),
            None => Ok(()),
        }
    }
}

fn variable<'a>(environment: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = environment.iter().rev().find(|(known, value)| known == name && !value.is_empty());
    found.map(|(_, value)| value.as_str())
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn io(path: &Path, source: std::io::Error) -> HistoryError {
    HistoryError::Io { what: path.display().to_string(), source }
}

/// The change id that a message names in its last paragraph; else the only one that it names at all, since hooks write
/// below it. Of other programs' ids under this name we know nothing.
fn change_of(message: &str) -> Option<&str> {
    let last = message.trim_end().rsplit("\n\n").next()?;
    if let Some(id) = ids_in(last).next_back() {
        return Some(id);
    }
    let mut ids = ids_in(own_words(message));
    let id = ids.next()?;
    ids.all(|other| other == id).then_some(id)
}

/// Whether a message names this very change, wherever a hook has moved it to.
fn names_change(message: &str, change: &str) -> bool {
    ids_in(message).any(|id| id == change)
}

fn ids_in(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix(TRAILER)).map(str::trim).filter(|id| is_change(id))
}

/// A message without what a session's quotes: the prompt may hold anything, and stands above the last heading.
fn own_words(message: &str) -> &str {
    if !is_session(message) {
        return message;
    }
    let mut behind = message.len();
    let mut at = 0;
    for line in message.split_inclusive('\n') {
        at += line.len();
        if Section::begun_by(line.trim_end()).is_some() {
            behind = at;
        }
    }
    &message[behind..]
}

fn is_change(id: &str) -> bool {
    id.len() == CHANGE_LETTERS && is_begin_of_change(id)
}

fn is_begin_of_change(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= CHANGE_LETTERS
        && id.bytes().all(|letter| letter.is_ascii_lowercase() && letter >= b'k')
}

/// The message with the trailer as a last paragraph of its own.
fn with_trailer(message: &str, change: &str) -> String {
    if change_of(message) == Some(change) {
        return format!("{}\n", message.trim_end());
    }
    format!("{}\n\n{TRAILER}{change}\n", message.trim_end())
}

impl History for Git {
    fn system(&self) -> System {
        System::Git
    }

    fn undisturbed(&self) -> Result<()> {
        self.settled()
    }

    fn ground(&self) -> Result<Ground> {
        self.read_ground()
    }

    fn changed(&self) -> Result<Vec<FilePath>> {
        self.read_changed()
    }

    fn checked_out(&self, commit: Option<&str>, path: &FilePath) -> Result<Body> {
        commit.map_or(Ok(Body::Absent), |commit| self.read_laid_down(&self.whole(commit)?, path))
    }

    fn below(&self, commit: Option<&str>, path: &FilePath) -> Result<Vec<FilePath>> {
        let Some(commit) = commit else { return Ok(Vec::new()) };
        let found = below(&self.git, &self.whole(commit)?.tree()?, &self.within(path))?;
        Ok(found.iter().filter_map(|place| self.outward(place)).collect())
    }

    fn submodules(&self) -> Result<Vec<FilePath>> {
        self.read_submodules()
    }

    fn left_out(&self, path: &FilePath) -> Result<Option<LeftOut>> {
        let known = match self.left_alone.get() {
            Some(known) => known,
            None => {
                let found = index::left_alone(&self.git)?;
                self.left_alone.get_or_init(|| found)
            }
        };
        if known.contains(&self.within(path)) {
            return Ok(Some(LeftOut::LeftAlone));
        }
        if self.within(path) == submodules::MODULES && self.has_staged_submodule()? {
            return Ok(Some(LeftOut::Submodule));
        }
        match self.place(self.tip_tree()?.as_ref(), path) {
            Ok(_) => Ok(None),
            Err(HistoryError::Commit(CommitError::Elsewhere { .. })) => Ok(Some(LeftOut::Elsewhere)),
            Err(error) => Err(error),
        }
    }

    fn not_added(&self, path: &FilePath) -> Result<Option<LeftOut>> {
        let tree = self.tip_tree()?;
        let place = self.within(path);
        let kept = tree.map(|tree| tree::kept(&tree, &place)).transpose()?.flatten();
        Ok((kept.is_none() && self.ignores(&place)?).then_some(LeftOut::Ignored))
    }

    fn filter(&self, path: &FilePath) -> Result<Option<String>> {
        self.filter_at(self.tip_tree()?.as_ref(), &self.within(path))
    }

    fn may_commit(&self, wanted: &NewCommit) -> Result<()> {
        self.look_at_commit(wanted)
    }

    fn commit_noting(&self, wanted: &NewCommit, note: &NoteStaged<'_>) -> Result<Made> {
        self.write_commit(wanted, note)
    }

    fn find_made(&self, wanted: &NewCommit) -> Result<Option<Commit>> {
        self.search_made(wanted)
    }

    fn left_locks(&self) -> Result<Vec<PathBuf>> {
        self.locks()
    }

    fn since(&self, base: Option<&str>) -> Result<Vec<(Commit, Option<String>)>> {
        self.read_since(base)
    }

    fn may_synthesise(&self, plan: &Synthesis) -> Result<()> {
        self.ready_for_synthesis(plan).map(drop)
    }

    fn synthesise(&self, plan: &Synthesis) -> Result<Made> {
        self.write_synthesis(plan)
    }

    fn find_synthesised(&self, plan: &Synthesis) -> Result<Option<Commit>> {
        self.search_synthesised(plan)
    }

    fn shared(&self, base: Option<&str>, tip: &str) -> Result<Vec<(String, String)>> {
        let base = base.map(|base| self.whole(base)).transpose()?.map(|base| base.id());
        let found = self.pushed(base, self.whole(tip)?.id())?;
        Ok(found.into_iter().map(|(commit, remote)| (commit.to_string(), remote)).collect())
    }

    fn may_take_back_commit(&self, made: &str, before: &str) -> Result<()> {
        self.ready_to_undo_commit(made, before).map(drop)
    }

    fn take_back_commit(&self, made: &str, before: &str, staged: &[FilePath]) -> Result<()> {
        self.undo_commit(made, before, staged)
    }

    fn may_take_back_synthesis(&self, plan: &Synthesis, made: &str, _before: &str) -> Result<()> {
        self.ready_to_undo_synthesis(plan, made).map(drop)
    }

    fn take_back_synthesis(&self, plan: &Synthesis, made: &str, _before: &str) -> Result<()> {
        self.undo_synthesis(plan, made)
    }

    fn remote(&self, remote: &str, branch: &str) -> Result<Remote> {
        self.ask_remote(remote, branch)
    }

    fn push(&self, remote: &str, branch: &str, commit: &str) -> Result<()> {
        self.push_to(remote, branch, commit)
    }

    fn fresh_child(&self, _of: &str) -> Result<Option<Commit>> {
        Ok(None)
    }

    fn find(&self, name: &str) -> Result<Option<Commit>> {
        self.search(name)
    }

    fn lineage(&self, from: Option<&str>, limit: usize) -> Result<Vec<Commit>> {
        self.read_lineage(from, limit)
    }

    fn is_ancestor(&self, of: &str, ancestor: &str) -> Result<bool> {
        let (of, ancestor) = (self.whole(of)?, self.whole(ancestor)?);
        Ok(self.stands_on(of.id(), ancestor.id())?)
    }

    fn touched(&self, commit: &str) -> Result<Vec<FilePath>> {
        self.read_touched(commit)
    }

    fn at(&self, commit: &str, path: &FilePath) -> Result<Body> {
        self.read_at(&self.whole(commit)?, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGE: &str = "klmnopqrstuvwxyzklmnopqrstuvwxyz";

    #[test]
    fn the_trailer_is_a_paragraph_of_its_own_and_is_read_back() {
        let message = with_trailer("intent: one\n\nWhy.\n\n", CHANGE);
        assert_eq!(message, format!("intent: one\n\nWhy.\n\nChange-Id: {CHANGE}\n"));
        assert_eq!(change_of(&message), Some(CHANGE));
        assert_eq!(with_trailer(&message, CHANGE), message);
    }

    #[test]
    fn an_id_is_found_above_what_a_hook_wrote_below_it() {
        assert_eq!(change_of(&format!("a\n\nChange-Id: {CHANGE}\n\nthe end\n")), Some(CHANGE));
        let headings = "## Original Prompt\nq\n\n## Agent Context\nc\n\n## Logical Changes\n- d\n";
        let session = format!("session: s\n♓︎.5.4.47 5919AM\n\n{headings}\nChange-Id: {CHANGE}\n\nthe end\n");
        assert_eq!(change_of(&session), Some(CHANGE));
    }

    #[test]
    fn what_is_quoted_above_and_other_programs_ids_are_no_change_ids() {
        let other = "z".repeat(CHANGE_LETTERS);
        assert_eq!(change_of(&format!("a\n\nChange-Id: {CHANGE}\n\nChange-Id: {other}\n\nthe end\n")), None);
        let quoting = format!("session: s\n\n## Original Prompt\nChange-Id: {CHANGE}\n\n## Logical Changes\n- d\n");
        assert_eq!(change_of(&quoting), None);
        assert_eq!(change_of("a\n\nChange-Id: I8473b95934b5732ac55d26311a706c9c2bde9940\n"), None);
        assert_eq!(change_of(&format!("a\n\nChange-Id: {CHANGE}\nSigned-off-by: A <a@b>\n")), Some(CHANGE));
        assert_eq!(change_of(""), None);
    }
}
