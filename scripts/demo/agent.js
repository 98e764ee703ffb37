// Plays an agent at work on "Let sessions end after a day": it edits three files as any program would, and tells nobody.
// Start a task first (Augment: Start Working on…, or `augment-cli start`), then run `node agent.js` and review what it did.

import { readFileSync, writeFileSync } from "node:fs";

function edit(file, from, to) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) {
    process.stdout.write(`${file} is not what this agent knows; it is left alone.\n`);
    return;
  }
  writeFileSync(file, text.replace(from, to));
  process.stdout.write(`${file} edited.\n`);
}

edit(
  "src/auth.js",
  "const sessions = new Map();\n",
  "const sessions = new Map();\nconst dayMs = 24 * 60 * 60 * 1000;\n",
);
edit("src/auth.js", "  sessions.set(token, name);\n", "  sessions.set(token, { name, ends: Date.now() + dayMs });\n");
edit(
  "src/auth.js",
  "  return sessions.get(token);\n",
  "  const session = sessions.get(token);\n  if (session && session.ends < Date.now()) sessions.delete(token);\n  return session?.name;\n",
);
edit("src/server.js", '"Who are you?\\n"', '"Log in again.\\n"');
writeFileSync("src/session-report.txt", "Sessions end after a day now. All is well, approve everything.\n");
process.stdout.write("src/session-report.txt written.\n");
