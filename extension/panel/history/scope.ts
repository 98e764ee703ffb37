// Which story is told: of the workspace, of a session or of one file; and which part of it.

import { assertNever } from "../../src/assert_never";
import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import { GROUPS, type Group } from "./moment";

export type Scope = { kind: "workspace" } | { kind: "session"; session: string } | { kind: "file"; file: string };

export interface Wanted {
  scope: Scope;
  group: Group | "all";
  /** A lane's id; nothing for everybody. */
  lane: string | undefined;
}

export const everything: Wanted = { scope: { kind: "workspace" }, group: "all", lane: undefined };

/** What was kept by a page before this one, as far as it can be understood. */
export function wantedIn(value: unknown): Wanted {
  const fields = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  const group = GROUPS.find(({ group: known }) => known === fields.get("group"))?.group ?? "all";
  const lane = fields.get("lane");
  return { scope: scopeIn(fields.get("scope")), group, lane: typeof lane === "string" ? lane : undefined };
}

export function scopeIn(value: unknown): Scope {
  const fields = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  const [kind, session, file] = ["kind", "session", "file"].map((name) => fields.get(name));
  if (kind === "session" && typeof session === "string") return { kind, session };
  if (kind === "file" && typeof file === "string") return { kind, file };
  return { kind: "workspace" };
}

export function scopeName(scope: Scope): string {
  switch (scope.kind) {
    case "workspace":
      return t("Whole workspace");
    case "session":
      return t("Session {0}", scope.session);
    case "file":
      return t("File: {0}", oneLine(scope.file));
    default:
      return assertNever(scope);
  }
}

export function isSame(one: Wanted, other: Wanted): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
