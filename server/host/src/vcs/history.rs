//! What a prompt session needs of version control, in one trait with two implementations: `git` (libgit2; the git program
//! only for what it alone can do: hooks, signatures, pushing) and `jj` (the jj program). Whoever calls decides what is
//! written; an implementation writes exactly that, compares before it writes, and leaves the files on disk as they are.

use std::collections::HashMap;
use std::path::PathBuf;

use augment_core::file::FilePath;
use augment_core::text::{quoted, shell_word, visible};

/// Which system keeps the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Git,
    Jj { colocated: bool },
}

/// A commit as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// In hexadecimal, whole.
    pub id: String,
    /// What stays when it is rewritten: jj's own, or the trailer `Change-Id`. `None` for a commit of git without one.
    pub change: Option<String>,
    pub parents: Vec<String>,
    pub message: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// Whether it holds unresolved conflicts, which only jj keeps in commits.
    pub conflict: bool,
}

impl Commit {
    /// The name to write down: the change id, or the beginning of the hash where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.change.as_deref().unwrap_or_else(|| self.id.get(..12).unwrap_or(&self.id))
    }
}

/// Where work stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// The newest commit below the working tree: HEAD, or in jj the parent of `@`. `None` before the first one.
    pub tip: Option<Commit>,
    /// The branch that is checked out; `None` when detached, and always in jj.
    pub branch: Option<String>,
    /// jj's `@`; `None` in git.
    pub working: Option<Commit>,
}

/// What one file shall be in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    Absent,
    File { content: Vec<u8>, executable: bool },
    Link(Vec<u8>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub path: FilePath,
    pub body: Body,
}

/// One commit on top of the tip. Every file that is not named is as in the tip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCommit {
    /// Without trailers: git's implementation appends `Change-Id`.
    pub message: String,
    pub parts: Vec<Part>,
    /// The change id that it shall have in git: 32 letters from k to z, drawn by the caller. jj draws its own.
    pub change: String,
    /// The tip that was looked at; another one is `Moved`.
    pub tip: Option<String>,
}

impl NewCommit {
    /// Refused where one file shall become two things: nobody has said which.
    pub(super) fn expect_each_once(&self) -> Result<()> {
        let mut named = std::collections::BTreeSet::new();
        let Some(twice) = self.parts.iter().find(|part| !named.insert(&part.path)) else { return Ok(()) };
        let words = format!("{} would become two things at once", twice.path);
        Err(HistoryError::Refused { what: "The commit".into(), words })
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub commit: Commit,
    /// What brings everything back: jj's operation before it, or the commit that the branch was at (empty: none).
    pub before: String,
    /// Files that the person had staged in git just as they were committed.
    pub staged: Vec<FilePath>,
    /// What the person should hear, such as that a hook has changed the message.
    pub notes: Vec<String>,
}

/// The commits of a session, oldest first, and how one is made of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synthesis {
    /// The whole message; in git with the trailer.
    pub message: String,
    /// What the session's commit stands on. `None` where there was nothing before.
    pub base: Option<String>,
    /// The tip whose tree it gets; it must still be the tip.
    pub tip: String,
    /// All commits that it is made of, by hash, oldest first.
    pub commits: Vec<String>,
    /// In git, the change id of the new commit.
    pub change: String,
    /// The number of the prompt, for the refs that keep the intents: `refs/augment/prompts/<prompt>/<change id>`.
    pub prompt: u64,
    /// The branch or bookmark that is led to it: in jj always, in git the one that is checked out (HEAD itself when
    /// detached).
    pub bookmark: Option<String>,
    /// jj's newest operation before any of it was written, where an earlier process has begun it. Without one, none has.
    pub operation: Option<String>,
}

/// Where a remote's branch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remote {
    /// There is no remote of this name.
    NoRemote,
    /// It has no such branch.
    NoBranch,
    At(String),
}

/// What a system alone says of a commit that a session could be made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct About {
    /// A branch of a remote has it, as far as is known here.
    pub on_remote: bool,
    /// It must not be rewritten; `held` says why.
    pub held: bool,
    /// It changes nothing, says nothing, and has one parent.
    pub blank: bool,
}

/// Who holds a commit, so that it is not rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    Tag(String),
    Remote { branch: String, remote: String },
    Setting,
}

impl std::fmt::Display for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tag(name) => write!(f, "the tag {} holds it", visible(name)),
            Self::Remote { branch, remote } => write!(f, "{}@{} has it", visible(branch), visible(remote)),
            Self::Setting => f.write_str("your setting `immutable_heads()` holds it"),
        }
    }
}

impl Held {
    /// What makes it free again, up to the other way on.
    fn mend(&self) -> String {
        match self {
            Self::Tag(name) => format!("Delete the tag (`jj tag delete {}`), or leave", shell_word(name)),
            Self::Remote { .. } => "Leave".to_owned(),
            Self::Setting => "Change the setting (`jj config edit`), or leave".to_owned(),
        }
    }
}

/// Why something cannot be done. Each is a sentence with what to do instead.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error(
        "The workspace lies in no repository of git or jj. Make one with `git init` or `jj git init`, then repeat."
    )]
    NoRepository,
    #[error(
        "This is a jj repository, and no jj is found in PATH. Install it (`cargo install --locked jj-cli`), then repeat."
    )]
    NoJj,
    #[error(
        "{program} is version {found}, and {wanted} or newer is needed. Update it (`cargo install --locked jj-cli`), then repeat."
    )]
    OldJj { program: PathBuf, found: String, wanted: &'static str },
    #[error(
        "This repository names its objects by SHA-256, which is not understood here. Commit in it with git itself; prompts need a repository with SHA-1 (`git init --object-format=sha1`)."
    )]
    ObjectFormat,
    #[error("No git program is found in PATH, and {what} needs it. Install git, then repeat.")]
    NoGit { what: &'static str },
    #[error("The repository has moved since: it was at {expected}, and is at {found}. Look at it, then repeat.")]
    Moved { expected: String, found: String },
    #[error("These files are the same in the newest commit, so there is nothing to commit.")]
    Nothing,
    #[error(
        "`@` stands on several commits at once ({}). Make that merge a commit of its own (`jj commit`), then repeat.",
        .parents.join(", ")
    )]
    Merge { parents: Vec<String> },
    #[error(
        "{name} is no commit, branch or bookmark of this repository. Look at what there is (`jj log`, `git log --all`)."
    )]
    Unknown { name: String },
    #[error("Unresolved conflicts are in {}. Resolve them first, then repeat.", .0.join(", "))]
    Conflicts(Vec<String>),
    #[error(
        "{commit} is on {remote} already, so it is neither rewritten nor taken back. Change what it did with a new commit, or give the prompt up with `augment-cli prompt drop`."
    )]
    Pushed { commit: String, remote: String },
    #[error(
        "{remote} has moved meanwhile: its {branch} is at {found}, which your commits do not stand on. Fetch it, rebase or merge, then repeat; nothing was pushed."
    )]
    RemoteMoved { remote: String, branch: String, found: String },
    #[error(
        "{name} ({}) is not rewritten, since {why}. {} it out of the session, with what it stands on (--leave {name}), then repeat.",
        quoted(.title), .why.mend()
    )]
    Held { name: String, title: String, why: Held },
    /// What was begun stands there, and doing it again goes on from there.
    #[error(
        "{} What may be written of it could not be taken back ({why}). Mend that and give the same command again: it goes on from there.",
        sentence(.error)
    )]
    HalfDone { error: Box<HistoryError>, why: String },
    #[error("{what} was refused: {words}")]
    Refused { what: String, words: String },
    #[error("{program} failed: {words}")]
    Failed { program: String, words: String },
    #[error(transparent)]
    Commit(#[from] super::CommitError),
    #[error("Git says no: {}.", .0.message().trim_end_matches('.'))]
    Git(#[from] git2::Error),
    #[error("{what}: {source}")]
    Io { what: String, source: std::io::Error },
}

/// Its words with a full stop at their end.
fn sentence(error: &HistoryError) -> String {
    let words = error.to_string();
    if words.ends_with('.') { words } else { format!("{words}.") }
}

impl HistoryError {
    /// The same, where what was written until then could not be taken back either.
    pub(crate) fn half_done(self, why: &Self) -> Self {
        let why = why.to_string().trim_end_matches('.').to_owned();
        Self::HalfDone { error: Box::new(self), why }
    }

    /// The same, where a part was done until then, and the same order goes on from there.
    pub(crate) fn partly_done(self) -> Self {
        Self::HalfDone { error: Box::new(self), why: "a part of it is done".to_owned() }
    }

    /// Whether the same order may go through once the person has mended something outside, such as a lock that lies there.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::NoJj | Self::OldJj { .. } | Self::NoGit { .. } | Self::HalfDone { .. } | Self::Conflicts(_) => true,
            Self::Failed { .. } | Self::Git(_) | Self::Io { .. } => true,
            Self::Commit(error) => error.may_pass(),
            Self::NoRepository | Self::ObjectFormat | Self::Moved { .. } | Self::Nothing | Self::Merge { .. } => false,
            Self::Unknown { .. } | Self::Pushed { .. } | Self::RemoteMoved { .. } => false,
            Self::Held { .. } | Self::Refused { .. } => false,
        }
    }

    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoRepository => "no-repository",
            Self::NoJj => "no-jj",
            Self::OldJj { .. } => "old-jj",
            Self::ObjectFormat => "object-format",
            Self::NoGit { .. } => "no-git",
            Self::Moved { .. } => "moved",
            Self::Nothing => "nothing-to-commit",
            Self::Merge { .. } => "several-parents",
            Self::Unknown { .. } => "unknown-commit",
            Self::Conflicts(_) => "conflicts",
            Self::Pushed { .. } => "already-pushed",
            Self::RemoteMoved { .. } => "remote-moved",
            Self::Held { .. } => "held",
            Self::HalfDone { .. } => "half-done",
            Self::Refused { .. } => "refused-by-others",
            Self::Failed { .. } => "program-failed",
            Self::Commit(error) => error.code(),
            Self::Git(_) => "git",
            Self::Io { .. } => "io",
        }
    }
}

pub type Result<T, E = HistoryError> = std::result::Result<T, E>;

/// Why a file is no part of a commit that takes whatever was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The person told the system to leave it alone.
    LeftAlone,
    /// It lies in another repository, or behind a link.
    Elsewhere,
    /// It names submodules that are staged, and nobody commits those here.
    Submodule,
    Ignored,
    /// It is larger than jj takes of new files.
    TooLarge,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::LeftAlone => "git was told to leave it alone (skip-worktree, assume-unchanged)",
            Self::Elsewhere => "it lies in a repository of its own, or behind a link; commit it there",
            Self::Submodule => "a submodule is staged that belongs to it; commit both by hand",
            Self::Ignored => "it is ignored (.gitignore)",
            Self::TooLarge => "it is larger than jj takes of new files (snapshot.max-new-file-size)",
        })
    }
}

/// Where it is noted which files the person had staged.
pub type NoteStaged<'a> = dyn Fn(&[FilePath]) -> std::io::Result<()> + 'a;

/// What is written has a look before it (`may_…`), which writes nothing and is the same that the writing begins with: whoever
/// only shows what would be done hears there what would keep it from being done. What a hook will say nobody can foresee.
pub trait History {
    fn system(&self) -> System;

    fn ground(&self) -> Result<Ground>;

    /// Refused where something is under way that moves the branch by itself, such as a rebase.
    fn undisturbed(&self) -> Result<()> {
        Ok(())
    }

    /// Files of the workspace that differ from the tip, untracked ones among them, ignored ones not; by path.
    fn changed(&self) -> Result<Vec<FilePath>>;

    /// Submodules that are at another commit than the tip names, by path. They are none of the changed files, and nobody
    /// here commits them.
    fn submodules(&self) -> Result<Vec<FilePath>> {
        Ok(Vec::new())
    }

    /// The hash of the tip, as it is known without looking at the files. What is read of it is asked by that hash: the tip
    /// may move meanwhile.
    fn tip(&self) -> Result<Option<String>> {
        Ok(self.ground()?.tip.map(|tip| tip.id))
    }

    /// What a commit holds at a path, as a checkout of it would lay it down on disk. By its whole hash; without one there
    /// is nothing.
    fn checked_out(&self, commit: Option<&str>, path: &FilePath) -> Result<Body>;

    /// The files of the workspace that a commit has below a path, other repositories among them: none where it has no folder
    /// there. By its whole hash.
    fn below(&self, commit: Option<&str>, path: &FilePath) -> Result<Vec<FilePath>>;

    /// Why a file that nobody named stays out of a commit, whatever the disk says of it.
    fn left_out(&self, _path: &FilePath) -> Result<Option<LeftOut>> {
        Ok(None)
    }

    /// Why a file that is new would be refused, whoever names it; `None` for one that is known already.
    fn not_added(&self, _path: &FilePath) -> Result<Option<LeftOut>> {
        Ok(None)
    }

    /// The program that a file's content goes through on its way into a commit, which is not run here.
    fn filter(&self, _path: &FilePath) -> Result<Option<String>> {
        Ok(None)
    }

    /// Refused where such a commit would be.
    fn may_commit(&self, wanted: &NewCommit) -> Result<()>;

    /// Commits exactly these parts. What else is changed or staged stays so.
    fn commit(&self, wanted: &NewCommit) -> Result<Made> {
        self.commit_noting(wanted, &|_| Ok(()))
    }

    /// The same. Where the person had staged files just as they are committed, those are noted before the branch moves:
    /// nobody could tell afterwards.
    fn commit_noting(&self, wanted: &NewCommit, note: &NoteStaged<'_>) -> Result<Made>;

    /// Whether a commit that was begun, and not heard of again, was made. What it left lying about is cleared away.
    fn find_made(&self, wanted: &NewCommit) -> Result<Option<Commit>>;

    /// Locks that lie where a commit is written, which a process that was killed may have left. Whose they are nobody can
    /// tell, so they stay.
    fn left_locks(&self) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    /// The commits that are not in `base`, oldest first: those below the working tree, and those of other branches that
    /// stand on `base`. Each with the branch or bookmark nearest above it where it is not below the working tree; in jj
    /// the beginning of a change id where there is no bookmark.
    fn since(&self, base: Option<&str>) -> Result<Vec<(Commit, Option<String>)>>;

    /// What else is known of the commits below the working tree that are not in `base`, by hash.
    fn about(&self, _base: Option<&str>) -> Result<HashMap<String, About>> {
        Ok(HashMap::new())
    }

    /// Who holds a commit; `None` where it is free.
    fn held(&self, _commit: &str) -> Result<Option<Held>> {
        Ok(None)
    }

    /// What is announced together with a synthesis, so that whoever finishes it knows what was before: jj's newest
    /// operation. git needs none.
    fn newest_operation(&self) -> Result<Option<String>> {
        Ok(None)
    }

    /// Refused where such a synthesis would be.
    fn may_synthesise(&self, plan: &Synthesis) -> Result<()>;

    /// One commit: its message is replaced (single). Several: one new commit on `base` with the tip's tree, the others
    /// kept (multi). Everything above stays as it was. Where it fails, nothing is left of it, or it says that it is half
    /// done.
    fn synthesise(&self, plan: &Synthesis) -> Result<Made>;

    /// Whether a synthesis that was begun, and not heard of again, was finished.
    fn find_synthesised(&self, plan: &Synthesis) -> Result<Option<Commit>>;

    /// The commits above `base` and up to `tip` that a remote has, as far as is known here without asking it, oldest first;
    /// each with the remote's branch. What they are made into stands beside them, and they stay as they are.
    fn shared(&self, _base: Option<&str>, _tip: &str) -> Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }

    /// Refused where the taking back of such a commit would be.
    fn may_take_back_commit(&self, made: &str, before: &str) -> Result<()>;

    /// Takes back a commit of ours that is the tip: its content is uncommitted again, the files stay. What had been staged
    /// just so stays staged.
    fn take_back_commit(&self, made: &str, before: &str, staged: &[FilePath]) -> Result<()>;

    /// Refused where the taking back of such a synthesis would be.
    fn may_take_back_synthesis(&self, plan: &Synthesis, made: &str, before: &str) -> Result<()>;

    /// Takes back a synthesis: the session's commits are the tip again.
    fn take_back_synthesis(&self, plan: &Synthesis, made: &str, before: &str) -> Result<()>;

    /// What the person should hear of their bookmarks before such a commit is taken back: those that stand on it have to go
    /// elsewhere. `led` is the one that is led back as it was led there.
    fn bookmarks_on(&self, _made: &str, _led: Option<&str>) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Where the remote's branch is, asked of the remote itself.
    fn remote(&self, remote: &str, branch: &str) -> Result<Remote>;

    /// Brings a commit to the remote's branch, never by force.
    fn push(&self, remote: &str, branch: &str, commit: &str) -> Result<()>;

    /// What the next prompt's changes go into, where the system has such a thing: jj's `@`, above this commit. The files on
    /// disk stay as they are.
    fn fresh_child(&self, of: &str) -> Result<Option<Commit>>;

    /// A commit by a change id or a hash, or by the beginning of either; `None` where there is none or more than one.
    fn find(&self, name: &str) -> Result<Option<Commit>>;

    /// The commits that a branch, a commit or (without a name) the tip is made of, newest first, first parents only.
    fn lineage(&self, from: Option<&str>, limit: usize) -> Result<Vec<Commit>>;

    fn is_ancestor(&self, of: &str, ancestor: &str) -> Result<bool>;

    /// Files that differ between a commit and its first parent, by path.
    fn touched(&self, commit: &str) -> Result<Vec<FilePath>>;

    /// The content of a file in a commit, as it is kept there.
    fn at(&self, commit: &str, path: &FilePath) -> Result<Body>;
}
