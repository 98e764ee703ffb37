// The sidecar: whether its program can run, and starting it. Nothing here knows the editor; which program it is says
// `program_choice`.

import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import { t } from "./l10n";
import { messageOf } from "./refusal";

export const SERVER_PATH_SETTING = "augmentOrchestrator.serverPath";

const whereLimitMs = 10_000;

/** Why the program cannot be started, in sentences with what to do; nothing when it can. */
export async function programFault(path: string): Promise<string | undefined> {
  const remedy = t("Reinstall the extension, or set {0} to the program's full path.", SERVER_PATH_SETTING);
  if (!isAbsolute(path)) return t('The program path "{0}" is not a full path. {1}', path, remedy);
  try {
    if (!(await stat(path)).isFile()) return t('"{0}" is not a program. {1}', path, remedy);
  } catch {
    return t('The program augment-cli was not found at "{0}". {1}', path, remedy);
  }
  try {
    await access(path, constants.X_OK);
  } catch {
    return t(
      'The program at "{0}" may not be executed. Make it executable (chmod +x), or reinstall the extension.',
      path,
    );
  }
  return undefined;
}

/** Where the folder's data is, or would be. The program says so; it starts no host for that and writes nothing. */
export async function dataPath(program: string, folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ["where", "--json", "-C", folder], {
    env: sidecarEnvironment(process.env),
    timeout: whereLimitMs,
    windowsHide: true,
  });
  const { data } = JSON.parse(stdout) as { data?: unknown };
  if (typeof data !== "string") throw new Error(t("It did not say where the folder's data is."));
  return data;
}

export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Starts the byte pipe to the folder's host. It ends when its input is closed or the host goes away.
 * @throws with a sentence when the system cannot start a process at all; most failures come as its `error` event
 */
export function startSidecar(program: string, folder: string): ChildProcessWithoutNullStreams {
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(program, ["serve", "--stdio", "-C", folder], {
      env: sidecarEnvironment(process.env),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (error) {
    throw new Error(t("The program could not be started: {0}.", messageOf(error)));
  }
  // With no file descriptors left Node returns a process without pipes, against its type, and tells the error later.
  if (child.stdin === undefined || child.stdout === undefined || child.stderr === undefined) {
    child.on("error", () => {});
    throw new Error(t("The program could not be started: too many files are open."));
  }
  return child;
}

/**
 * The host outlives the editor and starts other programs, so it gets the person's environment, not the editor's. Nor
 * does it get a run's token: an editor that an agent or a run's terminal opened still speaks for the person before it,
 * and with the token it would connect as that run and be refused every decision.
 */
export function sidecarEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|AUGMENT_TOKEN$)/i.test(name)),
  );
}
