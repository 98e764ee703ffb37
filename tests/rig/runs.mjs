// Agents started by the product, and their runs followed to the end. All that these tests know of the commands for agents
// stands here: how they are called, and what of their answers is looked at.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentHome, agentsFile } from "./agents.mjs";
import { newProject } from "./changes.mjs";
import { eventually } from "./eventually.mjs";
import { startModel } from "./model.mjs";

/** How long a run may take for anything; the machines that run this are slow and busy at times. */
const patienceMs = 90_000;

/** Our own tools as agents offer them to their model: each puts the server's name before it in its own way. */
export const ourTools = Object.fromEntries(
  ["get_task", "heartbeat", "claim_change", "ask_decision", "get_answer", "log_discovered_task", "complete"].map(
    (name) => [name, new RegExp(`augment.*[^a-z]${name}$`)],
  ),
);

/** The model calls our tool with which an agent reports. */
export const reports = (status, summary, more = {}) => ({
  tool: ourTools.complete,
  args: { status, summary, ...more },
});

/** The same for Codex, which does not offer tools of servers but finds them. */
export const codexReports = (status, summary) => ({
  tool: "complete",
  server: "augment",
  args: { status, summary },
});

/** A report as agents print it. */
export const reportXml = (status, summary) =>
  `<agent_completion>\n  <status>${status}</status>\n  <agent>@fake</agent>\n  <summary>${summary}</summary>\n</agent_completion>`;

/** A permission's options by what they mean, as the tested agents name them. */
const meanings = {
  allow: /^(allow_once|yes)$/,
  refuse: /^(reject_once|cancel|no)$/,
};

/**
 * A project with a model, agents and a host that the test knows.
 * @param {Record<string, string>} files as `newProject` takes them
 * @param {{ prepare?: (project: object) => unknown, host?: object }} how `prepare` sees the project before its host is
 *   there, and `host` is how that is started
 */
export async function newStage(t, files = { "hello.txt": "hello\n" }, { prepare = () => {}, host: how } = {}) {
  // What was made last is ended first: agents before the host that would see them vanish, the folder last of all.
  const endings = [];
  t.after(async () => {
    for (const end of endings.reverse()) await end();
  });
  const project = await newProject({ after: (end) => endings.push(end) }, files);
  const model = await startModel({ after: (end) => endings.push(end) });
  const agents = agentHome({ scratch: project.scratch, model });
  endings.push(() => agents.end());
  await prepare(project);
  const host = await project.host(how);

  const stage = {
    ...project,
    model,
    agents,
    host,
    /** A file in the agents' home, where they may write: gates, marks and what they save. */
    beside: (name) => join(agents.home, name),
    openGate: (name) => writeFileSync(stage.beside(name), ""),
    hasMark: (name) =>
      eventually(`the agent has come to ${name}`, () => existsSync(stage.beside(name)), Boolean, patienceMs),
    saved: (name) => readFileSync(stage.beside(name), "utf8"),
    async savedJson(name) {
      return eventually(`${name} is saved`, () => JSON.parse(stage.saved(name)), Boolean, patienceMs);
    },

    /** Writes the user's file of agents. */
    configure(named) {
      mkdirSync(join(project.home, "config"), { recursive: true });
      writeFileSync(join(project.home, "config", "agents.toml"), agentsFile(named));
    },
    /** Silence is told after two of these. */
    quickHeartbeats: () => project.json(["config", "set", "agents.heartbeatSeconds", "1"]),

    /** Adds a task and starts an agent on it, in the background; gives the run's id. */
    async start(agent, title, ...args) {
      const { id } = await project.add(title);
      return stage.startOn(agent, id, ...args);
    },
    async startOn(agent, task, ...args) {
      const order = ["agent", "start", "--agent", agent, "--task-id", task, "--background", ...args];
      const { run } = await project.json(order);
      assert.equal(run.task, task);
      return run.run;
    },
    details: (run) => project.json(["agent", "status", "--id", run]),
    info: async (run) => (await stage.details(run)).run,
    stop: (run) => project.json(["agent", "stop", run]),
    logs: async (run) => (await project.cli(["agent", "logs", run])).stdout,
    /** Every attempt at a task. */
    runs: async (task) => (await project.json(["queue", "show", task])).runs,

    questions: async () => (await project.json(["agent", "questions"])).questions.filter(({ answer }) => !answer),
    /** What became of a question. */
    async answerTo(question) {
      const { questions } = await project.json(["agent", "questions", "--all"]);
      return questions.find(({ id }) => id === question).answer;
    },
    answer: (question, value) => project.json(["agent", "answer", question, value]),
    /** The next question of a run, once it asks. */
    async asks(run) {
      const isIts = (questions) => questions.some((question) => question.run === run);
      const open = await eventually(`${run} asks`, stage.questions, isIts, patienceMs);
      return open.find((question) => question.run === run);
    },
    /** Answers what a run wants leave for. */
    async decide(question, meaning) {
      assert.equal(question.kind, "permission", JSON.stringify(question));
      const option = question.options.find(({ value }) => meanings[meaning].test(value));
      assert.ok(option, `${meaning} is none of ${JSON.stringify(question.options)}`);
      return stage.answer(question.id, option.value);
    },

    /** Waits until a run stands as is accepted. */
    until: (run, what, accept) => eventually(`${run} ${what}`, () => stage.info(run), accept, patienceMs),
    becomes: (run, state) => stage.until(run, `is ${state}`, (info) => info.state === state),
    /** Waits until nothing of a run is left, letting it do meanwhile what it asks leave for. */
    async ends(run) {
      return eventually(
        `${run} is over`,
        async () => {
          const info = await stage.info(run);
          if (info.questions > 0) await stage.allowAll(run);
          return info;
        },
        ({ process }) => /^(code|signal|unseen)/.test(process),
        patienceMs,
      );
    },
    async allowAll(run) {
      const asked = (await stage.questions()).filter((one) => one.run === run && one.kind === "permission");
      for (const question of asked) await stage.decide(question, "allow");
    },

    /** The agent's own process of a run, and what it has started, by what they run. */
    processes: () => agents.processes(),
    processOf: (pattern) =>
      eventually(
        `a process ${pattern} runs`,
        () => agents.processes().find(({ command }) => pattern.test(command)),
        Boolean,
        patienceMs,
      ),

    /**
     * A run that is over stays so: nothing of it lives, and the files are as they were when it died, also once
     * everything that could have held it back lets go.
     * @param {() => Promise<unknown> | unknown} letGo opens what it waited for
     */
    async staysDead(run, letGo = () => {}) {
      const before = { tree: project.tree(), info: settled(await stage.info(run)) };
      assert.deepEqual(stage.processes(), [], `nothing of ${run} lives`);
      await letGo();
      assert.deepEqual(stage.processes(), [], `nothing of ${run} has come back`);
      assert.deepEqual(project.tree(), before.tree, `${run} has written after its death`);
      assert.deepEqual(settled(await stage.info(run)), before.info, `${run} stands as before`);
    },

    /** Kills the host as a crash does, and starts another. */
    /** A command that goes on, such as one that follows. */
    spawn: (args) => project.start(args),
    async crashHost() {
      stage.host.kill("SIGKILL");
      await stage.host.exit;
    },
    async newHost() {
      stage.host = await project.host();
    },
  };
  return stage;
}

const settled = ({ state, why, process, reported, stopped, message }) => ({
  state,
  why,
  process,
  reported,
  stopped,
  message,
});
