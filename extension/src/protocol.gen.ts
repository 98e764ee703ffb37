// Written by `npm run generate` from server/protocol. Do not edit.

export const PROTOCOL_VERSION = 1;
export const REFUSED = -32001;
export const FAILED = -32003;

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
export type Next = { taken: Taken | null, };

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
counts: Counts, revision: number, };

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

export type OverallStatus = { workspace: string, revision: number, host: HostStatus, counts: Counts, 
/**
 * What is being worked on, at most 20.
 */
active: Array<Task>, 
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

export type Part = "queue" | "ledger" | "settings";

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
task: Task | null, };

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
  /** Asks the host to leave once what is under way is written. */
  "augment/host/stop": { params: Nothing; result: Nothing };
}

/** Every notification from the host. */
export interface Notifications {
  "augment/moved": Moved;
}
