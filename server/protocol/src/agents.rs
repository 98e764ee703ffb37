//! Agents, their runs, their questions and hand-offs on the wire. What an agent says is a claim: clients show it as text.

use serde::{Deserialize, Serialize};

use crate::archive::KnowledgeEntry;
use crate::completion::{Choice, CompletionReport};
use crate::queue::{Priority, Task};
use crate::records::Record;

/// An agent that can be started, as it is configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    pub name: String,
    pub source: AgentSource,
    pub adapter: AdapterKind,
    /// All that it says, for people: a line for each thing, and the content of the files in the workspace that it names.
    pub command: String,
    /// Where the program was found; null where it was not.
    pub program: Option<String>,
    pub capabilities: Vec<String>,
    /// How many runs of it there may be at once.
    pub parallel: u32,
    /// How many there are.
    pub active: u32,
    /// Whether it may be started. One that comes with the workspace needs a person's yes to exactly what it says.
    pub allowed: bool,
    /// The hash of its configuration, which a yes is bound to.
    pub hash: String,
    /// What `command` was when a person allowed it, where it has changed since and needs another yes.
    pub allowed_before: Option<String>,
    /// What speaks against starting it.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AgentSource {
    /// Known to the program.
    Preset,
    /// From the user's own file.
    User,
    /// From the workspace.
    Workspace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AdapterKind {
    Acp,
    Command,
    Attached,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AgentList {
    pub agents: Vec<Agent>,
    /// What is wrong with the files they come from.
    pub problems: Vec<String>,
}

/// Allows an agent of the workspace to be started, as its configuration stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AllowAgent {
    pub name: String,
    /// The hash of what was shown.
    pub hash: String,
}

/// Starts an agent on a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartAgent {
    pub agent: String,
    /// Without one: the task that comes first for this agent.
    pub task: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub time_limit_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// Null when no task is ready for this agent.
    pub run: Option<RunInfo>,
}

/// One run, by its id (`b12.2`), or by its task's id for the task's newest run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneRun {
    pub run: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListRuns {
    pub task: Option<String>,
    pub agent: Option<String>,
    /// Only those that have not ended.
    #[serde(default)]
    pub active: bool,
    pub limit: Option<u32>,
}

/// The newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunList {
    pub runs: Vec<RunInfo>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    Starting,
    Running,
    Waiting,
    Completed,
    Partial,
    Blocked,
    Failed,
    Cancelled,
    TimedOut,
    Disconnected,
}

/// How a run stands, and what that rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunInfo {
    pub run: String,
    pub task: String,
    pub title: String,
    pub agent: String,
    pub adapter: AdapterKind,
    pub state: RunState,
    /// Whether the state is the last one.
    pub ended: bool,
    /// Why it stands so, for programs.
    pub why: String,
    /// The same as the second half of a sentence.
    pub because: String,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub started_at: i64,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub ended_at: Option<i64>,
    /// What told last that it lives: `message`, `output`, `process`, `hook`, `tool`, `heartbeat`, `started`.
    pub last_sign: String,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub last_sign_at: i64,
    /// What became of its process: `starting`, `alive`, `leaving`, `elsewhere`, `code 0`, `signal 9`, `unseen`.
    pub process: String,
    /// What it reported: `completed`, `partial`, `blocked` or `failed`.
    pub reported: Option<String>,
    /// How its last turn ended, where its protocol knows turns.
    pub stopped: Option<String>,
    /// The last thing it said, for people.
    pub message: Option<String>,
    /// How many questions of its wait for a person.
    pub questions: u32,
    pub usage: Option<Usage>,
    /// Null while it runs, and where nobody saw it: of an attached agent, or of a run whose keeper was killed.
    pub resources: Option<Resources>,
}

/// What the processes of a run used: its agent's own and those that it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Resources {
    /// Processor time of all of them together.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub cpu_ms: u64,
    /// The most memory that one of them held at a time.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub peak_memory_bytes: u64,
}

/// What a run cost, where the agent tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub input_tokens: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub output_tokens: u64,
    /// As the agent says it, with its currency.
    pub cost: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunDetails {
    pub run: RunInfo,
    pub report: Option<CompletionReport>,
    /// The newest first.
    pub questions: Vec<Question>,
    pub hand_offs: Vec<HandOff>,
    /// The newest records about it, newest first.
    pub records: Vec<Record>,
    /// The end of what it said.
    pub tail: String,
}

/// Reads what a run has said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadOutput {
    pub run: String,
    /// A place as an earlier answer gave it; 0 is the beginning.
    #[serde(default)]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub from: u64,
    /// As the agent wrote it, frames of its protocol and all, instead of what people read.
    #[serde(default)]
    pub raw: bool,
}

/// Some of what a run has said, at most 256 KiB. Not text to be trusted: it may hold anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Output {
    pub text: String,
    /// Where to go on.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub next: u64,
    /// How many bytes before this text are not kept.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub missed: u64,
    /// Whether there is more to be read now.
    pub more: bool,
    /// Whether the run has ended, so that after this no more will come.
    pub ended: bool,
}

/// What a run asks a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// `q7`.
    pub id: String,
    pub run: String,
    pub task: String,
    pub agent: String,
    pub kind: QuestionKind,
    pub question: String,
    /// What it is about: a command, a diff. May have many lines.
    pub detail: String,
    pub options: Vec<Choice>,
    /// What the agent would choose.
    pub recommendation: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub asked_at: i64,
    pub answer: Option<QuestionAnswer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    /// It wants to do something and waits for leave.
    Permission,
    /// It wants something decided and waits.
    Decision,
    /// Its report names something to be decided; it does not wait.
    DecisionPoint,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct QuestionAnswer {
    /// The value of the option that was chosen; null where the answer is a text, or nobody needs one any more.
    pub choice: Option<String>,
    pub text: Option<String>,
    /// `person:jo`, `policy` or `withdrawn`.
    pub by: String,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub at: i64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListQuestions {
    /// Also those that have their answer.
    #[serde(default)]
    pub answered: bool,
    pub run: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct QuestionList {
    /// Those that wait first, the oldest of them first; at most 200.
    pub questions: Vec<Question>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneQuestion {
    pub question: String,
}

/// Answers with an option's value, or with a text where the question takes one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerQuestion {
    pub question: String,
    pub choice: Option<String>,
    pub text: Option<String>,
}

/// A proposal that another agent goes on where a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HandOff {
    /// `h3`.
    pub id: String,
    pub from_run: String,
    pub from_agent: String,
    pub to_agent: String,
    pub reason: Option<String>,
    pub state: HandOffState,
    /// The task that was made of it.
    pub task: Option<String>,
    /// The newest run that has begun with that task.
    pub run: Option<String>,
    /// Whether it can be started: it waits for a decision, or was accepted and nobody has begun with its task.
    pub can_start: bool,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub proposed_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum HandOffState {
    Proposed,
    Accepted,
    Dismissed,
    /// Not proposed any further: the agent was in this chain before, or the chain is too long.
    Stopped,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HandOffList {
    pub hand_offs: Vec<HandOff>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecideHandOff {
    pub hand_off: String,
    pub accept: bool,
    /// What the next agent gets to read, to the letter; where it is left out, what is known when it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Its agent is started next: what would keep it from that refuses, and nothing changes. One that was accepted before can
    /// be started this way as long as nobody has begun with its task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<bool>,
    /// With `start`: the task joins the confirmed scope of the session under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add_to_scope: Option<bool>,
}

/// What the next agent should know, as one Markdown document: the report, how the project stands, what was changed with its
/// diffs and authors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HandOffDocument {
    pub text: String,
    /// A person gave the next agent this very text; else it is what is known now.
    pub is_given: bool,
}

/// The document of a hand-off, or, for a run, of the one that its own task came from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadHandOff {
    pub hand_off: Option<String>,
}

/// A run's own task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OwnTask {
    pub run: String,
    pub task: Task,
    /// Whether the run may still speak for it.
    pub holds: bool,
    /// Whether another run's work goes before it, to be read with `augment/run/hand-off`.
    pub has_hand_off: bool,
    pub workspace: String,
    /// What was learnt earlier and matches the task, at most 5.
    #[serde(default)]
    pub from_earlier: Vec<KnowledgeEntry>,
}

/// Asks a person. The answer is fetched with `augment/question/show` once `augment/moved` says `agents`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskDecision {
    pub question: String,
    #[serde(default)]
    pub detail: String,
    /// At most 16; with none the answer is a text.
    #[serde(default)]
    pub options: Vec<Choice>,
    pub recommendation: Option<String>,
}

/// Something to be done that is not part of the run's own task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LogDiscovered {
    pub title: String,
    #[serde(default)]
    pub description: String,
    pub priority: Option<Priority>,
}

/// How a run says that its work stands: the report itself, or the XML of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportWork {
    /// The task it is for, if it says so; another than its own is refused.
    pub task: Option<String>,
    pub report: Option<CompletionReport>,
    pub xml: Option<String>,
}

/// What a hook of an agent saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HookSeen {
    /// `claude-code`, `codex`, `gemini`, `qwen` or `auggie`.
    pub agent: String,
    pub moment: HookMoment,
    /// The tool, where one is used.
    pub tool: Option<String>,
    /// The files it writes, relative to the workspace or absolute.
    #[serde(default)]
    pub writes: Vec<String>,
    /// Whether the tool is known to change nothing. A shell is not.
    #[serde(default)]
    pub only_reads: bool,
    /// What went wrong, where something did.
    pub failure: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum HookMoment {
    /// A session or a turn begins.
    Begins,
    BeforeTool,
    AfterTool,
    /// A turn has ended.
    TurnEnded,
    /// The session has ended.
    Ends,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HookVerdict {
    pub decision: HookDecision,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum HookDecision {
    Allow,
    Deny,
    /// The agent does what it would do without us.
    Nothing,
}
