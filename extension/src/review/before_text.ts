// A file as it was before something, as a read-only document: the left side of every diff we open. Which content is
// meant travels in the address, as the protocol names it.

import * as vscode from "vscode";
import { t } from "../l10n";
import type { Content, WhichContent } from "../protocol.gen";
import type { TextKind } from "../read_only_text";
import { namesIn } from "./path_text";

export const BEFORE_SCHEME = "augment-before";

export const beforeText: TextKind = {
  scheme: BEFORE_SCHEME,
  part: "changes",
  write: async (link, query) => shownText(await link.call("augment/changes/content", wanted(query))),
};

/** The path is the file's own, so that the editor knows the language and sees that both sides are one file. */
export function beforeUri(folder: vscode.Uri, which: WhichContent): vscode.Uri {
  const names = namesIn(which.path) ?? [which.path];
  return vscode.Uri.joinPath(folder, ...names).with({
    scheme: BEFORE_SCHEME,
    authority: "",
    query: JSON.stringify(which),
  });
}

/** The content that an address of ours means; nothing for other addresses. */
export function beforeOf({ scheme, query }: vscode.Uri): WhichContent | undefined {
  return scheme === BEFORE_SCHEME ? wanted(query) : undefined;
}

function wanted(query: string): WhichContent {
  const value: unknown = JSON.parse(query);
  if (typeof value !== "object" || value === null || !("path" in value) || typeof value.path !== "string") {
    throw new Error(t("This address names no file."));
  }
  return value as WhichContent;
}

/** What is not there is shown as nothing, so that a diff against it shows a file that was made or deleted. */
function shownText({ body, text }: Content): string {
  if (text !== null || body === "absent") return text ?? "";
  return t("The content of this file cannot be shown as text.\n");
}
