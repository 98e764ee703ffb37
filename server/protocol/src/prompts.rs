//! Prompt sessions: what was asked, the commits that came of it, and how they become one `session:` commit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The variables of a person's surroundings that a client sends along with what is written to the history or pushed: what their
/// identity, signatures, keys and way to a remote depend on. Whole names; nothing else may be sent.
pub const PASSED_ON: &[&str] = &[
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
    "EMAIL",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "SSH_ASKPASS_REQUIRE",
    "SSH_AUTH_SOCK",
    // What the editor's own GIT_ASKPASS needs.
    "VSCODE_GIT_ASKPASS_NODE",
    "VSCODE_GIT_ASKPASS_MAIN",
    "VSCODE_GIT_ASKPASS_EXTRA_ARGS",
    "VSCODE_GIT_IPC_HANDLE",
    // The way to a remote, and whom to believe on it.
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "GIT_PROXY_COMMAND",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_SSL_NO_VERIFY",
    "GPG_TTY",
    "GNUPGHOME",
    "JJ_USER",
    "JJ_EMAIL",
    "JJ_CONFIG",
    "HOME",
    "XDG_CONFIG_HOME",
    "PATH",
    // Programs that ask for a password in a window.
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum PromptState {
    /// Intents are being committed.
    Open,
    /// Its `session:` commit is made.
    Finished,
    /// It is pushed, and the next one may begin.
    Closed,
    /// Given up; what was committed stays as it is.
    Dropped,
}

/// What a commit was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum IntentRole {
    Work,
    /// What lay in the tree before the prompt; no part of its session.
    Before,
    Report,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Intent {
    /// The whole first line, `intent: …`.
    pub text: String,
    pub role: IntentRole,
    pub commit: String,
    /// What stays when the commit is rewritten.
    pub change: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FinalCommit {
    pub summary: String,
    pub commit: String,
    pub change: String,
    /// The change ids that it names; empty where it was made of one commit.
    pub squashed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PushedTo {
    pub remote: String,
    pub branch: String,
    pub commit: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// As in `p7`.
    pub id: String,
    pub state: PromptState,
    /// Its first line that says something.
    pub headline: String,
    /// As it was given, to the byte.
    pub text: String,
    pub context: String,
    /// As in `♓︎.5.4.47 5919AM`.
    pub stamp: String,
    /// The model of the stamp: `chronos` or `true`.
    pub model: String,
    pub subjects: Vec<String>,
    /// `git` or `jj`.
    pub system: String,
    /// The commit that it began on, by its change id or the beginning of its hash.
    pub base: Option<String>,
    pub branch: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub started_ms: i64,
    pub intents: Vec<Intent>,
    pub finished: Option<FinalCommit>,
    /// Where the research artifact lies in the workspace.
    pub report: Option<String>,
    pub pushed: Option<PushedTo>,
}

/// Changes that belong together and are not committed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UncommittedGroup {
    /// The task whose approved work it is; without one it is the person's own, or of before.
    pub task: Option<String>,
    /// Whose it is, in words.
    pub about: String,
    /// What its commit would be called.
    pub intent: String,
    pub files: Vec<String>,
}

/// A command that was interrupted while it wrote to the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Interrupted {
    Start,
    /// Also an approval that is committed at once.
    Intent,
    Finish,
    Report,
    Undo,
}

/// How it stands, and what comes next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptStatus {
    /// The prompt that is under way.
    pub prompt: Option<Prompt>,
    /// What is approved and could be committed now.
    pub uncommitted: Vec<UncommittedGroup>,
    /// How many hunks wait for a decision and stay out of every commit.
    pub waiting: u32,
    /// What it is not known of yet what became of it: the command given again finds out, as any other does that writes.
    #[serde(default)]
    pub interrupted: Option<Interrupted>,
    /// What was found when something that was interrupted was looked for.
    pub notes: Vec<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

/// What is done with what lies in the tree when a prompt begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Existing {
    /// Each group is committed as an intent of its own, before the prompt.
    Commit,
    Leave,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct StartPrompt {
    pub text: String,
    /// How it is understood, the approach, the constraints.
    pub context: String,
    /// Subjects that it belongs to; without any, those that were found are noted.
    pub subjects: Vec<String>,
    /// Without a word nothing begins where something lies in the tree.
    pub existing: Option<Existing>,
    /// What the commits of the groups are called, one for each, in their order; as proposed where none is given.
    pub existing_intents: Vec<String>,
    /// The word of the answer that has shown what lies in the tree: its `confirm`. Where something else lies there by then, it is
    /// refused with what that is. Without it, what there is is committed or left.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub confirm: Option<String>,
    pub with_credentials: bool,
    pub dry_run: bool,
    /// What the person's own shell knows about identity, signing and agents of keys. Other names are passed over.
    pub environment: BTreeMap<String, String>,
}

/// A subject that fits a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    pub subject: String,
    pub score: u32,
    /// The words that were found.
    pub why: Vec<String>,
    /// Its folders, as in `Research/high/Parser`.
    pub folders: Vec<String>,
    /// Files to read, of both sides.
    pub files: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StartedPrompt {
    /// `None` where it was a dry run, or where something lies in the tree and nothing was said about it.
    pub prompt: Option<Prompt>,
    pub stamp: String,
    /// Best first.
    pub subjects: Vec<Subject>,
    /// What lies in the tree.
    pub existing: Vec<UncommittedGroup>,
    /// Send it with the order to say what becomes of exactly this.
    #[serde(default)]
    pub confirm: String,
    /// What was committed of it.
    pub committed: Vec<Intent>,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct SetContext {
    pub context: String,
    /// The prompt that was shown, as in `p7`; where another one is under way, it is refused with `other-prompt`. The one under way where it
    /// is left out.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub prompt: Option<String>,
    pub with_credentials: bool,
}

/// Which approved changes are committed: all, or those of a task, of a decision, in some files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct CommitIntent {
    /// With or without `intent: ` in front. A dry run goes without it, too.
    pub text: String,
    pub task: Option<String>,
    /// As in `d12`.
    pub decision: Option<String>,
    /// Only what is no task's and was written, or approved, since the prompt began.
    pub own: bool,
    /// Only in these. Alone they mean everything that is approved in them, also from before the prompt.
    pub files: Vec<String>,
    pub dry_run: bool,
    /// The yes to what a dry run has shown: its `confirm`. Where something else would be committed, it is refused with what that is. Without
    /// it, what there is is committed.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub confirm: Option<String>,
    /// Also where something in the text looks like a credential.
    pub with_credentials: bool,
    pub environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum PartChange {
    Added,
    Changed,
    Removed,
}

/// What a commit does to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommittedPart {
    pub path: String,
    pub change: PartChange,
    pub added: u32,
    pub removed: u32,
    /// Something in the file differs that is not committed.
    pub rest: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct IntentCommitted {
    /// `None` in a dry run.
    pub intent: Option<Intent>,
    pub message: String,
    pub files: Vec<CommittedPart>,
    /// Send it with the order to say yes to exactly these files as they are, whatever the text.
    #[serde(default)]
    pub confirm: String,
    pub notes: Vec<String>,
    pub prompt: Prompt,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct FinishPrompt {
    /// What was achieved, in one line.
    pub summary: String,
    /// The prompt that was shown, as in `p7`; where another one is under way, it is refused with `other-prompt`. The one under way where it
    /// is left out.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub prompt: Option<String>,
    /// Replaces the context that was given before.
    pub context: Option<String>,
    /// Commits that are no intents and belong to the session all the same.
    pub include: Vec<String>,
    /// Branches whose intents stay out of it, and single intents that do, with what they stand on.
    pub leave: Vec<String>,
    /// jj's bookmark that is led to the result.
    pub bookmark: Option<String>,
    pub with_credentials: bool,
    pub dry_run: bool,
    /// The yes to what a dry run has shown: its `confirm`. Where something else would be written, it is refused with what that is. Without
    /// it, what there is is finished.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub confirm: Option<String>,
    pub environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SynthesisMode {
    /// One commit, whose message was rewritten.
    Single,
    /// Several, squashed into one new commit; they stay.
    Multi,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FinishedPrompt {
    pub mode: SynthesisMode,
    /// The whole message.
    pub message: String,
    /// What it is made of, oldest first.
    pub intents: Vec<Intent>,
    /// `None` in a dry run.
    pub finished: Option<FinalCommit>,
    /// What brings everything back besides `prompt undo`.
    pub before: Option<String>,
    /// Send it with the order to say yes to exactly this.
    #[serde(default)]
    pub confirm: String,
    pub notes: Vec<String>,
    pub prompt: Prompt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ArtifactKind {
    #[default]
    Answer,
    Draft,
    Question,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChangeScope {
    ModifiedFiles,
    NoFiles,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ReportPrompt {
    pub answer: String,
    /// The prompt that was shown, as in `p7`; where another one is under way, it is refused with `other-prompt`. The one under way where it
    /// is left out.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub prompt: Option<String>,
    pub kind: ArtifactKind,
    /// Without one, by what was committed.
    pub scope: Option<ChangeScope>,
    pub title: String,
    /// Without one, the first that was found for the prompt.
    pub subject: Option<String>,
    /// The files are written and left uncommitted.
    pub leave: bool,
    /// Also where something in it looks like a credential.
    pub with_credentials: bool,
    pub dry_run: bool,
    pub environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReportedPrompt {
    /// The artifact.
    pub path: String,
    pub text: String,
    /// All files that are written, the artifact first. What lies there already, as an undo leaves it, is none of them.
    pub files: Vec<String>,
    /// `None` in a dry run, and where the files are left.
    pub intent: Option<Intent>,
    pub notes: Vec<String>,
    pub prompt: Prompt,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct UnifySubjects {
    /// Without it nothing is written.
    pub write: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Counterpart {
    pub subject: String,
    pub path: String,
    /// What was in the way, where it was not written.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UnifiedSubjects {
    pub written: bool,
    pub counterparts: Vec<Counterpart>,
    /// How many subjects there are in all.
    pub subjects: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct PushPrompt {
    pub remote: Option<String>,
    pub branch: Option<String>,
    pub dry_run: bool,
    /// The commit that a dry run has shown, or the beginning of its hash with at least four digits. Where another one would be pushed, it is
    /// refused with what that is. Without it, what there is is pushed.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub commit: Option<String>,
    pub environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PushedPrompt {
    pub to: PushedTo,
    /// The remote itself was asked, and has it.
    pub verified: bool,
    /// jj's fresh child for the next prompt.
    pub child: Option<String>,
    pub notes: Vec<String>,
    pub prompt: Prompt,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct UndoPrompt {
    pub dry_run: bool,
    /// The commit that a dry run has shown, or the beginning of its hash with at least four digits. Where it is no longer the last one, it is
    /// refused with what that is. Without it, the last one is taken back.
    #[cfg_attr(feature = "generate", ts(optional))]
    pub commit: Option<String>,
    pub environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UndonePrompt {
    /// What was taken back, in words.
    pub what: String,
    pub commit: String,
    pub done: bool,
    pub notes: Vec<String>,
    pub prompt: Prompt,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct OnePrompt {
    /// Without one, the one that is under way.
    pub prompt: Option<String>,
    pub environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ListPrompts {
    pub limit: Option<u32>,
    /// The branch whose history is read; without one, what is checked out.
    pub branch: Option<String>,
}

/// An id that a session's commit names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NamedChange {
    pub change: String,
    /// The commit that it leads to here; `None` where there is none.
    pub commit: Option<String>,
}

/// A `session:` commit of the history, whoever made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionCommit {
    pub commit: String,
    pub change: Option<String>,
    pub summary: String,
    pub stamp: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time_ms: i64,
    pub prompt: String,
    pub context: String,
    pub changes: Vec<String>,
    pub squashed: Vec<NamedChange>,
    /// What it lacks, where it is not whole.
    pub lacks: Vec<String>,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptList {
    /// What is known here, newest first.
    pub prompts: Vec<Prompt>,
    /// What the history holds, newest first.
    pub sessions: Vec<SessionCommit>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct GuardPrompt {
    pub remote: Option<String>,
    pub branch: Option<String>,
    pub environment: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Invariant {
    pub number: u32,
    pub name: String,
    pub holds: bool,
    pub wrong: Option<String>,
    /// How to mend it.
    pub mend: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Guarded {
    pub holds: bool,
    pub invariants: Vec<Invariant>,
    /// The commit that was judged, by its name.
    pub session: Option<String>,
    pub branch: String,
    pub remote: String,
    pub notes: Vec<String>,
}
