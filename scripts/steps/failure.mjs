// A step that could not do its work, told as a sentence with the next step to take. Anything else that is thrown is
// a bug in these scripts and keeps its stack.

import { paint, say } from "./progress.mjs";

export class StepFailed extends Error {
  /** @param {string} message what went wrong  @param {string} [output] the end of what the failing program said */
  constructor(message, output = "") {
    super(message);
    this.name = "StepFailed";
    this.output = output;
  }
}

export function tell(error) {
  if (!(error instanceof StepFailed)) {
    say(error?.stack ?? String(error));
    return;
  }
  if (error.output.trim()) say(`\n${error.output.trimEnd()}\n`);
  say(`${paint("red", "error:")} ${error.message}`);
}

/** Runs a script's main function and turns its failure into an exit code. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    tell(error);
    process.exitCode = 1;
  }
}
