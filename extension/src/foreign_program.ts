// The program that a workspace's own settings name, which is never run. Pure.

import { createHash } from "node:crypto";
import { SERVER_PATH_SETTING } from "./sidecar";

/**
 * By what it is known that it was told of: the folder, and what is named there.
 * @param settings the file as it is written, which may have comments and may be wrong
 * @returns nothing where no program is named
 */
export function foreignProgramKey(folder: string, settings: string): string | undefined {
  const name = JSON.stringify(SERVER_PATH_SETTING);
  const at = settings.indexOf(name);
  if (at < 0) return undefined;
  const [value = ""] = settings.slice(at + name.length).split(/[\r\n]/, 1);
  return `foreign-program ${createHash("sha256").update(`${folder}\n${value.trim()}`).digest("hex")}`;
}
