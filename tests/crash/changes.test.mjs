// kill -9 while a decision about fifty files is carried out: between what is kept, what is written and what is recorded.
// Every file is wholly the one or the other, the next command finishes it and says so, and undo still brings back every
// byte (R2, R5, Z1).

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { leavings, picture, touched } from "../rig/changed-files.mjs";
import {
  checkWhole,
  endHost,
  lasting,
  newLane,
  placesOf,
  quickly,
  reject,
  sample,
  undo,
} from "../rig/crash-review.mjs";
import { eachPlace } from "../rig/lanes.mjs";
import { killAt, places as placesIn, record } from "../rig/strace.mjs";

/** For the host and for a single command each. */
const kills = 32;

describe("a decision about fifty files, killed at a durable call", () => {
  let lanes;
  before(async () => {
    lanes = [await newLane(), await newLane()];
  });
  after(async () => {
    for (const lane of lanes) await lane.end();
  });

  /** What the ledger says of decisions, oldest first. */
  async function reviewed(workspace) {
    const { records } = await workspace.json(["audit", "list", "--limit", "1000"]);
    return records.filter(({ kind }) => kind.startsWith("review.")).reverse();
  }

  /** Checks what a killed process left; gives what had become of the decision. */
  async function checkLeft({ workspace, made, without }, name, next) {
    const [from, to] = name === "reject" ? [made, without] : [without, made];
    const left = picture(workspace.folder);
    checkWhole(left, from, to, leavings(left));
    const finishing = await workspace.cli(next);
    assert.equal(finishing.code, 0, finishing.stderr);
    const now = picture(workspace.folder);
    assert.deepEqual(leavings(now), []);
    const records = await reviewed(workspace);
    const told = records.slice(name === "reject" ? 0 : 2);
    if (told.length === 0) {
      assert.deepEqual(now, from, "what was not decided was not begun");
    } else {
      assert.deepEqual(now, to, "what was decided is done");
      assert.deepEqual(
        told.map(({ kind }) => kind),
        [name === "reject" ? "review.rejected" : "review.undone", "review.carried-out"],
      );
      const { written, notWritten, inEditor } = told[1].data;
      assert.deepEqual([written, notWritten, inEditor], [touched, 0, 0]);
    }
    const { counts } = await workspace.json(["changes", "list"]);
    const waits = (name === "reject") === (told.length === 0);
    assert.equal(counts.pendingFiles, waits ? touched : 0);
    // And once more, back or forth, to the byte.
    const [again, result] = waits ? [reject, without] : [undo, made];
    assert.equal((await workspace.cli(again)).code, 0);
    assert.deepEqual(picture(workspace.folder), result);
    assert.equal((await workspace.json(["audit", "verify"])).holds, true);
    if (told.length === 0) return "not decided";
    return told[1].data.afterCrash ? "finished by the next command" : "done and recorded";
  }

  async function all(t, name, places, live) {
    const free = [...lanes];
    const became = {};
    await eachPlace(sample(places, kills), async (place, at) => {
      const lane = free.pop();
      lane.back(name);
      await live(lane, killAt(place));
      const next = [["changes", "list"], ["status"], ["queue", "list"]][at % 3];
      const what = await checkLeft(lane, name, next);
      became[what] = (became[what] ?? 0) + 1;
      free.push(lane);
    });
    t.diagnostic(`${kills} kills at ${places.length} places: ${JSON.stringify(became)}`);
    assert.ok(became["finished by the next command"] > kills / 2, JSON.stringify(became));
  }

  for (const [name, args] of [
    ["reject", reject],
    ["undo", undo],
  ]) {
    test(`the host, at ${kills} places of ${args.join(" ")}`, async (t) => {
      const begin =
        ({ workspace }) =>
        (command) =>
          workspace.host({ command });
      const lane = lanes[0];
      lane.back(name);
      const places = await placesOf(lane, lasting, begin(lane), async (host) => {
        assert.equal((await lane.workspace.cli(args)).code, 0);
        await endHost(lane.workspace, host);
      });
      assert.ok(places.length > kills, `only ${places.length} places`);
      await all(t, name, places, async (lane, command) => {
        const host = await begin(lane)(command);
        const { code, stdout, stderr } = await lane.workspace.cli(args);
        if (host.ended === undefined && code === 0) return endHost(lane.workspace, host);
        assert.equal((await host.exit).signal, "SIGKILL");
        if (code !== 0) assert.match(stderr, /^error: .+\n$/, "who asked is told");
        else assert.notEqual(stdout, "");
      });
    });

    test(`a single command, at ${kills} places of ${args.join(" ")}`, async (t) => {
      const lane = lanes[0];
      lane.back(name);
      const log = `${lane.workspace.scratch}/calls`;
      assert.equal((await lane.workspace.cli(args, { command: quickly(record(log, lasting)) })).code, 0);
      const places = placesIn(log);
      await all(t, name, places, ({ workspace }, command) => workspace.cli(args, { command }));
    });
  }
});
