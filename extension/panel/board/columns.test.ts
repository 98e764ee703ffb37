import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question, Status } from "../../src/protocol.gen";
import type { Card } from "../messages";
import { type BoardData, COLUMNS, type ColumnId, columnCount, dropOn, withQuestions } from "./columns";

const card = (id: string, status: Status): Card => ({
  id,
  title: id,
  priority: "medium",
  status,
  origin: "typed",
  goal: null,
  labels: [],
  capabilities: [],
  assignee: null,
  dependsOn: [],
  waitsFor: 0,
  timeLimitMs: null,
  attempt: 0,
  attemptsUsed: 0,
  maxAttempts: 3,
  createdAt: 0,
  startedAt: null,
  endedAt: null,
  holder: null,
  revision: 1,
});
const question = (task: string): Question => ({
  id: "q1",
  run: `${task}.1`,
  task,
  agent: "goose",
  kind: "permission",
  question: "May I?",
  detail: "",
  options: [],
  recommendation: null,
  askedAt: 0,
  answer: null,
});

test("a task whose run asks waits for the person until it is answered", () => {
  const listed = new Map<ColumnId, Card[]>([
    ["pending", [card("a1", "pending")]],
    ["in-progress", [card("a2", "in-progress"), card("a3", "in-progress")]],
    ["waiting", [card("a4", "failed")]],
    ["done", []],
  ]);
  const questions = new Map([["a3", question("a3")]]);
  const cards = withQuestions(listed, questions);
  const ids = Object.fromEntries(COLUMNS.map((column) => [column, cards.get(column)?.map(({ id }) => id)]));
  assert.deepEqual(ids, { pending: ["a1"], "in-progress": ["a2"], waiting: ["a3", "a4"], done: [] });
  const counts = { pending: 1, inProgress: 2, completed: 5, failed: 1, partial: 0, blocked: 0, cancelled: 1 };
  const data: BoardData = { cards, counts, questions, next: new Map(), runs: new Map() };
  assert.deepEqual(
    COLUMNS.map((column) => columnCount(column, data)),
    [1, 1, 2, 6],
  );
});

test("a card is dropped where that means something, and nowhere else", () => {
  const drops = (status: Status) => COLUMNS.map((column) => dropOn(column, { status }) ?? "-").join(" ");
  assert.equal(drops("pending"), "reorder start-agent - -");
  for (const status of ["failed", "partial", "blocked", "cancelled"] as const)
    assert.equal(drops(status), "retry - - -");
  for (const status of ["in-progress", "completed"] as const) assert.equal(drops(status), "- - - -");
});
