// The solar stamp on the command line (J5): its figures, its forms, reading it back, and what is said about a wrong one.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newWorkspace } from "../rig/workspace.mjs";

const forms = ["line", "am", "unicode", "numeric"];

async function stamp(workspace, ...args) {
  const { code, stdout, stderr } = await workspace.cli(["stamp", ...args]);
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  return stdout;
}

test("the figures are those of chronos, to the second, however the moment is said", async (t) => {
  const workspace = newWorkspace(t);
  for (const [at, expected] of [
    ["1970-01-01T00:00:00Z", "♑\ufe0e.11.10.13 5863AM"],
    ["2026-02-21T12:57:13Z", "♓\ufe0e.3.55.25 5919AM"],
    ["2026-02-21T15:25:30Z", "♓\ufe0e.4.1.39 5919AM"],
    ["2026-02-22T00:00:00Z", "♓\ufe0e.4.23.15 5919AM"],
    ["2026-02-22T16:39:31Z", "♓\ufe0e.5.5.11 5919AM"],
    ["2026-02-23T10:19:25Z", "♓\ufe0e.5.49.38 5919AM"],
    ["2026-02-25T17:37:07Z", "♓\ufe0e.8.8.41 5919AM"],
    ["2026-02-26T09:11:03Z", "♓\ufe0e.8.47.48 5919AM"],
    // The same moments in other words.
    ["@0", "♑\ufe0e.11.10.13 5863AM"],
    ["1970-01-01", "♑\ufe0e.11.10.13 5863AM"],
    ["@1771678633", "♓\ufe0e.3.55.25 5919AM"],
    ["2026-02-21T12:57:13.999Z", "♓\ufe0e.3.55.25 5919AM"],
    ["2026-02-21T10:57:13-02:00", "♓\ufe0e.3.55.25 5919AM"],
    ["2026-02-22", "♓\ufe0e.4.23.15 5919AM"],
  ]) {
    assert.equal(await stamp(workspace, "--at", at), `${expected}\n`, at);
  }
});

test("without a moment it is now", async (t) => {
  const workspace = newWorkspace(t);
  const seconds = () => Math.floor(Date.now() / 1000);
  const before = seconds();
  const { at, line } = await workspace.json(["stamp"]);
  const told = Date.parse(at) / 1000;
  assert.ok(before <= told && told <= seconds(), at);
  assert.equal(await stamp(workspace, "--at", at), `${line}\n`);
});

test("every form, cut after every field, and read back", async (t) => {
  const workspace = newWorkspace(t);
  const at = ["--at", "2026-02-22T16:39:31Z"];
  const table = {
    second: ["♓\ufe0e.5.5.11 5919AM", "5919.12.5.5.11", "♓\ufe0e5°5'11\" | 5919 AM", "591912050511"],
    minute: ["♓\ufe0e.5.5 5919AM", "5919.12.5.5", "♓\ufe0e5°5' | 5919 AM", "5919120505"],
    degree: ["♓\ufe0e.5 5919AM", "5919.12.5", "♓\ufe0e5° | 5919 AM", "59191205"],
    sign: ["♓\ufe0e 5919AM", "5919.12", "♓\ufe0e | 5919 AM", "591912"],
    year: ["5919AM", "5919", "5919 AM", "5919"],
  };
  for (const [precision, texts] of Object.entries(table)) {
    for (const [index, format] of forms.entries()) {
      const how = ["--format", format, "--precision", precision];
      assert.equal(await stamp(workspace, ...at, ...how), `${texts[index]}\n`, how.join(" "));
      assert.equal(await stamp(workspace, "--parse", table.second[index], ...how), `${texts[index]}\n`, how.join(" "));
    }
  }
  for (const text of ["♓.5.5.11 5919AM", "solar: 5919.12.5.5.11", "solar: ♓\ufe0e5°5'11\" | 5919 AM"]) {
    assert.equal(await stamp(workspace, "--parse", text, "--format", "numeric"), "591912050511\n", text);
  }
});

test("one JSON document says all of it, and null what was not asked for or is not known", async (t) => {
  const workspace = newWorkspace(t);
  const at = ["stamp", "--at", "2026-02-22T17:39:31+01:00"];
  const whole = {
    line: "♓\ufe0e.5.5.11 5919AM",
    am: "5919.12.5.5.11",
    unicode: "♓\ufe0e5°5'11\" | 5919 AM",
    numeric: "591912050511",
    year: 5919,
    sign: 12,
    degree: 5,
    minute: 5,
    second: 11,
    precision: "second",
    model: "chronos",
    at: "2026-02-22T16:39:31Z",
  };
  assert.deepEqual(await workspace.json(at), whole);
  assert.deepEqual(await workspace.json([...at, "--format", "numeric"]), whole);
  assert.deepEqual(JSON.parse((await workspace.cli([...at, "--format", "json"])).stdout), whole);
  assert.deepEqual(await workspace.json(["stamp", "--parse", "591912050511"]), { ...whole, model: null, at: null });
  assert.deepEqual(await workspace.json([...at, "--precision", "sign", "--model", "true"]), {
    ...whole,
    line: "♓\ufe0e 5919AM",
    am: "5919.12",
    unicode: "♓\ufe0e | 5919 AM",
    numeric: "591912",
    degree: null,
    minute: null,
    second: null,
    precision: "sign",
    model: "true",
  });
});

test("the model is that of the setting, of the policy before it, and of the flag before both", async (t) => {
  const workspace = newWorkspace(t);
  const at = ["--at", "2026-02-22T16:39:31Z", "--format", "am"];
  const model = async () => (await workspace.json(["stamp", ...at])).model;
  // The true one is at 1202637.07″ by ERFA.
  const [chronos, real] = ["5919.12.5.5.11\n", "5919.12.5.4.58\n"];
  assert.deepEqual([await stamp(workspace, ...at), await model()], [chronos, "chronos"]);
  await workspace.json(["config", "set", "stamp.model", "true"]);
  assert.deepEqual([await stamp(workspace, ...at), await model()], [real, "true"]);
  assert.equal(await stamp(workspace, ...at, "--model", "chronos"), chronos);
  mkdirSync(join(workspace.folder, ".augment"));
  writeFileSync(join(workspace.folder, ".augment", "policy.toml"), '[stamp]\nmodel = "chronos"\n');
  assert.equal(await model(), "chronos");
  assert.equal(await stamp(workspace, ...at, "--model", "true"), real);
  const set = await workspace.cli(["config", "set", "stamp.model", "true"]);
  assert.equal(
    set.stdout,
    "stamp.model = chronos (policy)\nnote: the policy of this workspace says it; elsewhere your value counts.\n",
  );
  const wrong = await workspace.cli(["config", "set", "stamp.model", "moon"]);
  assert.equal(wrong.stderr, 'error: "moon" does not fit stamp.model. Use chronos or true.\n');
});

test("it needs no workspace, starts no host and leaves nothing behind", async (t) => {
  const workspace = newWorkspace(t);
  const bare = { AUGMENT_HOME: undefined, HOME: undefined, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined };
  const lost = await workspace.cli(["stamp", "--at", "@0", "--format", "am"], { cwd: "/", env: bare });
  assert.deepEqual([lost.code, lost.stdout, lost.stderr], [0, "5863.10.11.10.13\n", ""]);
  await stamp(workspace);
  await stamp(workspace, "--parse", "5919.12.5.5.11");
  assert.deepEqual([readdirSync(workspace.home), readdirSync(workspace.folder)], [[], []]);
  const nowhere = await workspace.cli(["-C", "/no/such/folder", "stamp"]);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /\/no\/such\/folder/);
});

test("what is wrong is named with what is right", async (t) => {
  const workspace = newWorkspace(t);
  for (const [args, said] of [
    [["--at", "soon"], /"soon" is not a point in time\. .*2026-11-16T10:00 \(UTC\), or @1771678633/],
    [["--at", "2026-02-30"], /"2026-02-30" is not a point in time/],
    [["--at", "@1.5"], /"@1\.5" is no number of seconds since 1970\. Use for example @1771678633/],
    [["--format", "roman"], /'roman'.*[\s\S]*line, am, unicode, numeric, json/],
    [["--precision", "third"], /'third'[\s\S]*year, sign, degree, minute, second/],
    [["--model", "moon"], /'moon'[\s\S]*chronos, true/],
    [["--parse", "5919.12.5.61.47"], /'5919\.12\.5\.61\.47'.*minute 61: counted from 1 to 60/],
    [["--parse", "♓.31.4.47 5919AM"], /degree 31: counted from 1 to 30/],
    [["--parse", "591912"], /The stamp ends with its sign\. Name every field down to the second/],
    [["--parse", "tomorrow"], /This is no stamp\. Write it like ♓\ufe0e\.5\.4\.47 5919AM, 5919\.12\.5\.4\.47/],
    [["--parse", "1".repeat(50_000)], /50000 bytes are more than a stamp has/],
    [["--parse", "591912050511", "--at", "2h"], /--parse/],
  ]) {
    const { code, stdout, stderr } = await workspace.cli(["stamp", ...args]);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, said);
    const { error } = JSON.parse((await workspace.cli(["stamp", ...args, "--json"])).stderr);
    assert.equal(error.code, "usage");
  }
  for (const [at, moment] of [
    ["1899-12-31T23:59:59Z", "1899-12-31T23:59:59Z"],
    ["2101-01-01", "2101-01-01T00:00:00Z"],
    ["@9000000000000000", "@9000000000000000"],
  ]) {
    const { code, stderr } = await workspace.cli(["stamp", "--at", at, "--json"]);
    const { error } = JSON.parse(stderr);
    assert.deepEqual([code, error.code], [1, "stamp-out-of-range"]);
    assert.equal(error.message, `${moment} has no stamp. Name a moment from 1900-01-01 up to the end of 2100 (UTC).`);
  }
});
