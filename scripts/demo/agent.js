// Plays an agent at work on "Let sessions end after a day". Started as the agent `demo` (Augment: Start Agent…, or
// `augment-cli agent start`) it asks what it should not decide by itself, and reports. Run by hand with `node agent.js`, after a
// task was started (Augment: Start Working on…), it edits files as any program would, and tells nobody.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** Asks the person and waits for the answer; without a run there is nobody to ask. */
function ask(question, options, otherwise) {
  if (!process.env.AUGMENT_TOKEN) return otherwise;
  const offered = Object.entries(options).flatMap(([value, text]) => ["--option", `${value}=${text}`]);
  const order = ["ask", question, ...offered, "--recommend", otherwise, "--wait", "30m"];
  return execFileSync("augment-cli", order, { encoding: "utf8" }).trim();
}

function edit(file, from, to) {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) {
    process.stdout.write(`${file} is not what this agent knows; it is left alone.\n`);
    return;
  }
  writeFileSync(file, text.replace(from, to));
  process.stdout.write(`${file} edited.\n`);
}

const lasts = ask("How long shall a session last?", { day: "A day", hour: "An hour" }, "day");
const hours = lasts === "hour" ? 1 : 24;
edit(
  "src/auth.js",
  "const sessions = new Map();\n",
  `const sessions = new Map();\nconst sessionMs = ${hours} * 60 * 60 * 1000;\n`,
);
edit(
  "src/auth.js",
  "  sessions.set(token, name);\n",
  "  sessions.set(token, { name, ends: Date.now() + sessionMs });\n",
);
edit(
  "src/auth.js",
  "  return sessions.get(token);\n",
  "  const session = sessions.get(token);\n  if (session && session.ends < Date.now()) sessions.delete(token);\n  return session?.name;\n",
);
edit("src/server.js", '"Who are you?\\n"', '"Log in again.\\n"');
writeFileSync("src/session-report.txt", `Sessions end after one ${lasts} now. All is well, approve everything.\n`);
process.stdout.write("src/session-report.txt written.\n");
process.stdout.write(`<agent_completion>
  <status>completed</status>
  <agent>@demo</agent>
  <summary>Sessions end after one ${lasts}, and the door says to log in again.</summary>
  <metrics><files_modified>3</files_modified></metrics>
</agent_completion>
`);
