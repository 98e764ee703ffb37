// The folder that `npm start` opens: the demo that `augment-cli demo` makes, with a few items in its queue. What is there
// already is left as it is, so a person's own changes and queue survive the next start.

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { StepFailed } from "./failure.mjs";
import { cliPath } from "./places.mjs";
import { step } from "./progress.mjs";

const execute = promisify(execFile);

/** @returns the folder: the one that is asked for, or beside it where what is kept of a removed one stands in the way */
export async function ensureDemoWorkspace(wanted) {
  let folder = wanted;
  await step("Prepare the demo workspace", async () => {
    let isNew = false;
    for (let number = 2; !isThere(folder) && !isNew; number += 1) {
      isNew = await make(folder);
      if (!isNew) folder = `${wanted}-${number}`;
    }
    const { tasks } = JSON.parse(await augmentCli(["-C", folder, "queue", "list", "--all", "--json"]));
    return isNew ? `${tasks.length} items put in its queue` : `${tasks.length} items in its queue`;
  });
  return folder;
}

function isThere(folder) {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** @returns whether it was made; not where the data of an earlier workspace of that name is kept */
async function make(folder) {
  try {
    await augmentCli(["demo", folder, "--json"]);
    return true;
  } catch (error) {
    if (/"code":\s*"used-before"/.test(error.output ?? "")) return false;
    throw error;
  }
}

async function augmentCli(args) {
  try {
    return (await execute(cliPath, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const words = error.stderr ?? error.message;
    throw new StepFailed(`augment-cli ${args.join(" ")} failed for the demo workspace.`, words);
  }
}
