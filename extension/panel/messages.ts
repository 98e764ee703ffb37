// Every message between the panel's page and its host, known to both sides: what the page may ask for (reads), what it
// may order (actions), and what it is told. Both sets are closed, and each entry says what its parameters look like. A
// read is a method of the sidecar; an action is a command of the editor. There is no way through to anything else.

import type { Methods, Part, Task, TaskList } from "../src/protocol.gen";
import { MOST_HUNKS } from "../src/review/change_groups";
import {
  either,
  flag,
  listOf,
  nothing,
  oneOf,
  orNull,
  record,
  type Shape,
  type Shaped,
  text,
  whole,
  yes,
} from "./shape";

export const PAGE_IDS = ["board", "agents", "session", "review", "history", "analytics"] as const;
export type PageId = (typeof PAGE_IDS)[number];

/** The longest texts that are taken, for the boxes that they are typed in. */
export const LONGEST = { answer: 65_536, filter: 400, name: 256 } as const;

const id = text(64);
const name = text(LONGEST.name);
const path = text(4_096);
const limit = whole(1, 1_000);
const moment = whole(0, Number.MAX_SAFE_INTEGER);
const status = oneOf("pending", "in-progress", "completed", "failed", "partial", "blocked", "cancelled");
const place = either(oneOf("top", "bottom"), either(record({ before: id }), record({ after: id })));

const step = whole(0, 4_294_967_295);
const pointKind = oneOf(
  "session",
  "task-taken",
  "task-ended",
  "run-started",
  "run-ended",
  "question",
  "revision",
  "decision",
  "report",
  "checkpoint",
  "flag",
  "finding",
  "commit",
);
const whoKind = oneOf("person", "agent", "vcs", "host", "unknown");
const analytics = record(
  {},
  {
    from: moment,
    to: moment,
    bucket: oneOf("hour", "day", "week"),
    utcOffsetMinutes: whole(-840, 840),
    agent: name,
    label: name,
    session: id,
  },
);

const oneStep = record({ path, step }, { sequence: moment });

/** Methods of the sidecar that the page may call. None of them changes anything. */
export const READS = {
  "augment/queue/list": record(
    {},
    { statuses: listOf(status, 7), priority: text(16), label: name, text: text(LONGEST.filter), limit, after: id },
  ),
  "augment/run/list": record({ task: orNull(id), agent: orNull(name), active: flag, limit: orNull(limit) }),
  "augment/agent/list": nothing,
  "augment/question/list": record({ answered: flag, run: orNull(id) }),
  "augment/hand-off/list": nothing,
  "augment/session/status": nothing,
  "augment/session/reports": record({}, { session: id, after: moment, limit }),
  "augment/changes/list": record(
    {},
    { file: path, task: id, run: id, unknown: flag, decided: flag, after: path, limit },
  ),
  "augment/audit/list": record(
    {},
    {
      task: id,
      run: id,
      agent: name,
      file: path,
      session: id,
      actor: name,
      kind: name,
      since: moment,
      until: moment,
      before: moment,
      after: moment,
      limit,
    },
  ),
  "augment/session/list": record({}, { limit }),
  "augment/analytics": analytics,
  "augment/timeline": record(
    {},
    { session: id, file: path, kinds: listOf(pointKind, 13), who: whoKind, name, before: moment, after: moment, limit },
  ),
  "augment/timeline/diff": oneStep,
  "augment/changes/history": record({ path }),
} satisfies { readonly [M in keyof Methods]?: Shape<Methods[M]["params"]> };

export type ReadMethod = keyof typeof READS;
export type ReadParams<M extends ReadMethod> = Methods[M]["params"] & Shaped<(typeof READS)[M]>;

/** A task as a card shows it: without its long texts, of which thousands would be sent for nothing. */
export type Card = Omit<Task, "description" | "result" | "scope" | "lease">;
export type CardList = Omit<TaskList, "tasks"> & { tasks: Card[] };

/** What a read is answered with: what the sidecar answers, but for long lists of which only a part is shown. */
export type ReadResult<M extends ReadMethod> = M extends "augment/queue/list" ? CardList : Methods[M]["result"];

const ofTask = record({ task: id });
const ofRun = record({ run: id });
const ofAgent = record({ agent: name });
const ofQuestion = record({ question: id });
const ofHandOff = record({ handOff: id });
const ofFlag = record({ flag: id });
/** The session that is drawn: what is pressed is about no other one. */
const ofSession = record({ session: id });
const hunks = listOf(id, MOST_HUNKS);
const within = { file: path, all: yes };
/**
 * Somebody's work, or what of it is in one file, always with the hunks that are shown: nothing else of it is meant. Everything
 * that waits is no selection: that has an action of its own.
 */
export const SELECTION = either(
  either(record({ task: id, hunks }, within), record({ run: id, hunks }, within)),
  either(record({ unknown: yes, hunks }, within), either(record({ all: yes, hunks }), record({ file: path, hunks }))),
);
export type PanelSelection = Shaped<typeof SELECTION>;

/** What the page may order. Each runs what a command of the editor runs, with its questions and refusals. */
export const ACTIONS = {
  "task/add": nothing,
  "task/show": ofTask,
  "task/edit": ofTask,
  "task/set-priority": ofTask,
  "task/move": record({ task: id, revision: moment, priority: oneOf("high", "medium", "low"), place }),
  "task/start-agent": ofTask,
  "task/take": ofTask,
  "task/complete": ofTask,
  "task/fail": ofTask,
  "task/cancel": ofTask,
  "task/retry": ofTask,
  "task/remove": ofTask,
  "task/copy-id": ofTask,
  "run/stop": ofRun,
  "run/output": ofRun,
  "run/show": ofRun,
  "question/ask": ofQuestion,
  "question/show": ofQuestion,
  "question/choose": record({ question: id, choice: text(4_096) }),
  "question/say": record({ question: id, text: text(LONGEST.answer) }),
  "hand-off/accept": ofHandOff,
  "hand-off/edit": ofHandOff,
  "hand-off/dismiss": ofHandOff,
  "agent/start": ofAgent,
  "agent/allow": ofAgent,
  "agent/presets": nothing,
  "session/start": nothing,
  "session/confirm": ofSession,
  "session/adjust": ofSession,
  "session/continue": record({ session: id, checkpoint: step }),
  "session/end": ofSession,
  "session/plan": nothing,
  "session/report": record({ report: moment }),
  // With the hunks of it that are drawn: no others are taken out.
  "flag/answer": record({ flag: id, answer: oneOf("extend", "log", "allow-once"), hunks }),
  "flag/open": ofFlag,
  "review/decide": record({ verdict: oneOf("approve", "reject"), what: SELECTION }),
  "review/open": record({ file: path, task: orNull(id) }),
  "review/decide-all": record({ verdict: oneOf("approve", "reject") }),
  "review/assign": record({ what: SELECTION }),
  "review/open-all": nothing,
  "review/undo": record({ decision: id }),
  "history/open-diff": oneStep,
  "file/open": record({ path }),
  "analytics/export": analytics,
  "host/restart": nothing,
  "host/log": nothing,
  "host/trust": nothing,
} satisfies { readonly [action: string]: Shape<object> };

export type Action = keyof typeof ACTIONS;
export type ActionParams<A extends Action> = Shaped<(typeof ACTIONS)[A]>;

/** How the connection to the workspace's host stands. */
export interface Link {
  kind: "no-folder" | "restricted" | "resting" | "starting" | "connected" | "reconnecting" | "stopped" | "down";
  /** Why, where it is not connected; empty where there is nothing to say. */
  reason: string;
}

/** From the page to its host. */
export type FromPage =
  /** The page is there and wants to be told how things stand. */
  | { kind: "hello" }
  | { kind: "read"; id: number; method: ReadMethod; params: object }
  | { kind: "act"; id: number; action: Action; params: object };

/** From the host to its page. */
export type ToPage =
  | { kind: "link"; link: Link; now: number }
  /** Something was written. It carries no data; the page fetches what it shows. */
  | { kind: "moved"; parts: Part[]; revision: number; now: number }
  /** Goes to a page; to what it is about there, where that is said: a file for the history. */
  | { kind: "show"; page: PageId; about: string | null }
  | { kind: "answer"; id: number; result: unknown }
  | { kind: "refusal"; id: number; message: string };
