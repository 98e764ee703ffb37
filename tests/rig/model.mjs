// A model on loopback that says what a test wrote down for it, so that real agents work without an account and always do
// the same. Each script is a list of steps; a request is answered with the next one, and the script goes on once the
// answer was sent whole. Gates hold the model at a step until the test opens them, which is what tests have instead of
// waiting for time to pass.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { inspect } from "node:util";
import { within } from "./deadline.mjs";
import { eventually } from "./eventually.mjs";
import { dialectAt } from "./model-dialects.mjs";

/**
 * What a model does next; all but `hold` exclude each other, except that words may go before calls.
 * @typedef {{
 *   say?: string,
 *   tool?: string | RegExp, args?: object, input?: string, server?: string,
 *   tools?: { tool: string | RegExp, args?: object, input?: string, server?: string }[],
 *   fail?: number, cut?: true, hang?: true,
 *   times?: number,
 *   hold?: ReturnType<typeof gate>,
 * }} Step `say` alone ends the turn; `input` is a call with a free text; `fail` answers with that status, `cut` breaks the
 *   answer off in the middle, both for ever unless `times` says how often; `hang` never answers; `hold` waits for a gate
 */

/** A place where the model waits until the test says so. */
export function gate() {
  const made = {};
  const promise = (name) =>
    new Promise((resolve) => {
      made[name] = resolve;
    });
  const opened = promise("open");
  const reached = promise("arrive");
  const left = promise("leave");
  return {
    /** Lets the model go on, now and whenever it comes here again. */
    open: () => made.open(),
    opened,
    arrive: made.arrive,
    leave: made.leave,
    /** An agent waits here for its answer. */
    reached: () => within(reached, "an agent waits for the model at the gate", 60_000),
    /** An agent that waited here has gone away without its answer. */
    left: () => within(left, "the agent that waited for the model is gone", 60_000),
  };
}

/** @param {import("node:test").TestContext} t ends it after this test, which fails if a request found no script */
export async function startModel(t) {
  const scripts = [];
  const unexpected = [];
  let count = 0;

  const answer = async (request, response) => {
    const body = await read(request);
    const path = request.url.split("?")[0];
    const dialect = request.method === "POST" ? dialectAt(path) : undefined;
    if (!dialect) return refuse(response, path.endsWith("/models") ? 200 : 404, path);
    count += 1;
    const id = count;
    const told = { ...dialect.read(JSON.parse(body)), key: request.headers.authorization?.replace("Bearer ", "") };
    const play = (step) => send(response, dialect.write(asAnswer(step, told), told, id), step);
    // Agents have the model think of a name for the session on the side; that is no part of the work.
    if (told.tools.length === 0) return play({ say: "A title" });
    const script = scripts.find(({ accepts, isOver }) => accepts(told) && !isOver());
    if (script) return script.take(told, response, play);
    unexpected.push(told);
    return refuse(response, 400, "The script has no step for this.");
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      // An agent that is killed while it asks breaks off; anything else is a fault of the test.
      if (!request.destroyed || request.complete) unexpected.push(error);
      response.destroy();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

  const model = {
    url: `http://127.0.0.1:${server.address().port}`,
    /** What was asked though no script had a step left for it. */
    unexpected,

    /**
     * Sets down what the model says to the agents that this is for: those with the key, those whose prompt says the
     * word, or all. Earlier scripts go first.
     * @param {Step[]} steps
     * @param {{ key?: string, prompt?: string }} to
     */
    play(steps, { key, prompt } = {}) {
      const isFor = (told) =>
        (key === undefined || told.key === key) &&
        (prompt === undefined || told.texts.some(({ role, text }) => role === "user" && text.includes(prompt)));
      const script = newScript(steps, isFor);
      scripts.push(script);
      return script;
    },

    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  t.after(async () => {
    await model.close();
    assert.equal(
      unexpected.length,
      0,
      `the model was asked what no script answers: ${inspect(unexpected, { depth: 4 })}`,
    );
  });
  return model;
}

function newScript(steps, accepts) {
  /** @type {(import("./model-dialects.mjs").Told & { key?: string })[]} */
  const asked = [];
  let at = 0;
  let again = 0;
  return {
    accepts,
    /** Every request that this script answered or tried to, the oldest first. */
    asked,
    isOver: () => at >= steps.length,
    /** The words that the agent was told to do its work with. */
    prompt: () =>
      asked[0]?.texts
        .filter(({ role }) => role === "user")
        .map(({ text }) => text)
        .join("\n") ?? "",
    /** What the agent's tools gave, as it told the model last. */
    results: () => asked.at(-1)?.results ?? [],
    /** Waits until the script was asked so many times. */
    reached: (times) =>
      eventually(
        `the model is asked ${times} times`,
        () => asked.length,
        (count) => count >= times,
        60_000,
      ),
    /** The names of the tools that the agent offers the model. */
    tools: () => asked[0]?.tools ?? [],

    async take(told, response, play) {
      asked.push(told);
      const step = steps[at];
      const here = at;
      const isGone = new Promise((resolve) => response.on("close", () => resolve(true)));
      if (step.hold) {
        step.hold.arrive();
        if (await Promise.race([step.hold.opened, isGone])) return step.hold.leave();
      }
      if (step.hang) return;
      const wasSent = await play(step);
      again += 1;
      const isRepeated = step.fail !== undefined || step.cut === true;
      // A step whose answer nobody took is there for the next who asks.
      if (at !== here || !wasSent || (isRepeated && again < (step.times ?? Number.POSITIVE_INFINITY))) return;
      at += 1;
      again = 0;
    },
  };
}

function asAnswer({ say, tool, args = {}, input, server, tools }, told) {
  const calls = tools ?? (tool === undefined ? [] : [{ tool, args, input, server }]);
  return { say, calls: calls.map((call) => ({ ...call, tool: toolName(call.tool, told) })) };
}

/** Agents put names of servers before those of their tools, each in its own way; a pattern finds the one that is meant. */
function toolName(tool, told) {
  if (typeof tool === "string") return tool;
  const found = told.tools.filter((name) => tool.test(name));
  assert.equal(found.length, 1, `${tool} is to name one tool of ${told.tools.join(", ")}`);
  return found[0];
}

/** Sends an answer; whether it went out as the step wants it. */
async function send(response, { whole, events }, { fail, cut }) {
  if (fail !== undefined) return refuse(response, fail, "The model failed, as the script says.");
  if (whole) return finish(response, "application/json", JSON.stringify(whole));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const lines = events.map(({ event, data }) => `${event ? `event: ${event}\n` : ""}data: ${data}\n\n`);
  if (!cut) return finish(response, undefined, lines.join(""));
  await new Promise((resolve) => response.write(lines[0], resolve));
  response.destroy();
  return true;
}

function refuse(response, status, message) {
  response.statusCode = status;
  const type = status < 400 ? undefined : "server_error";
  return finish(response, "application/json", JSON.stringify(type ? { error: { message, type } } : { data: [] }));
}

/** Whether all of it could be handed over. */
function finish(response, type, text) {
  if (type) response.setHeader("content-type", type);
  return new Promise((resolve) => {
    response.on("finish", () => resolve(true)).on("close", () => resolve(false));
    response.end(text);
  });
}

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
