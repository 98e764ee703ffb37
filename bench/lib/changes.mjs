// What benches of changes have in common: a workspace with a host and a run at work in it, and how much lies in a folder.

import { closeSync, lstatSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { callHost, runCli, startHost, stop } from "./programs.mjs";

const leaseMs = 3_600_000;

/** Starts the host of a workspace and waits until it knows every file. */
export async function openWorkspace(workspace) {
  const places = runCli(workspace, "where");
  const host = await startHost(workspace);
  const { connection, close } = await callHost(workspace, places);
  await settled(connection);
  return {
    workspace,
    places,
    host,
    connection,
    async leave() {
      close();
      await stop(host);
    },
  };
}

/** Waits until everything that happened to the files is known, and gives the counts of what is pending. */
export async function settled(connection) {
  return (await connection.request("augment/changes/list", { limit: 1 })).counts;
}

/** Takes a task as an agent: what changes from now on is that run's, unless something speaks against it. */
export async function beginRun(connection) {
  const { id } = await connection.request("augment/queue/add", { title: "Change some lines" });
  const taken = await connection.request("augment/queue/claim", { task: id, agent: "bench", leaseMs });
  return (taken.taken ?? taken).run;
}

/**
 * Writes over a file without emptying it first, in one call: on a busy machine the host would now and then see the empty file, and
 * rightly tell of two changes. The new content has to be at least as long as the old one.
 */
export function writeOver(path, content, position = 0) {
  const file = openSync(path, "r+");
  try {
    writeSync(file, content, position);
  } finally {
    closeSync(file);
  }
}

/** Every record of one kind, oldest first. */
export async function records(connection, kind) {
  const all = [];
  for (let after = 0; ; ) {
    const page = await connection.request("augment/audit/list", { kind, after, limit: 1_000 });
    all.push(...page.records);
    if (page.records.length < 1_000) return all;
    after = page.records.at(-1).sequence;
  }
}

/** The sizes of all files below a folder, together. */
export const bytesIn = (folder) => sumBelow(folder, ({ size }) => size);

/** What the files below a folder take of the disk: many small ones take much more than their sizes. */
export const diskIn = (folder) => sumBelow(folder, ({ blocks }) => blocks * 512);

function sumBelow(folder, figure) {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    sum += entry.isDirectory() ? sumBelow(path, figure) : figure(lstatSync(path));
  }
  return sum;
}

export const megabytes = (bytes) => bytes / 2 ** 20;
