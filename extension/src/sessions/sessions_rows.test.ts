// What the session view shows of what the host tells, with a host that is a table of answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../agents/agents_snapshot";
import { assertNever } from "../assert_never";
import type {
  ClosedSession,
  Flag,
  Governance,
  KnowledgeEntry,
  Methods,
  ScopeItem,
  Session,
  SessionReport,
  SessionStatus,
} from "../protocol.gen";
import { commitPage, earlierPage, endedByItself, newReports, plainText } from "./report_text";
import { selfEndedNotice } from "./session_words";
import { drawnText, rowsOf, type SessionsRow, stepRows, topRows } from "./sessions_rows";
import { fetchSessions, patternsAround, type SessionsSnapshot } from "./sessions_snapshot";

const item = (title: string, task: string | null, end: string | null = null): ScopeItem => ({
  title,
  task,
  goal: null,
  planned: true,
  estimate: null,
  end,
  paths: [],
  waiting: 0,
});

const session = {
  id: "s3",
  number: 9,
  state: "working",
  model: null,
  items: [item("Credentials", "a1", "completed"), item("Connector", "a2"), item("Validate", "a3")],
  discovered: ["Null handling"],
} as unknown as Session;

const governance = { problems: [], model: null } as unknown as Governance;
const report = (number: number, of: string) =>
  ({ number, session: of, level: "light", text: `r${number}` }) as SessionReport;
const flag = (id: string) => ({ id, path: `src/${id}.ts`, kind: "out-of-scope", time: 1 }) as Flag;

function status(facts: Partial<SessionStatus> = {}): SessionStatus {
  return { session, governance, flags: [], question: null, text: "", fromEarlier: [], revision: 1, ...facts };
}

function host(answers: { [M in keyof Methods]?: (params: Methods[M]["params"]) => unknown }): Call {
  return async (method, params) => {
    const answer = answers[method] as ((given: typeof params) => unknown) | undefined;
    assert.ok(answer, `${method} is not asked for`);
    return answer(params) as never;
  };
}

function snapshot(facts: Partial<SessionStatus> = {}, reports: SessionReport[] = []): SessionsSnapshot {
  return {
    status: status(facts),
    reports,
    activities: new Map([["a2", "asks"]]),
    taskPaths: new Map(),
    ended: undefined,
  };
}

const ended = {
  session: { id: "s2", number: 8, state: "ended" },
  closing: { steps: [{ step: "archive", outcome: "failed", evidence: ["no room"], at: 1, tries: 1 }] },
} as unknown as ClosedSession;
const entry = (text: string) =>
  ({ id: "k1", text, tags: ["api"], files: [], source: "2026-s2", by: null }) as unknown as KnowledgeEntry;

function shown(rows: SessionsRow[]): string[] {
  return rows.map((row) => {
    switch (row.kind) {
      case "session-state":
        return `state ${row.session.state}`;
      case "session-caution":
        return `! ${row.caution}`;
      case "session-group":
        return `${row.group} ${row.count}`;
      case "session-item":
        return `${row.item.title}${row.activity === undefined ? "" : ` ${row.activity}`}`;
      case "session-flag":
        return row.flag.path;
      case "session-discovered":
        return row.title;
      case "session-report":
        return `report ${row.report.number}`;
      case "session-earlier":
        return row.entry.text;
      case "session-none":
        return "none";
      case "session-ended":
        return `ended ${row.ended.session.id}${row.isBeside ? " beside" : ""}`;
      case "session-step":
        return `${row.step.step} of ${row.session}`;
      default:
        return assertNever(row);
    }
  });
}

test("a snapshot holds the newest reports first, and which tasks of the scope are worked on", async () => {
  const made = await fetchSessions(
    host({
      "augment/session/status": () => status(),
      "augment/session/reports": () => ({ reports: [report(4, "s2"), report(5, "s3"), report(6, "s3")] }),
      "augment/queue/list": () => ({ tasks: [{ id: "a2", scope: ["src/**"] }] }),
      "augment/question/list": () => ({ questions: [{ id: "q1", task: "a2" }] }),
      "augment/session/list": () => ({ sessions: [session, ended.session] }),
      "augment/session/show": (which) => {
        assert.deepEqual(which, { session: "s2" });
        return { ...ended, tasks: [], reports: [], flags: [] };
      },
    }),
  );
  assert.deepEqual(made.ended, ended);
  assert.deepEqual(
    made.reports.map(({ number }) => number),
    [6, 5, 4],
  );
  assert.deepEqual([...made.activities], [["a2", "asks"]]);
  assert.deepEqual([...made.taskPaths], [["a2", ["src/**"]]]);
});

test("what a change is outside of is what its session and its task may write, where both are known", () => {
  const paths = ["lib/**", "test/**"];
  const known = {
    status: status({ session: { ...session, paths } }),
    taskPaths: new Map([["a2", ["src/**", "lib/**"]]]),
  };
  assert.deepEqual(patternsAround({ session: "s3", task: "a2" }, known), ["lib/**", "test/**", "src/**"]);
  assert.deepEqual(patternsAround({ session: "s3", task: null }, known), paths);
  assert.deepEqual(patternsAround({ session: "s3", task: "a3" }, known), [], "it may have paths of its own");
  assert.deepEqual(patternsAround({ session: "s2", task: null }, known), []);
});

test("without a session the queue is not asked for, and the view says what can be done instead", async () => {
  const made = await fetchSessions(
    host({
      "augment/session/status": () => status({ session: null }),
      "augment/session/reports": () => ({ reports: [report(4, "s2")] }),
      "augment/session/list": () => ({ sessions: [{ ...session, state: "abandoned" }] }),
    }),
  );
  assert.deepEqual(topRows(made), []);
  assert.deepEqual(topRows(undefined), []);
});

test("what an earlier session has left to answer is there without a session", () => {
  const left = snapshot({ session: null, flags: [flag("f1")] });
  assert.deepEqual(shown(topRows(left)), ["flags 1"]);
  assert.deepEqual(
    rowsOf("flags", left).map((row) => row.kind === "session-flag" && row.flag.id),
    ["f1"],
  );
});

test("what waits for an answer comes before the scope, and empty groups are left out", () => {
  assert.deepEqual(shown(topRows(snapshot({ flags: [flag("f1")] }, [report(6, "s3"), report(4, "s2")]))), [
    "state working",
    "flags 1",
    "scope 3",
    "discovered 1",
    "reports 1",
  ]);
  const bare = { ...session, items: [], discovered: [] };
  assert.deepEqual(shown(topRows(snapshot({ session: bare }))), ["state working"]);
});

test("the last session that has ended is shown with its steps, folded beside one that is under way", () => {
  const over = { ...snapshot({ session: null }), ended };
  assert.deepEqual(shown(topRows(over)), ["none", "ended s2"]);
  assert.deepEqual(shown(stepRows(ended)), ["archive of s2"]);
  assert.equal(shown(topRows({ ...snapshot(), ended })).at(-1), "ended s2 beside");
});

test("what was learnt earlier stands behind the scope, as it was written down", () => {
  const now = snapshot({ fromEarlier: [entry("Pages count from one.")] });
  assert.deepEqual(shown(topRows(now)).slice(1, 3), ["scope 3", "earlier 1"]);
  assert.deepEqual(shown(rowsOf("earlier", now)), ["Pages count from one."]);
  assert.equal(
    earlierPage([entry("Pages\u001b[31m count.")]),
    "From earlier sessions, as it was written down:\n\nPages count.\n  (2026-s2, #api)\n",
  );
  assert.equal(earlierPage([]), "Nothing that was learnt earlier matches this session.\n");
});

test("what was not understood in the documents is told above the scope", () => {
  const odd = { ...governance, problems: ["PROJECT_PLAN.md, line 7: two\nsprint goals"], model: "opus" };
  assert.deepEqual(shown(topRows(snapshot({ governance: odd }))).slice(1, 3), [
    "! PROJECT_PLAN.md, line 7: two sprint goals",
    "! The plan asks for opus.",
  ]);
});

test("the scope tells what is worked on, and reports are those of this session", () => {
  const now = snapshot({ flags: [flag("f1"), flag("f2")] }, [report(6, "s3"), report(5, "s3"), report(4, "s2")]);
  assert.deepEqual(shown(rowsOf("scope", now)), ["Credentials", "Connector asks", "Validate"]);
  assert.deepEqual(shown(rowsOf("flags", now)), ["src/f1.ts", "src/f2.ts"]);
  assert.deepEqual(shown(rowsOf("reports", now)), ["report 6", "report 5"]);
  assert.deepEqual(shown(rowsOf("discovered", now)), ["Null handling"]);
});

test("it is drawn anew when something that is drawn has changed, and only then", () => {
  const first = drawnText(snapshot());
  assert.equal(drawnText(snapshot({ revision: 2, text: "other" })), first);
  assert.notEqual(drawnText(snapshot({ flags: [flag("f1")] })), first);
  assert.notEqual(drawnText(snapshot({}, [report(7, "s3")])), first);
  assert.notEqual(drawnText({ ...snapshot(), ended }), first);
  assert.notEqual(drawnText(snapshot({ fromEarlier: [entry("New")] })), first);
});

test("every report is pushed once: those of the session in a new window, then what is new", () => {
  const all = [report(6, "s3"), report(5, "s3"), report(4, "s2")];
  const numbers = (told: number | undefined, of: string | undefined) =>
    newReports(all, told, of).map(({ number }) => number);
  assert.deepEqual(numbers(undefined, "s3"), [5, 6]);
  assert.deepEqual(numbers(undefined, undefined), []);
  assert.deepEqual(numbers(5, "s3"), [6]);
  assert.deepEqual(numbers(5, undefined), [6], "the last report comes when its session is over");
  assert.deepEqual(numbers(6, "s3"), []);
});

test("boxes stay as they are, and what a terminal would obey is left out", () => {
  assert.equal(plainText("┌─┐\n│█░│ \u001b[31mred\u001b[0m\n└─┘\n\n"), "┌─┐\n│█░│ red\n└─┘\n");
});

test("a session that ended by itself asks for its commit, any other does not", () => {
  const data = { automatic: "nothing happened for 30 minutes.", commitMessage: "docs: update\n\n- a\n", session: 9 };
  const last = (level: SessionReport["level"], told: unknown) =>
    endedByItself({ ...report(7, "s3"), level, data: told });
  const itself = last("comprehensive", data);
  assert.ok(itself);
  assert.equal(
    selfEndedNotice(itself, ""),
    "Session 009 ended by itself: nothing happened for 30 minutes. Commit its record? “docs: update”",
  );
  assert.equal(
    selfEndedNotice(itself, "It is completed and archived."),
    "Session 009 ended by itself: nothing happened for 30 minutes. It is completed and archived. Commit its record? “docs: update”",
  );
  assert.equal(last("medium", data), undefined);
  assert.equal(last("comprehensive", { ...data, automatic: null }), undefined, "a person ended it, and was asked then");
  assert.equal(last("comprehensive", { ...data, commitMessage: null }), undefined, "there is nothing to commit");
  assert.equal(last("comprehensive", null), undefined);
});

test("a proposed commit is a page with its message, its files and why it cannot be made", () => {
  const commit = {
    message: "docs: update\n\n- a\n",
    files: ["CHANGELOG.md"],
    problem: "The index is\nlocked.",
    changed: [],
    confirm: "c",
  };
  assert.equal(
    commitPage({ session, report: null, documents: ["CHANGELOG.md: written"], commit, closing: null }),
    "docs: update\n\n- a\n\nFiles\n  CHANGELOG.md\n\nDocuments\n  CHANGELOG.md: written\n\nIt cannot be made here\n  The index is locked.\n",
  );
});
