// Whatever is written, moved, decided and committed in whatever order: once nothing waits any more and all that is approved is
// committed, the newest commit is what lies on disk; no undo touches a file; and the session's commit is that very tree.

import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { test } from "node:test";
import { newRepository } from "../rig/prompts.mjs";

const seeds = { git: 12, "jj colocated": 3 };
const steps = 16;
const names = ["a.txt", "b.txt", "c.txt"];

/** A small generator, the same on every machine. */
function random(seed) {
  let state = seed + 1;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound) => Math.floor(next() * bound);
  return { chance: (part) => next() < part, below, one: (list) => list[below(list.length)] };
}

async function play(t, kind, seed) {
  const { chance, below, one } = random(seed);
  const done = [];
  let words = 0;
  const line = () => {
    words += 1;
    return `line ${words}\n`;
  };
  const text = () => Array.from({ length: 1 + below(6) }, line).join("");
  const repository = await newRepository(t, kind, Object.fromEntries(names.slice(0, 2).map((name) => [name, text()])));
  const { at } = repository;
  const disk = () =>
    Object.fromEntries(
      names.filter((name) => existsSync(at(name))).map((name) => [name, readFileSync(at(name), "utf8")]),
    );
  const isAtTip = async (what) => assert.deepEqual(await repository.files(), disk(), `${what}: ${done.join(", ")}`);
  const prompt = (...args) => repository.cli(["prompt", ...args, "--json"]);
  /** An intent may find nothing to commit. */
  async function intent(...args) {
    const { code, stderr } = await prompt("intent", `step ${done.length}`, ...args);
    if (code !== 0) assert.match(JSON.parse(stderr).error.code, /^nothing-to-commit$/, `${done.join(", ")}: ${stderr}`);
    return code === 0;
  }
  let intents = 0;
  let agent;

  const deeds = {
    async edit() {
      const name = one(names);
      const lines = existsSync(at(name)) ? readFileSync(at(name), "utf8").split(/(?<=\n)/) : [];
      for (let times = 0; times <= below(2); times += 1) {
        if (lines.length > 1 && chance(0.4)) lines.splice(below(lines.length), 1);
        else lines.splice(below(lines.length + 1), chance(0.3) && lines.length > 1 ? 1 : 0, line());
      }
      repository.write(name, lines.join(""));
      return `${name} edited`;
    },
    async remove() {
      const name = one(names);
      if (Object.keys(disk()).length < 2) return undefined;
      rmSync(at(name), { force: true });
      return `${name} removed`;
    },
    async move() {
      const [from, to] = [one(names), one(names)];
      if (!existsSync(at(from)) || existsSync(at(to))) return undefined;
      renameSync(at(from), at(to));
      return `${from} to ${to}`;
    },
    async agent() {
      await agent?.done();
      agent = agent === undefined ? await repository.agent(`work ${done.length}`) : undefined;
      return agent === undefined ? "agent done" : "agent";
    },
    async decide() {
      const hunks = await repository.hunks();
      if (hunks.length === 0) return undefined;
      const verdict = chance(0.6) ? "approve" : "reject";
      const chosen = chance(0.5) ? ["--all"] : [one(hunks).id];
      // What is entangled is shown first, and here a yes to it.
      const { code } = await repository.cli(["changes", verdict, ...chosen, "--yes"]);
      return `${verdict} ${chosen}: ${code}`;
    },
    /** A decision is taken back, and what waits again may be rejected: it may be committed by then. */
    async takeBack() {
      const { code } = await repository.cli(["changes", "undo", "--yes"]);
      if (chance(0.5)) return `undo of a decision: ${code}`;
      const rejected = await repository.cli(["changes", "reject", "--all", "--yes"]);
      return `undo of a decision: ${code}, reject: ${rejected.code}`;
    },
    async agentsIntent() {
      agent ??= await repository.agent(`work ${done.length}`);
      const edited = chance(0.3) ? await deeds.remove() : await deeds.edit();
      await repository.cli(["changes", "approve", "--all", "--yes"]);
      return `${edited} by an agent and approved, ${await deeds.intent()}`;
    },
    async intent() {
      const isMade = await intent();
      if (isMade) intents += 1;
      if ((await repository.hunks()).length === 0) await isAtTip("after an intent");
      return `intent: ${isMade}`;
    },
    async undo() {
      if (intents === 0) return undefined;
      intents -= 1;
      await repository.keepsDisk(() => repository.prompt("undo"));
      return "undo of an intent";
    },
  };
  const often = ["edit", "agent", "decide", "intent", "agentsIntent", "takeBack"];
  const all = [...often, ...often, "edit", "edit", "remove", "move", "undo"];

  // No checkpoint after three tasks.
  await repository.json(["config", "set", "session.protocol", "off"]);
  await repository.begin();
  while (done.length < steps) {
    const deed = one(all);
    const said = await deeds[deed]();
    if (said === undefined) continue;
    done.push(said);
    // Each is seen by itself.
    await repository.hunks();
  }
  await agent?.done();
  await repository.cli(["changes", chance(0.5) ? "approve" : "reject", "--all", "--yes"]);
  if ((await repository.hunks()).length > 0) await repository.approve("--all");
  if (await intent()) intents += 1;
  await isAtTip("at the end");
  if (intents === 0) return;
  const before = await repository.files();
  await repository.keepsDisk(() => repository.finish());
  assert.deepEqual(await repository.files(), before, `the session's commit: ${done.join(", ")}`);
}

for (const [kind, count] of Object.entries(seeds))
  for (let seed = 0; seed < count; seed += 1)
    test(`a random prompt on ${kind} ends in what lies on disk, seed ${seed}`, (t) => play(t, kind, seed));
