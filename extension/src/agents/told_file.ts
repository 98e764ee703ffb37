// What the person was told already, kept over reloads in a file of the extension's. Beside it lies an empty file for each thing
// told: of several windows on one folder, the one that makes it tells.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KeptFile } from "../kept_file";
import { t } from "../l10n";
import { messageOf } from "../refusal";
import { Told } from "./told_once";

/** Past this many, those that are no longer known are removed. */
const claimLimit = 1_000;

export class ToldFile {
  private readonly told: Told;
  private readonly file: KeptFile;

  /** @param path nothing where there is no place for it; then it is known until the window closes */
  constructor(
    path: string | undefined,
    private readonly complain: (message: string) => void,
  ) {
    this.file = new KeptFile(path, (reason) => this.notKept(reason));
    this.told = new Told(keysIn(this.file.read()));
  }

  /** Those whose key is new. Their keys are known from then on. */
  onlyNew<T>(things: readonly T[], key: (thing: T) => string): T[] {
    const unheard = things.filter((thing) => this.told.isFirst(key(thing)));
    const { path } = this.file;
    if (unheard.length === 0 || path === undefined) return unheard;
    if (this.file.write(this.told.keys)) this.makeRoom(path);
    return unheard.filter((thing) => this.isOurs(path, key(thing)));
  }

  /** Of what is forgotten nothing stays. */
  private forgetClaims(path: string): void {
    const claims = readdirSync(claimsOf(path));
    if (claims.length <= claimLimit) return;
    const known = new Set(this.told.keys.map(claimOf));
    for (const claim of claims) if (!known.has(claim)) rmSync(join(claimsOf(path), claim), { force: true });
  }

  /** Whether this window is to tell it. Where that cannot be found out, it does. */
  private isOurs(path: string, key: string): boolean {
    try {
      writeFileSync(join(claimsOf(path), claimOf(key)), "", { flag: "wx" });
      return true;
    } catch (error) {
      return !(error instanceof Error && "code" in error && error.code === "EEXIST");
    }
  }

  private makeRoom(path: string): void {
    try {
      mkdirSync(claimsOf(path), { recursive: true });
      this.forgetClaims(path);
    } catch (error) {
      this.notKept(messageOf(error));
    }
  }

  private notKept(reason: string): void {
    this.complain(t("What was told could not be kept, so it may be told again: {0}", reason));
  }
}

function claimsOf(path: string): string {
  return `${path}.told`;
}

function claimOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** A file that holds something else holds nothing. */
function keysIn(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((key): key is string => typeof key === "string") : [];
}
