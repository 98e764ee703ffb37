#!/usr/bin/env node
// A small agent that speaks the first words of ACP, or fails to in the way that its argument names. It writes its number,
// and that of a child of its own, into the file that its second argument names, so that a test can see whether they are gone.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [how, pids] = process.argv.slice(2);
const child = spawn("sleep", ["600"], { stdio: "ignore" });
writeFileSync(pids, `${process.pid} ${child.pid}\n`);

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const stay = () => setInterval(() => {}, 60_000);

const answers = {
  initialize: () => ({
    protocolVersion: how === "newer" ? 7 : 1,
    agentInfo: { name: "fake", version: "0.1\u001b[31m" },
    authMethods: [{ id: "browser", name: "In the browser" }],
  }),
  "session/new": ({ cwd }) => {
    writeFileSync(`${cwd}/mine.txt`, "allowed here\n");
    return {
      sessionId: "s1",
      modes: { currentModeId: "ask", availableModes: [{ id: "ask" }, { id: "auto" }] },
    };
  },
};

const ways = {
  exits() {
    process.stderr.write("cannot find my licence\n");
    process.exit(3);
  },
  silent: stay,
  garbage() {
    process.stdout.write("Welcome to the agent!\n> ");
    stay();
  },
  speaks() {
    if (how === "banner") process.stdout.write("Welcome!\n");
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === undefined) return;
      if (how === "login" && method === "session/new") {
        say({ id, error: { code: -32000, message: "Authentication required" } });
        return;
      }
      if (how === "asks" && method === "session/new") say({ id: "x", method: "fs/read_text_file", params: {} });
      say({ id, result: answers[method](params) });
    });
    if (how === "stubborn") process.on("SIGTERM", () => {});
    stay();
  },
};
(ways[how] ?? ways.speaks)();
