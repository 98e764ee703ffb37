// Looking into a workspace's database, and meddling with it, past the program: with the SQLite that Python has, since
// Node 20 has none.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { run } from "./workspace.mjs";

const script = `
import json, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
found = []
for statement in json.load(sys.stdin):
    found = connection.execute(statement).fetchall()
connection.close()
print(json.dumps(found))
`;

/** Runs statements on a database file and gives the rows of the last one. Everything is in the file itself afterwards. */
export async function sql(path, ...statements) {
  const input = JSON.stringify([...statements]);
  const { code, stdout, stderr } = await run(["python3", "-c", script, path], { input });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Copies a database with what lies beside it. */
export function copyDatabase(from, to) {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  for (const end of ["", "-wal"]) if (existsSync(from + end)) copyFileSync(from + end, to + end);
  return join(dirname(to), basename(to));
}
