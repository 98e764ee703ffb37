//! jj as a history. Everything that is written is written by the jj program itself, in operations that it can undo, with
//! the person's own settings (author, signing, what is immutable); nothing of its files or settings is touched by us. The
//! files on disk stay as they are: every command is chosen so that `@` holds after it what it held before.
//!
//! Whatever consists of several commands takes back what it wrote when one of them fails. Where we were gone meanwhile, or
//! taking back fails too, it can be begun again at any point and then finishes.

mod committing;
mod keeping;
mod line_ends;
mod new_files;
mod program;
mod pushing;
mod reading;
mod synthesising;
mod taking_back;

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use augment_core::file::FilePath;

use super::history::{
    About, Body, Commit, Ground, Held, History, HistoryError, LeftOut, Made, NewCommit, NoteStaged, Remote, Result,
    Synthesis, System,
};
use line_ends::Turned;
use program::{Look, Program};

/// A workspace in a repository of jj.
#[derive(Debug)]
pub struct Jj {
    program: Program,
    /// The repository behind it, in which contents lie.
    git: PathBuf,
    is_colocated: bool,
    /// The folder that `.jj` is in.
    top: PathBuf,
    /// Where the workspace lies in the repository: empty, or with `/` at its end.
    prefix: String,
    /// Known once it was asked for.
    turned: OnceLock<Turned>,
}

impl Jj {
    /// The repository of jj that a workspace lies in; `None` where it lies in none. Where a repository of git lies between
    /// the two, that one has the workspace.
    pub fn open(root: &Path, environment: &[(String, String)]) -> Result<Option<Self>> {
        let io = |source| HistoryError::Io { what: root.display().to_string(), source };
        let root = root.canonicalize().map_err(io)?;
        let nearest = root.ancestors().find(|folder| folder.join(".jj").is_dir() || folder.join(".git").exists());
        let Some(top) = nearest.filter(|top| top.join(".jj").is_dir()) else { return Ok(None) };
        let below = root.strip_prefix(top).unwrap_or(Path::new(""));
        let prefix = match below.to_str() {
            Some("") => String::new(),
            Some(below) => format!("{below}/"),
            None => return Err(no_text(below.as_os_str().as_bytes())),
        };
        let program = Program::find(top, environment)?;
        let said = program.jj(Look::Aside, &["git", "root"])?;
        let git = PathBuf::from(String::from_utf8_lossy(&said).trim_end_matches('\n'));
        let is_colocated = top.join(".git").canonicalize().is_ok_and(|beside| {
            // A worktree of git has a file there, and not the store itself.
            git.canonicalize().is_ok_and(|git| git == beside)
        });
        Ok(Some(Self { program, git, is_colocated, top: top.to_owned(), prefix, turned: OnceLock::new() }))
    }

    /// A file of the workspace as the repository names it.
    fn place(&self, path: &FilePath) -> Result<String> {
        let text = std::str::from_utf8(path.as_bytes()).map_err(|_| no_text(path.as_bytes()))?;
        Ok(format!("{}{text}", self.prefix))
    }

    /// A file of the repository as the workspace names it; `None` outside of it.
    fn here(&self, place: &str) -> Option<FilePath> {
        FilePath::new(place.strip_prefix(&self.prefix)?).ok()
    }
}

/// jj keeps paths as text.
fn no_text(path: &[u8]) -> HistoryError {
    let path = String::from_utf8_lossy(path);
    HistoryError::Refused {
        what: "Committing".to_owned(),
        words: format!(
            "jj cannot keep the name {}, which is not UTF-8. Rename it, then repeat.",
            augment_core::text::quoted(&path)
        ),
    }
}

impl History for Jj {
    fn system(&self) -> System {
        System::Jj { colocated: self.is_colocated }
    }

    fn ground(&self) -> Result<Ground> {
        self.ground_here()
    }

    fn changed(&self) -> Result<Vec<FilePath>> {
        let standing = self.standing(Look::First)?;
        self.differing_here(standing.tip.as_ref().map(|tip| tip.id.as_str()), &standing.working.commit.id)
    }

    fn tip(&self) -> Result<Option<String>> {
        Ok(self.standing(Look::Aside)?.tip.map(|tip| tip.id))
    }

    fn checked_out(&self, commit: Option<&str>, path: &FilePath) -> Result<Body> {
        commit.map_or(Ok(Body::Absent), |commit| self.laid_down(commit, &self.place(path)?))
    }

    fn below(&self, commit: Option<&str>, path: &FilePath) -> Result<Vec<FilePath>> {
        let Some(commit) = commit else { return Ok(Vec::new()) };
        let found = self.places_below(commit, &self.place(path)?)?;
        Ok(found.iter().filter_map(|place| self.here(place)).collect())
    }

    fn not_added(&self, path: &FilePath) -> Result<Option<LeftOut>> {
        self.not_tracked(&self.place(path)?)
    }

    fn may_commit(&self, wanted: &NewCommit) -> Result<()> {
        self.look_at_parts(wanted)
    }

    fn commit_noting(&self, wanted: &NewCommit, _note: &NoteStaged<'_>) -> Result<Made> {
        self.commit_parts(wanted)
    }

    fn find_made(&self, wanted: &NewCommit) -> Result<Option<Commit>> {
        self.find_parts(wanted)
    }

    fn since(&self, base: Option<&str>) -> Result<Vec<(Commit, Option<String>)>> {
        self.since_base(base)
    }

    fn about(&self, base: Option<&str>) -> Result<HashMap<String, About>> {
        self.about_line(base)
    }

    fn held(&self, commit: &str) -> Result<Option<Held>> {
        self.held_by(commit)
    }

    fn newest_operation(&self) -> Result<Option<String>> {
        self.operation().map(Some)
    }

    fn may_synthesise(&self, plan: &Synthesis) -> Result<()> {
        self.ready_to_make(plan).map(drop)
    }

    fn synthesise(&self, plan: &Synthesis) -> Result<Made> {
        self.make_one(plan)
    }

    fn find_synthesised(&self, plan: &Synthesis) -> Result<Option<Commit>> {
        self.find_one(plan)
    }

    fn may_take_back_commit(&self, made: &str, _before: &str) -> Result<()> {
        self.ready_to_uncommit(made).map(drop)
    }

    fn take_back_commit(&self, made: &str, _before: &str, _staged: &[FilePath]) -> Result<()> {
        self.uncommit(made)
    }

    fn may_take_back_synthesis(&self, plan: &Synthesis, made: &str, before: &str) -> Result<()> {
        self.ready_to_unmake(plan, made, before).map(drop)
    }

    fn take_back_synthesis(&self, plan: &Synthesis, made: &str, before: &str) -> Result<()> {
        self.unmake_one(plan, made, before)
    }

    fn bookmarks_on(&self, made: &str, led: Option<&str>) -> Result<Vec<String>> {
        self.led_below(made, led)
    }

    fn remote(&self, remote: &str, branch: &str) -> Result<Remote> {
        self.ask_remote(remote, branch)
    }

    fn push(&self, remote: &str, branch: &str, commit: &str) -> Result<()> {
        self.push_to(remote, branch, commit)
    }

    fn fresh_child(&self, of: &str) -> Result<Option<Commit>> {
        self.child(of).map(Some)
    }

    fn find(&self, name: &str) -> Result<Option<Commit>> {
        Ok(self.found(name)?.map(|known| known.commit))
    }

    fn lineage(&self, from: Option<&str>, limit: usize) -> Result<Vec<Commit>> {
        self.first_parents(from, limit)
    }

    fn is_ancestor(&self, of: &str, ancestor: &str) -> Result<bool> {
        self.stands_on(of, ancestor)
    }

    fn touched(&self, commit: &str) -> Result<Vec<FilePath>> {
        self.touched_by(commit)
    }

    fn at(&self, commit: &str, path: &FilePath) -> Result<Body> {
        self.body(&self.commit_of(commit)?.commit.id, &self.place(path)?)
    }
}
