// What the panel says while there is no connection to the host, and what can be done about it. A pure function.

import { assertNever } from "../src/assert_never";
import { t } from "../src/l10n";
import type { Action, Link } from "./messages";

export interface LinkWords {
  icon: string;
  title: string;
  text: string;
  /** Nothing where it goes on by itself. */
  actions: { label: string; action: Extract<Action, `host/${string}`> }[];
  /** Whether what was fetched before may stay on screen. */
  keepsContent: boolean;
}

/** @returns nothing while there is a connection */
export function linkWords({ kind, reason }: Link): LinkWords | undefined {
  const log = { label: t("Show Log"), action: "host/log" } as const;
  switch (kind) {
    case "connected":
      return undefined;
    case "no-folder":
      return words("folder", t("No folder is open."), t("Open a folder to have a queue for it."), []);
    case "restricted":
      return words("shield", t("This folder is not trusted."), t("Nothing runs for it, and nothing is read from it."), [
        { label: t("Manage Workspace Trust"), action: "host/trust" },
      ]);
    case "resting":
    case "starting":
      return words("loading~spin", t("Connecting to the host of this folder…"), "", []);
    case "reconnecting":
      return {
        ...words("loading~spin", t("The connection to the host was lost. Trying again…"), reason, [log]),
        keepsContent: true,
      };
    case "stopped":
      return words("debug-disconnect", t("The host of this folder was stopped."), t("Nothing is lost."), [
        { label: t("Start"), action: "host/restart" },
      ]);
    case "down":
      return words(
        "error",
        t("There is no connection to the host of this folder."),
        t("{0} Nothing is lost.", reason).trim(),
        [{ label: t("Restart"), action: "host/restart" }, log],
      );
    default:
      return assertNever(kind);
  }
}

function words(icon: string, title: string, text: string, actions: LinkWords["actions"]): LinkWords {
  return { icon, title, text, actions, keepsContent: false };
}
