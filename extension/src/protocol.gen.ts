// Written by `npm run generate` from server/protocol. Do not edit.

export const PROTOCOL_VERSION = 1;
export const REFUSED = -32001;
export const FAILED = -32003;

/** The only variables of a person's surroundings that a client may send. */
export const PASSED_ON = [
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
  "VSCODE_GIT_ASKPASS_NODE",
  "VSCODE_GIT_ASKPASS_MAIN",
  "VSCODE_GIT_ASKPASS_EXTRA_ARGS",
  "VSCODE_GIT_IPC_HANDLE",
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
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
] as const;

/** So many agents, and so many types, are told at most: the busiest. */
export const MOST_NAMED = 100;

/**
 * A task as clients see it. Times are milliseconds since 1970.
 */
export type Task = { id: string, title: string, description: string, priority: Priority, status: Status, origin: Origin, goal: string | null, scope: Array<string>, labels: Array<string>, capabilities: Array<string>, 
/**
 * The only one who may take it, if it is set.
 */
assignee: string | null, dependsOn: Array<string>, 
/**
 * How many of `dependsOn` are not completed yet.
 */
waitsFor: number, timeLimitMs: number | null, 
/**
 * The number of the last attempt, over the task's whole life.
 */
attempt: number, 
/**
 * Attempts used since it was added or last retried.
 */
attemptsUsed: number, maxAttempts: number, createdAt: number, startedAt: number | null, endedAt: number | null, 
/**
 * Who has it, or had it last.
 */
holder: string | null, result: string | null, 
/**
 * There while the task is being worked on.
 */
lease: Lease | null, 
/**
 * Grows with every change of this task. A command that acts on what was shown sends it back.
 */
revision: number, };

export type Lease = { lengthMs: number, 
/**
 * How long it still stands without a heartbeat; 0 when it is due.
 */
leftMs: number, lastHeartbeatAt: number, };

export type Priority = "high" | "medium" | "low";

export type Status = "pending" | "in-progress" | "completed" | "failed" | "partial" | "blocked" | "cancelled";

export type Origin = "typed" | "connector" | "discovered" | "hand-off";

/**
 * A new task. Priority and origin are texts here, so that a wrong one is refused with a sentence and recorded.
 */
export type AddTask = { title: string, description?: string, 
/**
 * `low`, `medium` (the default) or `high`.
 */
priority?: string, 
/**
 * `typed` (the default), `connector`, `discovered` or `hand-off`.
 */
origin?: string, goal?: string, scope?: Array<string>, labels?: Array<string>, capabilities?: Array<string>, assignee?: string, dependsOn?: Array<string>, timeLimitMs?: number, maxAttempts?: number, };

/**
 * What is to be different. What is left out stays; an empty text or list clears; a time limit of 0 clears.
 */
export type EditTask = { task: string, 
/**
 * The revision at which it was shown; a task that has changed since is refused.
 */
revision?: number, title?: string, description?: string, priority?: string, goal?: string, scope?: Array<string>, labels?: Array<string>, capabilities?: Array<string>, assignee?: string, dependsOn?: Array<string>, timeLimitMs?: number, maxAttempts?: number, };

export type MoveTask = { task: string, revision?: number, place: Place, };

/**
 * Where a task is to stand. Next to another task it takes on that task's priority.
 */
export type Place = "top" | "bottom" | { "before": string } | { "after": string };

/**
 * Names one task, for the commands that need nothing else.
 */
export type OneTask = { task: string, revision?: number, };

export type CancelTask = { task: string, revision?: number, reason?: string, };

/**
 * Who wants a task. Without a name it is the person who asks.
 */
export type TakeNext = { agent?: string, capabilities?: Array<string>, leaseMs?: number, };

export type ClaimTask = { task: string, agent?: string, capabilities?: Array<string>, leaseMs?: number, };

/**
 * A task that was taken, and the token with which its holder can speak for it and for nothing else.
 */
export type Taken = { task: Task, 
/**
 * The attempt, written `b12.2`.
 */
run: string, token: string, };

/**
 * The answer of `next`: `taken` is null when nothing is ready for this agent.
 */
export type Next = { taken: Taken | null, 
/**
 * Where nothing is taken: what is ready and not in the scope of the session under way.
 */
outOfScope?: OutOfScope, };

/**
 * Pending tasks that nobody gets now, since a person confirmed a scope without them.
 */
export type OutOfScope = { 
/**
 * The project's own count of the session.
 */
session: number, tasks: Array<string>, };

/**
 * A sign of life. A person says which attempt it is for; a run's connection says it by itself.
 */
export type Heartbeat = { task: string, attempt?: number, };

export type CompleteTask = { task: string, attempt?: number, 
/**
 * How it ended, `completed` where it is left out.
 */
outcome?: CompleteOutcome, result?: string, };

export type CompleteOutcome = "completed" | "partial" | "blocked";

export type FailTask = { task: string, attempt?: number, reason?: string, };

/**
 * Which tasks to list. All filters that are set must hold.
 */
export type ListTasks = { 
/**
 * Without one: all but the completed and cancelled.
 */
statuses?: Array<string>, priority?: string, label?: string, goal?: string, 
/**
 * Assigned to, or held by.
 */
assignee?: string, 
/**
 * In the title or description, whatever the case.
 */
text?: string, 
/**
 * Only what could be taken now.
 */
ready?: boolean, 
/**
 * At most 1,000; the setting `queue.listLimit` where it is left out.
 */
limit?: number, 
/**
 * Go on after this task: the `next` of the page before.
 */
after?: string, };

/**
 * Tasks in progress first, then pending ones in the order they will be taken, then ended ones, newest first.
 */
export type TaskList = { tasks: Array<Task>, 
/**
 * Where to go on; null at the end.
 */
next: string | null, 
/**
 * How many tasks there are of each status, whatever was asked for.
 */
counts: Counts, 
/**
 * Which of these tasks are pending and not in the scope of the session under way.
 */
outOfScope?: OutOfScope, revision: number, };

export type Counts = { pending: number, inProgress: number, completed: number, failed: number, partial: number, blocked: number, cancelled: number, };

/**
 * One task with what surrounds it.
 */
export type TaskDetails = { task: Task, dependencies: Array<TaskSummary>, 
/**
 * At most 64.
 */
dependents: Array<TaskSummary>, dependentsLeftOut: number, 
/**
 * The newest 20, newest first.
 */
runs: Array<Run>, 
/**
 * The newest records about it, newest first.
 */
records: Array<Record>, };

export type TaskSummary = { id: string, title: string, status: Status, };

/**
 * One attempt at a task.
 */
export type Run = { run: string, agent: string, startedAt: number, endedAt: number | null, 
/**
 * How it ended; null while it goes on.
 */
outcome: string | null, };

/**
 * Who made a change.
 */
export type Author = { kind: AuthorKind, 
/**
 * A person's name, or the agent's at work in the run.
 */
name: string | null, 
/**
 * The run and its task, for `run`.
 */
run: string | null, task: string | null, taskTitle: string | null, };

export type AuthorKind = "person" | "run" | "vcs" | "unknown" | "before";

/**
 * What an author is known by, strongest first.
 */
export type Evidence = "assigned" | "declared-content" | "declared-path" | "saved" | "applied" | "version-control" | "inferred" | "unwatched" | "nothing";

export type Standing = "pending" | "half-approved" | "approved" | "rejected";

export type HunkKind = "lines" | "created" | "deleted" | "replaced" | "mode" | "renamed" | "link";

/**
 * The smallest part of a change that can be decided.
 */
export type Hunk = { 
/**
 * Bound to its content: a hunk that has changed has another id.
 */
id: string, kind: HunkKind, standing: Standing, author: Author, evidence: Evidence, time: number, 
/**
 * The line of the file as it is now (from 0) where the hunk begins, or before which its removed lines stood.
 */
line: number, 
/**
 * The lines of the hunk that are in the file now, as ranges from 0, the end not included.
 */
spans: Array<LineSpan>, 
/**
 * How many lines it adds and removes.
 */
added: number, removed: number, 
/**
 * What rejecting brings back, for showing: at most 200 lines of at most 500 characters, bytes that are not UTF-8 replaced.
 */
removedLines: Array<string>, 
/**
 * What stands in the file because of it, for showing, bounded alike.
 */
addedLines: Array<string>, 
/**
 * In words: `+3 −1`, `mode 644 → 755`, `renamed from a.rs`.
 */
summary: string, 
/**
 * Whose work is entangled with it: rejecting it is shown first and done only on a yes.
 */
entangledWith: Array<Author>, 
/**
 * Why it waits for an explicit yes whatever the policy says: a control file, an unknown author.
 */
flagged: string | null, 
/**
 * Who approved it, while a second approver is needed.
 */
approvedBy: Array<string>, 
/**
 * What its added lines hold that should be looked at. Those that are not allowed stop its approval.
 */
findings: Array<Finding>, 
/**
 * The flag on its file, while it waits for an answer.
 */
flag: Flag | null, };

export type LineSpan = { start: number, end: number, };

export type BodyKind = "absent" | "text" | "whole" | "link" | "large" | "special";

/**
 * A file with what waits for a decision in it.
 */
export type ChangedFile = { path: string, body: BodyKind, 
/**
 * The hash of what is there now, in hex; null where there is nothing.
 */
hash: string | null, hunks: Array<Hunk>, 
/**
 * True when more hunks exist than one answer carries (1,000 a file).
 */
moreHunks: boolean, 
/**
 * A decision was made whose result waits in an editor to be saved.
 */
awaitsSave: boolean, };

/**
 * What of the changes is meant. Everything that is set must hold; at least one must be set.
 */
export type Selection = { 
/**
 * Hunk ids, or unique beginnings of at least four characters.
 */
hunks?: Array<string>, file?: string, task?: string, run?: string, 
/**
 * Only hunks whose author is unknown.
 */
unknown?: boolean, 
/**
 * Everything that waits. With `hunks`, everything as far as it is these, which were listed when the person said so: it is
 * refused when one of them has changed, and what somebody has to look at first is left waiting as with everything.
 */
all?: boolean, };

export type ListChanges = { file?: string, task?: string, run?: string, unknown?: boolean, 
/**
 * Also hunks that are decided already.
 */
decided?: boolean, 
/**
 * Only files after this path: the `next` of the page before.
 */
after?: string, 
/**
 * Files, at most 1,000; 200 where it is left out.
 */
limit?: number, };

/**
 * Files with hunks, by path.
 */
export type ChangeList = { files: Array<ChangedFile>, next: string | null, counts: ChangeCounts, revision: number, };

export type ChangeCounts = { pendingFiles: number, pendingHunks: number, 
/**
 * Of the pending hunks, those nobody is known to have made.
 */
unknownHunks: number, };

export type OneFile = { path: string, 
/**
 * Also hunks that are decided already.
 */
decided?: boolean, };

/**
 * Which content of a file is wanted: as it is, before a task, run or hunk, or as it was after a step of its history.
 */
export type WhichContent = { path: string, beforeTask?: string, beforeRun?: string, beforeHunk?: string, 
/**
 * Without everything that is pending.
 */
beforePending?: boolean, step?: number, };

export type Content = { 
/**
 * Where the file is in that state: a rename may have moved it since.
 */
path: string, body: BodyKind, 
/**
 * The text, bytes that are not UTF-8 replaced; for a link where it leads; null otherwise.
 */
text: string | null, 
/**
 * True when the text is the content to the byte.
 */
exact: boolean, 
/**
 * The content in base64 where the text is not exact and it is no longer than 4 MiB.
 */
base64: string | null, hash: string | null, mode: number, };

export type Verdict = "approve" | "reject";

/**
 * A person's decision.
 */
export type Decide = { verdict: Verdict, what: Selection, 
/**
 * The yes to a result that was shown: needed where other people's work is entangled. It is the `confirm` of the preview, bound to
 * exactly what was shown.
 */
confirm?: string, };

/**
 * What deciding would do to the files.
 */
export type Preview = { hunks: number, 
/**
 * What asks for the yes comes first: where others' work is entangled, then control files; at most 200.
 */
files: Array<PreviewFile>, 
/**
 * How many files are left out. A yes covers them, too.
 */
more: number, 
/**
 * True when the decision is carried out only with `confirm`.
 */
asks: boolean, 
/**
 * Send it with the decision to say yes to exactly this.
 */
confirm: string, };

export type PreviewFile = { path: string, 
/**
 * A unified diff from what is there to what would be, bounded to 1 MiB.
 */
diff: string, entangledWith: Array<Author>, 
/**
 * It steers editors, agents, hooks or CI.
 */
control: boolean, };

/**
 * What came of a decision, an undo or a redo.
 */
export type Decided = { 
/**
 * For `undo`.
 */
decision: string, hunks: number, files: Array<DecidedFile>, 
/**
 * In a sentence.
 */
message: string, };

export type DecidedFile = { path: string, outcome: FileOutcome, 
/**
 * Why, where it was not done.
 */
reason: string | null, };

export type FileOutcome = "unchanged" | "removed" | "restored" | "renamed" | "changed" | "in-editor" | "not-written" | "not-approved";

export type WhichDecision = { 
/**
 * The newest that can be undone (or redone) where it is left out.
 */
decision?: string, 
/**
 * The yes to a result that was shown: needed where a rejection is brought back among other people's work and its result is not the
 * one that it had. It is the `confirm` of the preview that the refusal carries.
 */
confirm?: string, };

/**
 * Says whose an unknown or wrongly inferred change is.
 */
export type Assign = { what: Selection, 
/**
 * A task: its newest run.
 */
toTask?: string, 
/**
 * The person who asks.
 */
toMe?: boolean, };

export type Assigned = { hunks: number, files: number, 
/**
 * The approval that comes with what is now the person's own: undoing it lets it be assigned again.
 */
decision: string | null, };

/**
 * The story of one file, oldest first.
 */
export type FileHistory = { path: string, steps: Array<HistoryStep>, 
/**
 * True when older steps were left out (the newest 1,000 are shown).
 */
more: boolean, };

export type HistoryStep = { 
/**
 * For `augment/changes/content`.
 */
step: number, time: number, kind: StepKind, author: Author, evidence: Evidence | null, added: number, removed: number, 
/**
 * In words.
 */
summary: string, };

export type StepKind = "base" | "revision" | "created" | "deleted" | "renamed" | "approved" | "rejected" | "taken-back" | "undone" | "redone" | "parked" | "came-back";

export type Purge = { 
/**
 * Only decisions older than this.
 */
olderThanMs?: number, 
/**
 * Without it nothing is purged, only told.
 */
confirm?: boolean, };

export type Purged = { 
/**
 * False when it was only told.
 */
done: boolean, decisions: number, 
/**
 * Files whose story became shorter.
 */
files: number, 
/**
 * What their stories, and content that nothing refers to any more, took.
 */
bytes: number, };

/**
 * Who wrote the lines of a file as it is now: neighbours with one origin together.
 */
export type Blame = { path: string, hash: string | null, spans: Array<BlameSpan>, };

export type BlameSpan = { 
/**
 * Lines from 0, the end not included.
 */
start: number, end: number, author: Author, evidence: Evidence | null, 
/**
 * Null for what was there before anything was tracked.
 */
time: number | null, standing: Standing, };

/**
 * A run says that it writes a file. A person may say it for a run, by its task.
 */
export type ClaimFile = { path: string, 
/**
 * The hash of the content it writes (BLAKE3, hex), if it knows it.
 */
hash?: string, task?: string, };

/**
 * An editor has written a file.
 */
export type EditorSaved = { path: string, 
/**
 * The text that was written, without a byte order mark. The file may hold it in UTF-8, UTF-16 or Windows-1252.
 */
text: string, how: SavedHow, 
/**
 * How long ago that was, where it could not be told at once; at once without it.
 */
agoMs?: number, };

/**
 * How the text came about since the file was last read or written.
 */
export type SavedHow = "by-hand" | "applied" | "mixed" | "unchanged";

/**
 * What the watching of files is like.
 */
export type Watching = { state: WatchState, 
/**
 * In a sentence, with what to do where something is wrong.
 */
message: string, files: number, folders: number, };

export type WatchState = "watching" | "polling" | "partly" | "once" | "off";

/**
 * What an agent said about its work.
 */
export type CompletionReport = { status: ReportedStatus, 
/**
 * With one `@` before it.
 */
agent: string | null, 
/**
 * As the agent wrote it; it may be no time at all.
 */
timestamp: string | null, 
/**
 * May have several lines, and may be empty.
 */
summary: string, metrics: Array<ReportedMetric>, nextSteps: Array<NextStep>, decisions: Array<DecisionPoint>, };

export type ReportedStatus = "completed" | "partial" | "blocked";

export type ReportedMetric = { name: string, 
/**
 * As the agent wrote it.
 */
value: string, 
/**
 * `files`, `percent` and the like, for the metrics that all agents have in common.
 */
unit: string | null, };

/**
 * An agent that should work next.
 */
export type NextStep = { 
/**
 * With one `@` before it.
 */
agent: string, reason: string | null, };

/**
 * Something that a person has to decide.
 */
export type DecisionPoint = { question: string, options: Array<Choice>, 
/**
 * What the agent would choose: the value of an option, or its own words.
 */
recommendation: string | null, };

/**
 * One way to answer: what goes back to the agent, and what a person reads.
 */
export type Choice = { value: string, text: string, };

/**
 * An agent that can be started, as it is configured.
 */
export type Agent = { name: string, source: AgentSource, adapter: AdapterKind, 
/**
 * All that it says, for people: a line for each thing, and the content of the files in the workspace that it names.
 */
command: string, 
/**
 * Where the program was found; null where it was not.
 */
program: string | null, capabilities: Array<string>, 
/**
 * How many runs of it there may be at once.
 */
parallel: number, 
/**
 * How many there are.
 */
active: number, 
/**
 * Whether it may be started. One that comes with the workspace needs a person's yes to exactly what it says.
 */
allowed: boolean, 
/**
 * The hash of its configuration, which a yes is bound to.
 */
hash: string, 
/**
 * What `command` was when a person allowed it, where it has changed since and needs another yes.
 */
allowedBefore: string | null, 
/**
 * What speaks against starting it.
 */
problem: string | null, };

export type AgentSource = "preset" | "user" | "workspace";

export type AdapterKind = "acp" | "command" | "attached";

export type AgentList = { agents: Array<Agent>, 
/**
 * What is wrong with the files they come from.
 */
problems: Array<string>, };

/**
 * Allows an agent of the workspace to be started, as its configuration stands.
 */
export type AllowAgent = { name: string, 
/**
 * The hash of what was shown.
 */
hash: string, };

/**
 * Starts an agent on a task.
 */
export type StartAgent = { agent: string, 
/**
 * Without one: the task that comes first for this agent.
 */
task: string | null, timeLimitMs: number | null, };

export type Started = { 
/**
 * Null when no task is ready for this agent.
 */
run: RunInfo | null, };

/**
 * One run, by its id (`b12.2`), or by its task's id for the task's newest run.
 */
export type OneRun = { run: string, };

export type ListRuns = { task: string | null, agent: string | null, 
/**
 * Only those that have not ended.
 */
active: boolean, limit: number | null, };

/**
 * The newest first.
 */
export type RunList = { runs: Array<RunInfo>, revision: number, };

export type RunState = "starting" | "running" | "waiting" | "completed" | "partial" | "blocked" | "failed" | "cancelled" | "timed-out" | "disconnected";

/**
 * How a run stands, and what that rests on.
 */
export type RunInfo = { run: string, task: string, title: string, agent: string, adapter: AdapterKind, state: RunState, 
/**
 * Whether the state is the last one.
 */
ended: boolean, 
/**
 * Why it stands so, for programs.
 */
why: string, 
/**
 * The same as the second half of a sentence.
 */
because: string, startedAt: number, endedAt: number | null, 
/**
 * What told last that it lives: `message`, `output`, `process`, `hook`, `tool`, `heartbeat`, `started`.
 */
lastSign: string, lastSignAt: number, 
/**
 * What became of its process: `starting`, `alive`, `leaving`, `elsewhere`, `code 0`, `signal 9`, `unseen`.
 */
process: string, 
/**
 * What it reported: `completed`, `partial`, `blocked` or `failed`.
 */
reported: string | null, 
/**
 * How its last turn ended, where its protocol knows turns.
 */
stopped: string | null, 
/**
 * The last thing it said, for people.
 */
message: string | null, 
/**
 * How many questions of its wait for a person.
 */
questions: number, usage: Usage | null, 
/**
 * Null while it runs, and where nobody saw it: of an attached agent, or of a run whose keeper was killed.
 */
resources: Resources | null, };

/**
 * What a run cost, where the agent tells.
 */
export type Usage = { inputTokens: number, outputTokens: number, 
/**
 * As the agent says it, with its currency.
 */
cost: string | null, };

/**
 * What the processes of a run used: its agent's own and those that it started.
 */
export type Resources = { 
/**
 * Processor time of all of them together.
 */
cpuMs: number, 
/**
 * The most memory that one of them held at a time.
 */
peakMemoryBytes: number, };

export type RunDetails = { run: RunInfo, report: CompletionReport | null, 
/**
 * The newest first.
 */
questions: Array<Question>, handOffs: Array<HandOff>, 
/**
 * The newest records about it, newest first.
 */
records: Array<Record>, 
/**
 * The end of what it said.
 */
tail: string, };

/**
 * Reads what a run has said.
 */
export type ReadOutput = { run: string, 
/**
 * A place as an earlier answer gave it; 0 is the beginning.
 */
from: number, 
/**
 * As the agent wrote it, frames of its protocol and all, instead of what people read.
 */
raw: boolean, };

/**
 * Some of what a run has said, at most 256 KiB. Not text to be trusted: it may hold anything.
 */
export type Output = { text: string, 
/**
 * Where to go on.
 */
next: number, 
/**
 * How many bytes before this text are not kept.
 */
missed: number, 
/**
 * Whether there is more to be read now.
 */
more: boolean, 
/**
 * Whether the run has ended, so that after this no more will come.
 */
ended: boolean, };

/**
 * What a run asks a person.
 */
export type Question = { 
/**
 * `q7`.
 */
id: string, run: string, task: string, agent: string, kind: QuestionKind, question: string, 
/**
 * What it is about: a command, a diff. May have many lines.
 */
detail: string, options: Array<Choice>, 
/**
 * What the agent would choose.
 */
recommendation: string | null, askedAt: number, answer: QuestionAnswer | null, };

export type QuestionKind = "permission" | "decision" | "decision-point";

export type QuestionAnswer = { 
/**
 * The value of the option that was chosen; null where the answer is a text, or nobody needs one any more.
 */
choice: string | null, text: string | null, 
/**
 * `person:jo`, `policy` or `withdrawn`.
 */
by: string, at: number, };

export type ListQuestions = { 
/**
 * Also those that have their answer.
 */
answered: boolean, run: string | null, };

export type QuestionList = { 
/**
 * Those that wait first, the oldest of them first; at most 200.
 */
questions: Array<Question>, };

export type OneQuestion = { question: string, };

/**
 * Answers with an option's value, or with a text where the question takes one.
 */
export type AnswerQuestion = { question: string, choice: string | null, text: string | null, };

/**
 * A proposal that another agent goes on where a run ended.
 */
export type HandOff = { 
/**
 * `h3`.
 */
id: string, fromRun: string, fromAgent: string, toAgent: string, reason: string | null, state: HandOffState, 
/**
 * The task that was made of it.
 */
task: string | null, 
/**
 * The newest run that has begun with that task.
 */
run: string | null, 
/**
 * Whether it can be started: it waits for a decision, or was accepted and nobody has begun with its task.
 */
canStart: boolean, proposedAt: number, };

export type HandOffState = "proposed" | "accepted" | "dismissed" | "stopped";

export type HandOffList = { handOffs: Array<HandOff>, };

export type DecideHandOff = { handOff: string, accept: boolean, 
/**
 * What the next agent gets to read, to the letter; where it is left out, what is known when it reads.
 */
document?: string, 
/**
 * Its agent is started next: what would keep it from that refuses, and nothing changes. One that was accepted before can
 * be started this way as long as nobody has begun with its task.
 */
start?: boolean, 
/**
 * With `start`: the task joins the confirmed scope of the session under way.
 */
addToScope?: boolean, };

/**
 * What the next agent should know, as one Markdown document: the report, how the project stands, what was changed with its
 * diffs and authors.
 */
export type HandOffDocument = { text: string, 
/**
 * A person gave the next agent this very text; else it is what is known now.
 */
isGiven: boolean, };

/**
 * The document of a hand-off, or, for a run, of the one that its own task came from.
 */
export type ReadHandOff = { handOff: string | null, };

/**
 * A run's own task.
 */
export type OwnTask = { run: string, task: Task, 
/**
 * Whether the run may still speak for it.
 */
holds: boolean, 
/**
 * Whether another run's work goes before it, to be read with `augment/run/hand-off`.
 */
hasHandOff: boolean, workspace: string, 
/**
 * What was learnt earlier and matches the task, at most 5.
 */
fromEarlier: Array<KnowledgeEntry>, };

/**
 * Asks a person. The answer is fetched with `augment/question/show` once `augment/moved` says `agents`.
 */
export type AskDecision = { question: string, detail: string, 
/**
 * At most 16; with none the answer is a text.
 */
options: Array<Choice>, recommendation: string | null, };

/**
 * Something to be done that is not part of the run's own task.
 */
export type LogDiscovered = { title: string, description: string, priority: Priority | null, };

/**
 * How a run says that its work stands: the report itself, or the XML of one.
 */
export type ReportWork = { 
/**
 * The task it is for, if it says so; another than its own is refused.
 */
task: string | null, report: CompletionReport | null, xml: string | null, };

/**
 * What a hook of an agent saw.
 */
export type HookSeen = { 
/**
 * `claude-code`, `codex`, `gemini`, `qwen` or `auggie`.
 */
agent: string, moment: HookMoment, 
/**
 * The tool, where one is used.
 */
tool: string | null, 
/**
 * The files it writes, relative to the workspace or absolute.
 */
writes: Array<string>, 
/**
 * Whether the tool is known to change nothing. A shell is not.
 */
onlyReads: boolean, 
/**
 * What went wrong, where something did.
 */
failure: string | null, };

export type HookMoment = "begins" | "before-tool" | "after-tool" | "turn-ended" | "ends" | "other";

export type HookVerdict = { decision: HookDecision, reason: string, };

export type HookDecision = "allow" | "deny" | "nothing";

/**
 * Where a session stands.
 */
export type SessionState = "planned" | "confirmed" | "working" | "checkpoint" | "ending" | "ended" | "abandoned";

/**
 * One thing of a session's scope.
 */
export type ScopeItem = { title: string, 
/**
 * The queue's task for it; null while the scope is not confirmed.
 */
task: string | null, 
/**
 * What it serves.
 */
goal: string | null, 
/**
 * Whether the plan has a task of this title.
 */
planned: boolean, estimate: string | null, 
/**
 * How its task ended: `completed`, `partial`, `blocked`, `failed`, `cancelled`, or `rejected` where all of a completed
 * task's work was taken back in review; null before.
 */
end: string | null, 
/**
 * Patterns of its task's own. Its work may write there and where the session may; where neither says anything, everywhere.
 */
paths: Array<string>, 
/**
 * How many hunks of its work wait for a decision, also once it has ended.
 */
waiting: number, };

/**
 * How much of the plan's current phase is done.
 */
export type Progress = { done: number, total: number, 
/**
 * Rounded down; 100 only for all.
 */
percent: number, 
/**
 * Of ten, rounded up.
 */
cells: number, };

export type Session = { 
/**
 * `s1`, `s2`, …
 */
id: string, 
/**
 * The project's own count, as its changelog goes on: 9 for `session 009`.
 */
number: number, state: SessionState, 
/**
 * The version of the rules that it is held to.
 */
protocol: string, 
/**
 * Why it began by itself; null where a person started it.
 */
automatic: string | null, model: string | null, startedAt: number, confirmedAt: number | null, endedAt: number | null, 
/**
 * Why it ended, where a person did not end it.
 */
endReason: string | null, phase: string | null, sprintGoal: string | null, 
/**
 * Of the plan's current phase, when it began and now.
 */
before: Progress, now: Progress, items: Array<ScopeItem>, 
/**
 * Where its work may write, as patterns; empty where that was not said.
 */
paths: Array<string>, 
/**
 * Tasks that have ended since the person last gave a direction, and how many make a checkpoint.
 */
streak: number, checkpointAfter: number, 
/**
 * How many checkpoints it has come to, the one that it waits at among them.
 */
checkpoints: number, 
/**
 * Tasks that were discovered in it, by title.
 */
discovered: Array<string>, };

/**
 * What the project's documents say before anything begins.
 */
export type Governance = { project: string, 
/**
 * Documents that were read, and those that are not there, by path.
 */
read: Array<string>, missing: Array<string>, 
/**
 * What could not be understood in them, with the line.
 */
problems: Array<string>, phase: string | null, sprintGoal: string | null, progress: Progress | null, 
/**
 * The number that the next session gets.
 */
nextSession: number, 
/**
 * The model that the plan asks for.
 */
model: string | null, 
/**
 * What the plan proposes to do next, at most three.
 */
proposed: Array<ScopeItem>, };

/**
 * A change that is not covered by what was agreed to.
 */
export type Flag = { 
/**
 * `f1`, `f2`, …
 */
id: string, session: string, kind: FlagKind, path: string, run: string | null, task: string | null, 
/**
 * Whether the agent asked for it as needed, or only did it.
 */
needed: boolean, 
/**
 * Why it is needed, in the agent's words.
 */
why: string | null, time: number, 
/**
 * Null while it waits for an answer.
 */
answer: FlagAnswer | null, answeredBy: string | null, 
/**
 * The hunks of it that wait, by id, at most 1,000, where it is listed as waiting; null elsewhere.
 */
hunks: Array<string> | null, 
/**
 * In words.
 */
message: string, };

export type FlagKind = "out-of-scope" | "unauthorised";

export type FlagAnswer = "extend" | "log" | "allow-once" | "rolled-back" | "refused";

/**
 * What is going on, for whoever asks.
 */
export type SessionStatus = { 
/**
 * The session that is under way; null where none is.
 */
session: Session | null, governance: Governance, 
/**
 * Flags that wait for an answer, those of sessions that have ended as well, at most 100.
 */
flags: Array<Flag>, 
/**
 * What a person has to answer, in words; null where nothing waits.
 */
question: string | null, 
/**
 * The whole of it as text.
 */
text: string, 
/**
 * What was learnt earlier and matches this session, at most 5.
 */
fromEarlier: Array<KnowledgeEntry>, revision: number, };

/**
 * Begins a session: what the project's documents say is read, and a scope is proposed.
 */
export type StartSession = { 
/**
 * The model that will be at work.
 */
model?: string, 
/**
 * The session under way that began by itself, where the person agrees that it is ended for the new one. Without that a
 * start is refused with `session-began-by-itself`.
 */
ends?: string, };

/**
 * A thing to be done, as a person names it: a task of the queue by its id, one of the plan by its title, or new.
 */
export type ScopeDraft = { task?: string, title?: string, goal?: string, estimate?: string, };

/**
 * The yes to a scope: the proposed one, or this one instead.
 */
export type ConfirmScope = { 
/**
 * The session that was shown, as in `s3` or `009`; another one is refused with `other-session`. The one under way where it is left out.
 */
session?: string, items?: Array<ScopeDraft>, paths?: Array<string>, };

/**
 * Changes a scope. Every adjustment is a direction, so the count towards the next checkpoint begins anew.
 */
export type AdjustScope = { 
/**
 * As in `ConfirmScope`.
 */
session?: string, add: Array<ScopeDraft>, 
/**
 * Things to be taken out of the scope, by task id or title.
 */
remove: Array<string>, 
/**
 * Tasks of the queue that are only noted as discovered, for another time.
 */
log: Array<string>, 
/**
 * The paths from now on.
 */
paths?: Array<string>, 
/**
 * Paths that are added.
 */
addPaths: Array<string>, 
/**
 * The checkpoint that was shown: the session's `checkpoints`, or null where it waited at none. Whichever waits is answered where it is left
 * out, and one that was not shown is refused with `other-checkpoint`.
 */
checkpoint?: number | null, 
/**
 * The paths that were shown when `paths` were named; where they are others by now, it is refused with `other-paths`.
 */
shownPaths?: Array<string>, };

/**
 * The answer to a checkpoint: to go on as agreed. Adjusting the scope is an answer, too.
 */
export type AnswerCheckpoint = { 
/**
 * As in `ConfirmScope`.
 */
session?: string, 
/**
 * The checkpoint that was shown: the session's `checkpoints`. Another one is refused with `other-checkpoint`. The one that waits where it
 * is left out.
 */
checkpoint?: number, };

/**
 * Ends the session: the report, the changelog's entry, the plan's marks.
 */
export type EndSession = { 
/**
 * As in `ConfirmScope`.
 */
session?: string, 
/**
 * What the entry in the changelog is called; made of what was done where it is left out.
 */
title?: string, 
/**
 * What was decided and should be known later.
 */
decisions: Array<string>, };

/**
 * The commit that would make the record part of the project.
 */
export type CommitProposal = { message: string, 
/**
 * The documents that it would hold, by path.
 */
files: Array<string>, 
/**
 * Why it cannot be made by us; null where it can.
 */
problem: string | null, 
/**
 * Those of the documents that are not as the session's end left them.
 */
changed: Array<string>, 
/**
 * Stands for the documents as they are now; a yes gives it back.
 */
confirm: string, };

export type EndedSession = { session: Session, 
/**
 * The last report; null where nothing was done.
 */
report: SessionReport | null, 
/**
 * What came of each document, in words.
 */
documents: Array<string>, 
/**
 * Null where there is nothing to commit.
 */
commit: CommitProposal | null, 
/**
 * How it was completed; null where nothing was done.
 */
closing: Closing | null, };

/**
 * Commits the documents of an ended session, after a person's yes to the proposal.
 */
export type CommitSession = { session: string, 
/**
 * That of the proposal that was shown. Where a document has changed since, it is refused with `shown-otherwise` and the proposal as it is
 * now. Documents are committed as they are where it is left out.
 */
confirm?: string, 
/**
 * The same without a proposal, for who was only told that the session has ended: the documents have to be as its end left them.
 */
asEnded?: boolean, };

export type CommittedSession = { 
/**
 * The new commit's id, in hex.
 */
commit: string, message: string, 
/**
 * What of it is not as the session's end left it, a sentence each.
 */
notes: Array<string>, };

export type ListSessions = { limit?: number, };

/**
 * The newest first.
 */
export type SessionList = { sessions: Array<Session>, revision: number, };

/**
 * One session by its id (`s3`) or its number (`9`); the newest where none is named.
 */
export type OneSession = { session?: string, };

/**
 * How much a report tells. Each level holds those before it.
 */
export type ReportLevel = "start" | "light" | "medium" | "heavy" | "comprehensive";

/**
 * Something that was told to the person.
 */
export type SessionReport = { 
/**
 * Counted over all sessions.
 */
number: number, session: string, level: ReportLevel, task: string | null, time: number, 
/**
 * As it is shown.
 */
text: string, 
/**
 * The same as data.
 */
data: unknown, };

export type SessionDetails = { session: Session, 
/**
 * All of its tasks that are still in the queue.
 */
tasks: Array<Task>, reports: Array<SessionReport>, flags: Array<Flag>, 
/**
 * How it was completed; null before its end, and where nothing was done.
 */
closing: Closing | null, };

/**
 * Reports, oldest first.
 */
export type ListReports = { 
/**
 * Of this session; of all where it is left out.
 */
session?: string, 
/**
 * Only those after this number.
 */
after?: number, 
/**
 * The newest so many.
 */
limit?: number, };

export type ReportList = { reports: Array<SessionReport>, };

/**
 * Answers a flag.
 */
export type AnswerFlag = { flag: string, answer: FlagAnswer, 
/**
 * For `extend`: the pattern that joins the scope; the file's own path where it is left out.
 */
pattern?: string, 
/**
 * For `log`: the hunks of it that the person was shown, which are what is taken out. It is refused when one of them has
 * changed; what was written since waits with a flag of its own. All of it that is there now where this is left out.
 */
hunks?: Array<string>, 
/**
 * For `log`: the yes to a result that was shown, as for a decision.
 */
confirm?: string, };

/**
 * A flag that was answered.
 */
export type AnsweredFlag = { 
/**
 * What became of its change where that was taken out; null where nothing was.
 */
tookOut: Decided | null, 
/**
 * `f1`, `f2`, …
 */
id: string, session: string, kind: FlagKind, path: string, run: string | null, task: string | null, 
/**
 * Whether the agent asked for it as needed, or only did it.
 */
needed: boolean, 
/**
 * Why it is needed, in the agent's words.
 */
why: string | null, time: number, 
/**
 * Null while it waits for an answer.
 */
answer: FlagAnswer | null, answeredBy: string | null, 
/**
 * The hunks of it that wait, by id, at most 1,000, where it is listed as waiting; null elsewhere.
 */
hunks: Array<string> | null, 
/**
 * In words.
 */
message: string, };

/**
 * The calling run asks for more scope, before it writes there.
 */
export type RequestScope = { paths: Array<string>, 
/**
 * Why its task needs it.
 */
why: string, };

/**
 * The plan as it is understood.
 */
export type PlanView = { 
/**
 * Null where there is none.
 */
path: string | null, phase: string | null, sprintGoal: string | null, lastUpdated: string | null, progress: Progress | null, phases: Array<PlanPhase>, tasks: Array<PlanTask>, 
/**
 * What was not understood, with the line, in any of the documents; and other plans that were found.
 */
problems: Array<string>, 
/**
 * What is understood and worth knowing: a changelog that is not there, a phase that is done.
 */
notes: Array<string>, };

export type PlanPhase = { id: string, name: string, status: string | null, goal: string | null, line: number, };

export type PlanTask = { title: string, 
/**
 * `planned`, `in-progress`, `complete` or `blocked`.
 */
status: string, estimate: string | null, phase: string | null, 
/**
 * Whether it belongs to the current phase.
 */
current: boolean, line: number, 
/**
 * Patterns of its own that the task of the queue has which a yes to it would take up.
 */
paths: Array<string>, };

/**
 * Something in added lines that should be looked at. The value itself is never told.
 */
export type Finding = { path: string, 
/**
 * `aws-access-key-id`, …
 */
rule: string, 
/**
 * `credential`, `personal-data`, `environment` or `dependency`.
 */
kind: string, 
/**
 * The line of the file as it is now, from 0, and the place in it in UTF-16 units.
 */
line: number, start: number, end: number, message: string, 
/**
 * The pending hunk that it stands in; null in a scan of files.
 */
hunk: string | null, 
/**
 * Why it does not stop anything: acknowledged or allowed, with the reason; null where it does.
 */
allowed: string | null, };

/**
 * Scans files as they are, or what waits for a decision.
 */
export type ScanFiles = { 
/**
 * Files or folders; the pending changes of all files where it is left out.
 */
paths?: Array<string>, };

export type ScanResult = { findings: Array<Finding>, 
/**
 * Files that were looked at, and those that could not be, with why.
 */
files: number, notRead: Array<string>, 
/**
 * True when more were found than one answer carries (1,000).
 */
more: boolean, };

/**
 * A person has looked at findings of a hunk, and says why they may stay.
 */
export type AcknowledgeFinding = { hunk: string, 
/**
 * Only findings of this rule; all of the hunk where it is null.
 */
rule: string | null, reason: string, };

/**
 * What is not stopped for a while, by rule and path.
 */
export type AllowFinding = { 
/**
 * A rule or a kind.
 */
rule: string, 
/**
 * A pattern of paths.
 */
path: string, 
/**
 * The last day on which it holds, as in `2027-01-31`.
 */
until: string, reason: string, };

export type ScanAllow = { number: number, rule: string, path: string, until: string, reason: string, by: string, expired: boolean, };

export type ScanAllowList = { allowed: Array<ScanAllow>, };

export type DropScanAllow = { number: number, };

export type PromptState = "open" | "finished" | "closed" | "dropped";

/**
 * What a commit was made for.
 */
export type IntentRole = "work" | "before" | "report";

export type Intent = { 
/**
 * The whole first line, `intent: …`.
 */
text: string, role: IntentRole, commit: string, 
/**
 * What stays when the commit is rewritten.
 */
change: string, };

export type FinalCommit = { summary: string, commit: string, change: string, 
/**
 * The change ids that it names; empty where it was made of one commit.
 */
squashed: Array<string>, };

export type PushedTo = { remote: string, branch: string, commit: string, };

export type Prompt = { 
/**
 * As in `p7`.
 */
id: string, state: PromptState, 
/**
 * Its first line that says something.
 */
headline: string, 
/**
 * As it was given, to the byte.
 */
text: string, context: string, 
/**
 * As in `♓︎.5.4.47 5919AM`.
 */
stamp: string, 
/**
 * The model of the stamp: `chronos` or `true`.
 */
model: string, subjects: Array<string>, 
/**
 * `git` or `jj`.
 */
system: string, 
/**
 * The commit that it began on, by its change id or the beginning of its hash.
 */
base: string | null, branch: string | null, startedMs: number, intents: Array<Intent>, finished: FinalCommit | null, 
/**
 * Where the research artifact lies in the workspace.
 */
report: string | null, pushed: PushedTo | null, };

/**
 * Changes that belong together and are not committed yet.
 */
export type UncommittedGroup = { 
/**
 * The task whose approved work it is; without one it is the person's own, or of before.
 */
task: string | null, 
/**
 * Whose it is, in words.
 */
about: string, 
/**
 * What its commit would be called.
 */
intent: string, files: Array<string>, };

/**
 * A command that was interrupted while it wrote to the history.
 */
export type Interrupted = "start" | "intent" | "finish" | "report" | "undo";

/**
 * How it stands, and what comes next.
 */
export type PromptStatus = { 
/**
 * The prompt that is under way.
 */
prompt: Prompt | null, 
/**
 * What is approved and could be committed now.
 */
uncommitted: Array<UncommittedGroup>, 
/**
 * How many hunks wait for a decision and stay out of every commit.
 */
waiting: number, 
/**
 * What it is not known of yet what became of it: the command given again finds out, as any other does that writes.
 */
interrupted: Interrupted | null, 
/**
 * What was found when something that was interrupted was looked for.
 */
notes: Array<string>, revision: number, };

/**
 * What is done with what lies in the tree when a prompt begins.
 */
export type Existing = "commit" | "leave";

export type StartPrompt = { text: string, 
/**
 * How it is understood, the approach, the constraints.
 */
context: string, 
/**
 * Subjects that it belongs to; without any, those that were found are noted.
 */
subjects: Array<string>, 
/**
 * Without a word nothing begins where something lies in the tree.
 */
existing: Existing | null, 
/**
 * What the commits of the groups are called, one for each, in their order; as proposed where none is given.
 */
existingIntents: Array<string>, 
/**
 * The word of the answer that has shown what lies in the tree: its `confirm`. Where something else lies there by then, it is
 * refused with what that is. Without it, what there is is committed or left.
 */
confirm?: string, withCredentials: boolean, dryRun: boolean, 
/**
 * What the person's own shell knows about identity, signing and agents of keys. Other names are passed over.
 */
environment: { [key in string]: string }, };

/**
 * A subject that fits a prompt.
 */
export type Subject = { subject: string, score: number, 
/**
 * The words that were found.
 */
why: Array<string>, 
/**
 * Its folders, as in `Research/high/Parser`.
 */
folders: Array<string>, 
/**
 * Files to read, of both sides.
 */
files: Array<string>, };

export type StartedPrompt = { 
/**
 * `None` where it was a dry run, or where something lies in the tree and nothing was said about it.
 */
prompt: Prompt | null, stamp: string, 
/**
 * Best first.
 */
subjects: Array<Subject>, 
/**
 * What lies in the tree.
 */
existing: Array<UncommittedGroup>, 
/**
 * Send it with the order to say what becomes of exactly this.
 */
confirm: string, 
/**
 * What was committed of it.
 */
committed: Array<Intent>, notes: Array<string>, };

export type SetContext = { context: string, 
/**
 * The prompt that was shown, as in `p7`; where another one is under way, it is refused with `other-prompt`. The one under way where it
 * is left out.
 */
prompt?: string, withCredentials: boolean, };

/**
 * Which approved changes are committed: all, or those of a task, of a decision, in some files.
 */
export type CommitIntent = { 
/**
 * With or without `intent: ` in front. A dry run goes without it, too.
 */
text: string, task: string | null, 
/**
 * As in `d12`.
 */
decision: string | null, 
/**
 * Only what is no task's and was written, or approved, since the prompt began.
 */
own: boolean, 
/**
 * Only in these. Alone they mean everything that is approved in them, also from before the prompt.
 */
files: Array<string>, dryRun: boolean, 
/**
 * The yes to what a dry run has shown: its `confirm`. Where something else would be committed, it is refused with what that is. Without
 * it, what there is is committed.
 */
confirm?: string, 
/**
 * Also where something in the text looks like a credential.
 */
withCredentials: boolean, environment: { [key in string]: string }, };

export type PartChange = "added" | "changed" | "removed";

/**
 * What a commit does to one file.
 */
export type CommittedPart = { path: string, change: PartChange, added: number, removed: number, 
/**
 * Something in the file differs that is not committed.
 */
rest: boolean, };

export type IntentCommitted = { 
/**
 * `None` in a dry run.
 */
intent: Intent | null, message: string, files: Array<CommittedPart>, 
/**
 * Send it with the order to say yes to exactly these files as they are, whatever the text.
 */
confirm: string, notes: Array<string>, prompt: Prompt, };

export type FinishPrompt = { 
/**
 * What was achieved, in one line.
 */
summary: string, 
/**
 * The prompt that was shown, as in `p7`; where another one is under way, it is refused with `other-prompt`. The one under way where it
 * is left out.
 */
prompt?: string, 
/**
 * Replaces the context that was given before.
 */
context: string | null, 
/**
 * Commits that are no intents and belong to the session all the same.
 */
include: Array<string>, 
/**
 * Branches whose intents stay out of it, and single intents that do, with what they stand on.
 */
leave: Array<string>, 
/**
 * jj's bookmark that is led to the result.
 */
bookmark: string | null, withCredentials: boolean, dryRun: boolean, 
/**
 * The yes to what a dry run has shown: its `confirm`. Where something else would be written, it is refused with what that is. Without
 * it, what there is is finished.
 */
confirm?: string, environment: { [key in string]: string }, };

export type SynthesisMode = "single" | "multi";

export type FinishedPrompt = { mode: SynthesisMode, 
/**
 * The whole message.
 */
message: string, 
/**
 * What it is made of, oldest first.
 */
intents: Array<Intent>, 
/**
 * `None` in a dry run.
 */
finished: FinalCommit | null, 
/**
 * What brings everything back besides `prompt undo`.
 */
before: string | null, 
/**
 * Send it with the order to say yes to exactly this.
 */
confirm: string, notes: Array<string>, prompt: Prompt, };

export type ArtifactKind = "answer" | "draft" | "question";

export type ChangeScope = "modified-files" | "no-files";

export type ReportPrompt = { answer: string, 
/**
 * The prompt that was shown, as in `p7`; where another one is under way, it is refused with `other-prompt`. The one under way where it
 * is left out.
 */
prompt?: string, kind: ArtifactKind, 
/**
 * Without one, by what was committed.
 */
scope: ChangeScope | null, title: string, 
/**
 * Without one, the first that was found for the prompt.
 */
subject: string | null, 
/**
 * The files are written and left uncommitted.
 */
leave: boolean, 
/**
 * Also where something in it looks like a credential.
 */
withCredentials: boolean, dryRun: boolean, environment: { [key in string]: string }, };

export type ReportedPrompt = { 
/**
 * The artifact.
 */
path: string, text: string, 
/**
 * All files that are written, the artifact first. What lies there already, as an undo leaves it, is none of them.
 */
files: Array<string>, 
/**
 * `None` in a dry run, and where the files are left.
 */
intent: Intent | null, notes: Array<string>, prompt: Prompt, };

export type UnifySubjects = { 
/**
 * Without it nothing is written.
 */
write: boolean, };

export type Counterpart = { subject: string, path: string, 
/**
 * What was in the way, where it was not written.
 */
problem: string | null, };

export type UnifiedSubjects = { written: boolean, counterparts: Array<Counterpart>, 
/**
 * How many subjects there are in all.
 */
subjects: number, };

export type PushPrompt = { remote: string | null, branch: string | null, dryRun: boolean, 
/**
 * The commit that a dry run has shown, or the beginning of its hash with at least four digits. Where another one would be pushed, it is
 * refused with what that is. Without it, what there is is pushed.
 */
commit?: string, environment: { [key in string]: string }, };

export type PushedPrompt = { to: PushedTo, 
/**
 * The remote itself was asked, and has it.
 */
verified: boolean, 
/**
 * jj's fresh child for the next prompt.
 */
child: string | null, notes: Array<string>, prompt: Prompt, };

export type UndoPrompt = { dryRun: boolean, 
/**
 * The commit that a dry run has shown, or the beginning of its hash with at least four digits. Where it is no longer the last one, it is
 * refused with what that is. Without it, the last one is taken back.
 */
commit?: string, environment: { [key in string]: string }, };

export type UndonePrompt = { 
/**
 * What was taken back, in words.
 */
what: string, commit: string, done: boolean, notes: Array<string>, prompt: Prompt, };

export type OnePrompt = { 
/**
 * Without one, the one that is under way.
 */
prompt: string | null, environment: { [key in string]: string }, };

export type ListPrompts = { limit: number | null, 
/**
 * The branch whose history is read; without one, what is checked out.
 */
branch: string | null, };

/**
 * An id that a session's commit names.
 */
export type NamedChange = { change: string, 
/**
 * The commit that it leads to here; `None` where there is none.
 */
commit: string | null, };

/**
 * A `session:` commit of the history, whoever made it.
 */
export type SessionCommit = { commit: string, change: string | null, summary: string, stamp: string | null, timeMs: number, prompt: string, context: string, changes: Array<string>, squashed: Array<NamedChange>, 
/**
 * What it lacks, where it is not whole.
 */
lacks: Array<string>, message: string, };

export type PromptList = { 
/**
 * What is known here, newest first.
 */
prompts: Array<Prompt>, 
/**
 * What the history holds, newest first.
 */
sessions: Array<SessionCommit>, revision: number, };

export type GuardPrompt = { remote: string | null, branch: string | null, environment: { [key in string]: string }, };

export type Invariant = { number: number, name: string, holds: boolean, wrong: string | null, 
/**
 * How to mend it.
 */
mend: string | null, };

export type Guarded = { holds: boolean, invariants: Array<Invariant>, 
/**
 * The commit that was judged, by its name.
 */
session: string | null, branch: string, remote: string, notes: Array<string>, };

/**
 * A step in which an ended session is completed, in their order.
 */
export type ClosingStepName = "confirmation" | "outputs" | "summary" | "knowledge" | "clean-up" | "archive" | "notification";

export type StepOutcome = "waiting" | "done" | "failed" | "skipped";

export type ClosingStep = { step: ClosingStepName, outcome: StepOutcome, 
/**
 * What shows the outcome, a line each.
 */
evidence: Array<string>, 
/**
 * When it came to its outcome; null while it waits for the first time.
 */
at: number | null, tries: number, };

/**
 * Something that a session has made.
 */
export type Artifact = { path: string, 
/**
 * BLAKE3, in hexadecimal.
 */
hash: string | null, size: number | null, 
/**
 * `present`, `missing` or `differs`.
 */
check: string, 
/**
 * `workspace`, `folder:PATH` or `commit:ID`.
 */
delivered: string, received: boolean, };

/**
 * How a session was completed after its end.
 */
export type Closing = { 
/**
 * The version of the rules that it follows.
 */
protocol: string, 
/**
 * All seven, in their order.
 */
steps: Array<ClosingStep>, artifacts: Array<Artifact>, 
/**
 * What a person has learnt in it.
 */
learnings: Array<string>, 
/**
 * From 1 to 5.
 */
rating: number | null, feedback: string | null, tags: Array<string>, 
/**
 * The folder of the archive, from the root of the workspace; null where there is none.
 */
archive: string | null, };

/**
 * What a person adds to a session that has ended. What is left of its steps is done, and what this is about once more.
 */
export type CompleteSession = { 
/**
 * By its id (`s3`) or its number (`9`); the newest where none is named.
 */
session?: string, 
/**
 * Files that it has made, besides those that its tasks changed.
 */
artifacts: Array<string>, 
/**
 * A folder of the workspace that they are copied to.
 */
deliver?: string, learnings: Array<string>, 
/**
 * From 1 to 5.
 */
rating?: number, feedback?: string, tags: Array<string>, };

/**
 * A session that has ended, with what came of its steps.
 */
export type ClosedSession = { session: Session, closing: Closing, };

/**
 * An archived session as it is listed.
 */
export type ArchivedSession = { 
/**
 * The name of its folder, which no other has.
 */
folder: string, id: string, number: number, title: string, startedAt: number, endedAt: number, minutes: number, 
/**
 * Its beginning.
 */
outcome: string, tags: Array<string>, agents: Array<string>, tasks: number, };

/**
 * Which archived sessions to list. All filters that are set must hold.
 */
export type ListArchives = { 
/**
 * All of these.
 */
tags?: Array<string>, 
/**
 * A task's id or its title.
 */
task?: string, agent?: string, 
/**
 * Ended at or after this.
 */
since?: number, 
/**
 * Ended before this.
 */
until?: number, 
/**
 * At most 1,000; 50 where it is left out.
 */
limit?: number, };

/**
 * A folder of the archive that cannot be read.
 */
export type ArchiveProblem = { folder: string, message: string, };

/**
 * The newest first.
 */
export type ArchiveList = { sessions: Array<ArchivedSession>, 
/**
 * At most 20.
 */
problems: Array<ArchiveProblem>, 
/**
 * There are more than were asked for.
 */
more: boolean, };

/**
 * What to look for: words that all have to be there, `"several words"` that stand together, `beginnings*`.
 */
export type SearchArchives = { words: string, only?: ListArchives, };

/**
 * A session in which something was found, and the words around it.
 */
export type ArchiveHit = { session: ArchivedSession, snippet: string, 
/**
 * The higher, the better; it means nothing between two searches.
 */
score: number, };

/**
 * The best first.
 */
export type ArchiveHits = { hits: Array<ArchiveHit>, 
/**
 * How many sessions were looked through.
 */
sessions: number, problems: Array<ArchiveProblem>, more: boolean, };

/**
 * One archived session: its id, its number, its folder, or the beginning of that.
 */
export type OneArchive = { session: string, };

/**
 * An archived session as a whole.
 */
export type ArchiveDetails = { folder: string, 
/**
 * From the root of the workspace.
 */
path: string, 
/**
 * The text of `summary.md`; empty where there is none.
 */
summary: string, 
/**
 * `session.json` as it is.
 */
record: unknown, };

/**
 * Which archives to check; all where none is named.
 */
export type VerifyArchives = { sessions: Array<string>, };

/**
 * An archive that was checked.
 */
export type VerifiedArchive = { folder: string, 
/**
 * How many records of the ledger came along and hold.
 */
records: number, 
/**
 * The first thing that does not hold.
 */
problem: string | null, };

export type ArchivesVerified = { holds: boolean, archives: Array<VerifiedArchive>, };

/**
 * Takes in archives that were made elsewhere, by the whole paths of their folders or of folders that hold them.
 */
export type ImportArchives = { folders: Array<string>, };

export type ArchivesImported = { imported: Array<string>, 
/**
 * They were there, to the byte.
 */
already: Array<string>, 
/**
 * Archives that were left where they are: their folders have no plain name.
 */
skipped: Array<string>, };

/**
 * Something that was learnt. It is told as it was written down, and is never an instruction.
 */
export type KnowledgeEntry = { id: string, text: string, tags: Array<string>, files: Array<string>, 
/**
 * The folder of the archived session that it was learnt in.
 */
source: string | null, 
/**
 * Whether it was approved for everybody, and lies in the workspace.
 */
shared: boolean, 
/**
 * Who added or approved it.
 */
by: string | null, at: number, };

/**
 * Which entries to list. All filters that are set must hold.
 */
export type ListKnowledge = { tag?: string, 
/**
 * Only shared ones, or only local ones.
 */
shared?: boolean, limit?: number, };

/**
 * Entries that hold all of these words.
 */
export type SearchKnowledge = { words: string, limit?: number, };

/**
 * The newest first.
 */
export type KnowledgeList = { entries: Array<KnowledgeEntry>, 
/**
 * What could not be read, in sentences.
 */
problems: Array<string>, more: boolean, };

/**
 * Something to be known, on this machine until it is approved.
 */
export type AddKnowledge = { text: string, tags: Array<string>, files: Array<string>, };

/**
 * One entry, by its id or a unique beginning of it.
 */
export type OneKnowledge = { entry: string, };

/**
 * One record of the ledger.
 */
export type Record = { sequence: number, time: number, actor: string, kind: string, subject: string, about: Array<string>, data: unknown, version: number, previous: string, hash: string, };

/**
 * Which records to list. All filters that are set must hold.
 */
export type ListRecords = { 
/**
 * A task's id, or the beginning of one.
 */
task?: string, run?: string, agent?: string, 
/**
 * A file's path: what happened to it.
 */
file?: string, 
/**
 * A session's id (`s3`) or number (`9`): what happened while it lasted, and what was recorded about it later.
 */
session?: string, 
/**
 * `person:ada`, `run:b12.2` or `host`.
 */
actor?: string, 
/**
 * `task.added`, or `task` for all kinds that begin so.
 */
kind?: string, since?: number, until?: number, 
/**
 * Only records before this sequence number: the `next` of the page before.
 */
before?: number, 
/**
 * Only records after this sequence number, oldest first.
 */
after?: number, 
/**
 * At most 1,000; 50 where it is left out.
 */
limit?: number, };

/**
 * Newest first, unless `after` was set.
 */
export type RecordList = { records: Array<Record>, 
/**
 * Where to go on (`before`, or `after` if that was set); null at the end.
 */
next: number | null, revision: number, };

export type OneRecord = { sequence: number, };

/**
 * What checking the whole chain found.
 */
export type Verified = { holds: boolean, records: number, 
/**
 * The hash of the last record: write it down elsewhere to find out later if the ledger was cut or rewritten.
 */
head: string, 
/**
 * The first record that does not hold, and why.
 */
broken: BrokenRecord | null, };

export type BrokenRecord = { sequence: number, reason: string, };

/**
 * The parts that a period is told in.
 */
export type Bucket = "hour" | "day" | "week";

/**
 * Which figures are asked for. All filters that are set must hold.
 */
export type AskAnalytics = { 
/**
 * 30 days before the end where it is left out; with a session, where that began.
 */
from?: number, 
/**
 * No part of the period itself; now where it is left out; with a session, where that ended.
 */
to?: number, 
/**
 * `day` where it is left out.
 */
bucket?: Bucket, 
/**
 * How far the person's clock is ahead of UTC, so that days begin at their midnight; 0 where it is left out.
 */
utcOffsetMinutes?: number, agent?: string, 
/**
 * A type of task: one of its labels.
 */
label?: string, 
/**
 * A session's id (`s3`) or number (`9`).
 */
session?: string, };

/**
 * So many of so many. Where `of` is 0 there is nothing to tell.
 */
export type Rate = { part: number, of: number, };

/**
 * Tasks that have ended in the period and stand so.
 */
export type TaskFigures = { ended: number, completed: number, partial: number, blocked: number, failed: number, cancelled: number, success: Rate, failure: Rate, };

/**
 * Runs that have ended in the period.
 */
export type RunFigures = { ended: number, completed: number, partial: number, blocked: number, failed: number, cancelled: number, timedOut: number, disconnected: number, success: Rate, 
/**
 * Failed, timed out or disconnected.
 */
failure: Rate, };

/**
 * How long runs took.
 */
export type TimeFigures = { 
/**
 * How many runs it is told of.
 */
runs: number, medianMs: number | null, 
/**
 * Nine in ten runs took no longer.
 */
p90Ms: number | null, totalMs: number, };

/**
 * Hunks that were decided about in the period, also those whose decision was taken back afterwards.
 */
export type HunkFigures = { approved: number, rejected: number, 
/**
 * Whose decision was taken back in the period.
 */
undone: number, 
/**
 * Whose decision was made again in the period.
 */
redone: number, approval: Rate, rejection: Rate, };

/**
 * Tokens, where agents told them.
 */
export type TokenFigures = { 
/**
 * How many runs told theirs.
 */
runs: number, input: number, output: number, };

/**
 * What was spent in one currency.
 */
export type CostFigures = { currency: string, 
/**
 * Exact, in decimals: `0.42`.
 */
amount: string, 
/**
 * How many runs told so.
 */
runs: number, };

/**
 * What the processes of runs used, where that was seen: of runs that were started from here.
 */
export type ResourceFigures = { 
/**
 * Of how many runs it is known.
 */
runs: number, cpuMedianMs: number | null, cpuTotalMs: number, 
/**
 * The most memory that one process held at a time; null where nothing is known.
 */
peakMemoryBytes: number | null, };

export type Figures = { tasks: TaskFigures, runs: RunFigures, times: TimeFigures, hunks: HunkFigures, tokens: TokenFigures, costs: Array<CostFigures>, resources: ResourceFigures, };

/**
 * The figures of one agent or one type of task.
 */
export type NamedFigures = { 
/**
 * Null: work of nobody that is known, or tasks without a label.
 */
name: string | null, figures: Figures, };

/**
 * The figures of one part of the period.
 */
export type BucketFigures = { 
/**
 * Where the part begins; the first may begin before the period, of which only what lies within is counted.
 */
start: number, figures: Figures, };

export type Analytics = { from: number, to: number, bucket: Bucket, total: Figures, 
/**
 * The busiest first, at most 100.
 */
byAgent: Array<NamedFigures>, 
/**
 * By label, the busiest first, at most 100. A task with two labels counts for both.
 */
byType: Array<NamedFigures>, 
/**
 * Every part in order, also those in which nothing happened.
 */
byBucket: Array<BucketFigures>, 
/**
 * More happened than is counted (200,000 of a kind), so the oldest is left out.
 */
more: boolean, revision: number, };

/**
 * Figures as a file for spreadsheets, in which no cell is a formula.
 */
export type AnalyticsFile = { text: string, };

/**
 * What a point of a timeline is.
 */
export type PointKind = "session" | "task-taken" | "task-ended" | "run-started" | "run-ended" | "question" | "revision" | "decision" | "report" | "checkpoint" | "flag" | "finding" | "commit";

export type WhoKind = "person" | "agent" | "vcs" | "host" | "unknown";

/**
 * Who did it.
 */
export type TimelineWho = { kind: WhoKind, 
/**
 * Of a person or an agent.
 */
name: string | null, };

/**
 * Which part of the story is asked for. All filters that are set must hold.
 */
export type AskTimeline = { 
/**
 * A session's id (`s3`) or number (`9`).
 */
session?: string, 
/**
 * A file's path.
 */
file?: string, 
/**
 * Only these kinds; all where it is left out.
 */
kinds?: Array<PointKind>, 
/**
 * Only what this kind of author did.
 */
who?: WhoKind, 
/**
 * Only what the person or agent of this name did.
 */
name?: string, 
/**
 * Only points before this sequence number, newest first: the `next` of the page before.
 */
before?: number, 
/**
 * Only points after this sequence number, oldest first.
 */
after?: number, 
/**
 * At most 1,000; 200 where it is left out.
 */
limit?: number, };

/**
 * One point. Its texts are bounded, and secrets in them are named instead of told.
 */
export type TimelinePoint = { 
/**
 * Of the record that it is made of.
 */
sequence: number, time: number, kind: PointKind, who: TimelineWho, task: string | null, taskTitle: string | null, run: string | null, session: string | null, 
/**
 * The first, where it is about several.
 */
file: string | null, decision: string | null, 
/**
 * Of the file's history, for `augment/timeline/diff` and `augment/changes/content`.
 */
step: number | null, added: number, removed: number, evidence: Evidence | null, 
/**
 * In words.
 */
summary: string, };

/**
 * Newest first, unless `after` was set. A page may hold fewer points than asked for, and even none, and still go on.
 */
export type Timeline = { points: Array<TimelinePoint>, 
/**
 * Where to go on (`before`, or `after` if that was set); null at the end.
 */
next: number | null, revision: number, };

/**
 * A step of a file's history.
 */
export type OneStep = { path: string, step: number, 
/**
 * The point of the timeline that the step was found at: the file may have another name since.
 */
sequence?: number, };

/**
 * What a step did to the file.
 */
export type StepDiff = { 
/**
 * What the file is called now.
 */
path: string, 
/**
 * The step that it is compared with; null for the first.
 */
before: number | null, step: number, 
/**
 * Unified, bounded to 256 KiB; empty where nothing in it changed.
 */
diff: string, 
/**
 * The rest of the diff was left out.
 */
cut: boolean, };

export type Setting = { key: string, value: string, 
/**
 * `default`, `user` or `policy`.
 */
source: string, about: string, 
/**
 * What it takes, in words.
 */
takes: string, 
/**
 * What the workspace's policy asked for and did not get, since a policy may only tighten.
 */
refusedPolicy: string | null, };

export type SettingList = { settings: Array<Setting>, 
/**
 * What is wrong in the settings files, a sentence each.
 */
problems: Array<string>, userFile: string, policyFile: string, };

export type ChangeSetting = { key: string, 
/**
 * Null goes back to the default.
 */
value: string | null, };

/**
 * A file of settings or agents as it stands in an editor, saved or not.
 */
export type InspectFile = { 
/**
 * Where it lies, as a whole path.
 */
path: string, text: string, };

/**
 * Which of our files it is.
 */
export type SettingsFile = "settings" | "policy" | "agents" | "workspace-agents";

export type InspectedFile = { 
/**
 * Null where the path is none of our files; then nothing else is said.
 */
file: SettingsFile | null, problems: Array<FileProblem>, 
/**
 * All that can be written in it.
 */
keys: Array<FileKey>, };

/**
 * Something that is wrong in a file, in the words of `config check`.
 */
export type FileProblem = { 
/**
 * From which place of the text, in UTF-16 units as editors count.
 */
start: number, end: number, message: string, 
/**
 * Whether it is a wish that is not followed; else it is a mistake.
 */
isWish: boolean, 
/**
 * What could stand there instead.
 */
instead: string | null, };

export type FileKey = { 
/**
 * The table that it stands in: `queue`, or `agents.*` for that of any agent.
 */
section: string, name: string, about: string, 
/**
 * What it takes, in words.
 */
takes: string, 
/**
 * What is in force where nothing is said, if that is known.
 */
usual: string | null, 
/**
 * The values it takes as they are written, where they can be counted.
 */
values: Array<string>, 
/**
 * What to begin its value with where they cannot: `""`, `[]` or nothing.
 */
empty: string, 
/**
 * What a workspace's file may do with it; null in a file of the user's own.
 */
workspace: string | null, };

/**
 * What the person's next step in the demo is.
 */
export type DemoStage = "start" | "confirm" | "start-agent" | "watch" | "answer" | "review" | "end" | "done";

export type DemoStatus = { 
/**
 * Null where the workspace is no demo of ours.
 */
stage: DemoStage | null, 
/**
 * The agent that is built in for it.
 */
agent: string, 
/**
 * The task that this agent knows how to do; null once it has ended or was removed.
 */
task: string | null, 
/**
 * The question that waits; null where none does.
 */
question: string | null, 
/**
 * Hunks that wait for a decision.
 */
pending: number, };

export type OverallStatus = { workspace: string, revision: number, host: HostStatus, counts: Counts, 
/**
 * What is being worked on, at most 20.
 */
active: Array<Task>, changes: ChangeCounts, watching: Watching, 
/**
 * The session that is under way; null where none is.
 */
session: Session | null, 
/**
 * What a person should look at, at most 20.
 */
troubles: Array<Trouble>, };

export type HostStatus = { version: string, pid: number, startedAt: number, 
/**
 * False when a single command answered by itself because no host was running.
 */
lasting: boolean, clients: number, };

export type Trouble = { message: string, 
/**
 * The task it is about, if any.
 */
task: string | null, };

/**
 * Sent after something was written: what moved, and to which revision. It carries no data; fetch what you show.
 */
export type Moved = { revision: number, parts: Array<Part>, };

export type Part = "queue" | "ledger" | "settings" | "changes" | "agents" | "sessions" | "prompts";

/**
 * The `data` of a JSON-RPC error that is a refusal or a failure.
 */
export type RefusalData = { 
/**
 * Stable, for programs: `unknown-task`, `stale`, …
 */
code: string, 
/**
 * For `stale`: the task as it is now.
 */
task: Task | null, 
/**
 * For `entangled`: what the decision would do.
 */
preview: Preview | null, 
/**
 * For `parallel-branch` and `foreign-commit`: the branch or the commit, as it can be named to leave it out or to count
 * it in.
 */
named: string | null, 
/**
 * For `shown-otherwise` at `augment/prompt/start`: what lies in the tree now.
 */
start: StartedPrompt | null, 
/**
 * For `shown-otherwise` at `augment/prompt/intent`: what would be committed now.
 */
intent: IntentCommitted | null, 
/**
 * For `shown-otherwise` at `augment/prompt/finish`: what would be written now.
 */
finish: FinishedPrompt | null, 
/**
 * For `shown-otherwise` at `augment/prompt/undo`: what would be taken back now.
 */
undo: UndonePrompt | null, 
/**
 * For `shown-otherwise` at `augment/prompt/push`: what would be pushed now.
 */
push: PushedPrompt | null, 
/**
 * For `shown-otherwise` at `augment/session/commit`: what would be committed now.
 */
commit: CommitProposal | null, };

/**
 * What the host tells about itself in the answer to `initialize`, under `capabilities.experimental.augment`.
 */
export type Introduction = { protocol: number, workspace: string, 
/**
 * `person` or `run`.
 */
role: string, pid: number, revision: number, };

/**
 * For the methods that need no parameters.
 */
export type Nothing = { [key: string]: never };

/** Every request: its parameters and its result. */
export interface Methods {
  /** The state of the whole: host, counts, what is being worked on, what needs a look. */
  "augment/status": { params: Nothing; result: OverallStatus };
  /** Adds a task at the end of its priority. */
  "augment/queue/add": { params: AddTask; result: Task };
  /** Lists tasks, a page at a time. */
  "augment/queue/list": { params: ListTasks; result: TaskList };
  /** One task with its dependencies, attempts and newest records. */
  "augment/queue/show": { params: OneTask; result: TaskDetails };
  /** Changes a task that has not ended. */
  "augment/queue/edit": { params: EditTask; result: Task };
  /** Reorders a task. Next to another one it takes on that one's priority. */
  "augment/queue/move": { params: MoveTask; result: Task };
  /** Removes a task that nobody works on and nothing depends on. Its content stays in the ledger. */
  "augment/queue/remove": { params: OneTask; result: Nothing };
  /** Cancels a task that has not ended; its holder's next word is refused. */
  "augment/queue/cancel": { params: CancelTask; result: Task };
  /** Puts a failed, partial, blocked or cancelled task back with all its attempts. */
  "augment/queue/retry": { params: OneTask; result: Task };
  /** Takes the task that comes first for this agent: highest priority, then oldest, dependencies done. Never hands one out twice. */
  "augment/queue/next": { params: TakeNext; result: Next };
  /** Takes one task by its id. */
  "augment/queue/claim": { params: ClaimTask; result: Taken };
  /** Renews the lease of an attempt. A run speaks for its own attempt only. */
  "augment/queue/heartbeat": { params: Heartbeat; result: Task };
  /** Ends a task as completed, partial or blocked. A run speaks for its own attempt only. */
  "augment/queue/complete": { params: CompleteTask; result: Task };
  /** Ends a task as failed. A run speaks for its own attempt only. */
  "augment/queue/fail": { params: FailTask; result: Task };
  /** Files with pending hunks, by path; on request also decided ones. */
  "augment/changes/list": { params: ListChanges; result: ChangeList };
  /** One file with its hunks. */
  "augment/changes/file": { params: OneFile; result: ChangedFile };
  /** A file's content: now, before a task, run or hunk, or at a step of its history. */
  "augment/changes/content": { params: WhichContent; result: Content };
  /** What a decision would do, without doing it. */
  "augment/changes/preview": { params: Decide; result: Preview };
  /** Approves or rejects hunks. Rejecting takes out exactly them and brings back exactly what they replaced. */
  "augment/changes/decide": { params: Decide; result: Decided };
  /** Takes a decision back. */
  "augment/changes/undo": { params: WhichDecision; result: Decided };
  /** Takes an undo back. */
  "augment/changes/redo": { params: WhichDecision; result: Decided };
  /** Says whose a change is. */
  "augment/changes/assign": { params: Assign; result: Assigned };
  /** The story of one file. */
  "augment/changes/history": { params: OneFile; result: FileHistory };
  /** Lets go of what decisions have taken out; they cannot be undone afterwards. */
  "augment/changes/purge": { params: Purge; result: Purged };
  /** Who wrote each line of a file. */
  "augment/blame": { params: OneFile; result: Blame };
  /** A run says which file it writes. A run speaks for itself only. */
  "augment/claim": { params: ClaimFile; result: Nothing };
  /** An editor says what it has saved. */
  "augment/editor/saved": { params: EditorSaved; result: Nothing };
  /** The agents that can be started, with what speaks against it. */
  "augment/agent/list": { params: Nothing; result: AgentList };
  /** Allows an agent that comes with the workspace, as its configuration stands. Void once that changes. */
  "augment/agent/allow": { params: AllowAgent; result: AgentList };
  /** Starts an agent on a task, or on the one that comes first for it. Answers once its process is being started. */
  "augment/agent/start": { params: StartAgent; result: Started };
  /** Asks a run to stop; its whole process tree is ended when it does not. */
  "augment/agent/stop": { params: OneRun; result: RunInfo };
  /** Lists runs, the newest first. */
  "augment/run/list": { params: ListRuns; result: RunList };
  /** One run with its report, questions and newest records. */
  "augment/run/show": { params: OneRun; result: RunDetails };
  /** What a run has said, from a place on. */
  "augment/run/output": { params: ReadOutput; result: Output };
  /** The calling run's own task. */
  "augment/run/task": { params: Nothing; result: OwnTask };
  /** The calling run asks a person. */
  "augment/run/ask": { params: AskDecision; result: Question };
  /** The calling run tells of something else to be done. It goes to the queue as discovered. */
  "augment/run/discovered": { params: LogDiscovered; result: Task };
  /** The calling run reports on its own attempt. */
  "augment/run/report": { params: ReportWork; result: RunInfo };
  /** What the run before has left for the calling one, or the document of a hand-off. */
  "augment/run/hand-off": { params: ReadHandOff; result: HandOffDocument };
  /** A hook of an agent has seen something, and asks whether it may go on. */
  "augment/run/hook": { params: HookSeen; result: HookVerdict };
  /** What runs ask, those that wait first. */
  "augment/question/list": { params: ListQuestions; result: QuestionList };
  /** One question, with its answer once it has one. */
  "augment/question/show": { params: OneQuestion; result: Question };
  /** Answers a question; the run hears it at once. */
  "augment/question/answer": { params: AnswerQuestion; result: Question };
  /** Proposals that another agent goes on, the newest first. */
  "augment/hand-off/list": { params: Nothing; result: HandOffList };
  /** Makes a task of a proposal, or dismisses it. */
  "augment/hand-off/decide": { params: DecideHandOff; result: HandOff };
  /** The session that is under way, what the project's documents say, and what waits for an answer. */
  "augment/session/status": { params: Nothing; result: SessionStatus };
  /** Begins a session: the documents are read, and a scope is proposed. Nothing is started before it is confirmed. */
  "augment/session/start": { params: StartSession; result: SessionStatus };
  /** Confirms the proposed scope, or another one. Tasks of the plan go to the queue. */
  "augment/session/confirm": { params: ConfirmScope; result: SessionStatus };
  /** Changes the scope. */
  "augment/session/adjust": { params: AdjustScope; result: SessionStatus };
  /** Goes on after a checkpoint. */
  "augment/session/continue": { params: AnswerCheckpoint; result: SessionStatus };
  /** Ends the session: writes the changelog's entry and the plan's marks, and proposes a commit. */
  "augment/session/end": { params: EndSession; result: EndedSession };
  /** Commits the documents of an ended session. */
  "augment/session/commit": { params: CommitSession; result: CommittedSession };
  /** Adds to a session that has ended, and does what is left of its steps. */
  "augment/session/complete": { params: CompleteSession; result: ClosedSession };
  /** Runs the steps of an ended session that failed or wait once more. */
  "augment/session/resume": { params: OneSession; result: ClosedSession };
  /** Lists sessions, the newest first. */
  "augment/session/list": { params: ListSessions; result: SessionList };
  /** One session with its tasks, reports and flags. */
  "augment/session/show": { params: OneSession; result: SessionDetails };
  /** What was told, oldest first. */
  "augment/session/reports": { params: ListReports; result: ReportList };
  /** Answers a change that fell outside of what was agreed to. */
  "augment/session/flag": { params: AnswerFlag; result: AnsweredFlag };
  /** The calling run asks for more scope, before it writes there. */
  "augment/run/scope": { params: RequestScope; result: Question };
  /** The plan as it is understood, and what is not. */
  "augment/plan/show": { params: Nothing; result: PlanView };
  /** Looks for secrets, personal data, production values and unpinned dependencies. */
  "augment/scan": { params: ScanFiles; result: ScanResult };
  /** A person has looked at findings, and says why they may stay. */
  "augment/scan/acknowledge": { params: AcknowledgeFinding; result: ScanResult };
  /** Lets findings of a rule pass below a path until a day. */
  "augment/scan/allow": { params: AllowFinding; result: ScanAllowList };
  /** What is let pass. */
  "augment/scan/allows": { params: Nothing; result: ScanAllowList };
  /** Takes that back. */
  "augment/scan/disallow": { params: DropScanAllow; result: ScanAllowList };
  /** Archived sessions, the newest first. */
  "augment/archive/list": { params: ListArchives; result: ArchiveList };
  /** Looks for words in archived sessions, the best first. */
  "augment/archive/search": { params: SearchArchives; result: ArchiveHits };
  /** One archived session with its summary and its record. */
  "augment/archive/show": { params: OneArchive; result: ArchiveDetails };
  /** Checks archives: the hashes of their files and their part of the ledger. */
  "augment/archive/verify": { params: VerifyArchives; result: ArchivesVerified };
  /** Takes in archives that were made elsewhere. All are checked before anything is written; nothing is overwritten. */
  "augment/archive/import": { params: ImportArchives; result: ArchivesImported };
  /** What was learnt, the newest first. */
  "augment/knowledge/list": { params: ListKnowledge; result: KnowledgeList };
  /** Looks for words in what was learnt. */
  "augment/knowledge/search": { params: SearchKnowledge; result: KnowledgeList };
  /** Adds something to be known, on this machine. */
  "augment/knowledge/add": { params: AddKnowledge; result: KnowledgeEntry };
  /** Approves an entry for everybody: it is written to the file that the team commits. */
  "augment/knowledge/approve": { params: OneKnowledge; result: KnowledgeEntry };
  /** Takes an entry out, also out of the file; what archives tell does not bring it back. */
  "augment/knowledge/drop": { params: OneKnowledge; result: KnowledgeEntry };
  /** Lists records of the ledger, newest first, or from one on. */
  "augment/audit/list": { params: ListRecords; result: RecordList };
  /** One record. */
  "augment/audit/show": { params: OneRecord; result: Record };
  /** Checks the whole chain. */
  "augment/audit/verify": { params: Nothing; result: Verified };
  /** Every setting with its value and where it comes from. */
  "augment/config/list": { params: Nothing; result: SettingList };
  /** Changes a setting in the user's file. */
  "augment/config/set": { params: ChangeSetting; result: SettingList };
  /** Looks at a file of settings or agents as it stands in an editor: what is wrong in it, and what can be written there. */
  "augment/config/inspect": { params: InspectFile; result: InspectedFile };
  /** The prompt that is under way, and what could be committed for it. */
  "augment/prompt/status": { params: Nothing; result: PromptStatus };
  /** Begins a prompt: stamp, text, subjects; what lies in the tree is committed first, on a word. */
  "augment/prompt/start": { params: StartPrompt; result: StartedPrompt };
  /** Says how the prompt is understood. */
  "augment/prompt/context": { params: SetContext; result: PromptStatus };
  /** Commits approved changes, and nothing else, as one intent. */
  "augment/prompt/intent": { params: CommitIntent; result: IntentCommitted };
  /** Makes one `session:` commit of the intents. The files on disk stay as they are. */
  "augment/prompt/finish": { params: FinishPrompt; result: FinishedPrompt };
  /** Writes the research artifact. */
  "augment/prompt/report": { params: ReportPrompt; result: ReportedPrompt };
  /** Pairs the subjects of `Development/` and `Research/`. */
  "augment/prompt/unify": { params: UnifySubjects; result: UnifiedSubjects };
  /** Pushes the session's commit, asks the remote whether it has it, and only then begins a fresh child. */
  "augment/prompt/push": { params: PushPrompt; result: PushedPrompt };
  /** Takes back what was written to history last. */
  "augment/prompt/undo": { params: UndoPrompt; result: UndonePrompt };
  /** Gives a prompt up; what was committed stays. */
  "augment/prompt/drop": { params: OnePrompt; result: PromptStatus };
  /** Prompts that are known here, and the `session:` commits of the history. */
  "augment/prompt/list": { params: ListPrompts; result: PromptList };
  /** Judges the five invariants of a completed prompt. */
  "augment/prompt/guard": { params: GuardPrompt; result: Guarded };
  /** Figures of a period: how runs and tasks ended, how long they took, what was decided, what it cost. */
  "augment/analytics": { params: AskAnalytics; result: Analytics };
  /** The same figures as CSV. */
  "augment/analytics/csv": { params: AskAnalytics; result: AnalyticsFile };
  /** The story of a session, of the workspace or of one file, page by page. */
  "augment/timeline": { params: AskTimeline; result: Timeline };
  /** What one step of a file's history did to it. */
  "augment/timeline/diff": { params: OneStep; result: StepDiff };
  /** How far the person has come in a demo workspace. */
  "augment/demo/status": { params: Nothing; result: DemoStatus };
  /** Asks the host to leave once what is under way is written. */
  "augment/host/stop": { params: Nothing; result: Nothing };
}

/** Every notification from the host. */
export interface Notifications {
  "augment/moved": Moved;
}
