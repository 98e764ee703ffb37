// Acknowledging findings: a person has looked, and says why they may stay. Without a reason nothing is acknowledged, which
// the host sees to.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { withoutIcons } from "../outside_text";
import type { Finding, Hunk } from "../protocol.gen";
import { askText } from "../questions";
import { tellDone } from "../told";
import { hunkLabel } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { findingCount, ruleWords, stopping } from "./finding_words";
import type { Findings } from "./findings";
import { hunkAt } from "./hunk_places";

interface AcknowledgeContext {
  link: HostLink;
  model: ChangesModel;
}

/** @returns whether they are acknowledged; false when the person left */
export async function acknowledgeHunks(context: AcknowledgeContext, hunks: readonly Hunk[]): Promise<boolean> {
  const found = hunks.flatMap(({ findings }) => stopping(findings));
  const names = [...new Set(found.map(ruleWords))].join(", ");
  return askReason(context, `${findingCount(found.length)}: ${names}`, async (reason) => {
    for (const { id } of hunks) await context.link.call("augment/scan/acknowledge", { hunk: id, rule: null, reason });
  });
}

/** @param about a finding, a hunk's row or id, or nothing: the hunk at the cursor, or one that is picked */
export async function acknowledgeChosen(context: AcknowledgeContext, about: unknown): Promise<void> {
  if (isFinding(about)) {
    const { hunk, rule } = about;
    if (hunk === null) return;
    await askReason(context, ruleWords(about), async (reason) => {
      await context.link.call("augment/scan/acknowledge", { hunk, rule, reason });
    });
    return;
  }
  const hunk = await chosenHunk(context, about);
  if (hunk !== undefined) await acknowledgeHunks(context, [hunk]);
}

/** Scans what waits for a decision, and leads to what was found. */
export async function checkForSecrets({ link, model }: AcknowledgeContext, findings: Findings): Promise<void> {
  const result = await link.call("augment/scan", {});
  await model.refreshed();
  findings.keepScanned(result.findings);
  const found = stopping(result.findings).length;
  const files = `${result.files.toLocaleString()} ${result.files === 1 ? "file" : "files"} looked at`;
  const notRead = result.notRead.length === 0 ? "" : `, ${result.notRead.length} could not be read`;
  tellDone(
    `${found === 0 ? "Nothing found" : findingCount(found)}${result.more ? " and more" : ""}, ${files}${notRead}`,
  );
  if (result.findings.length > 0) await vscode.commands.executeCommand("workbench.actions.view.problems");
}

async function askReason(
  { model }: AcknowledgeContext,
  what: string,
  accept: (reason: string) => Promise<void>,
): Promise<boolean> {
  return askText({
    title: `Acknowledge ${what}`,
    prompt: "Why it may stay. The reason is kept in the ledger.",
    accept: async (text) => {
      const reason = text.trim();
      if (reason === "") throw new Error("A reason is needed. Escape leaves everything as it is.");
      await accept(reason);
      model.refresh();
    },
  });
}

async function chosenHunk({ model }: AcknowledgeContext, about: unknown): Promise<Hunk | undefined> {
  const stopped = model.files.flatMap(({ path, hunks }) =>
    hunks.filter(({ findings }) => stopping(findings).length > 0).map((hunk) => ({ path, hunk })),
  );
  const wanted = hunkIdIn(about) ?? hunkIdAtCursor(model);
  const known = stopped.find(({ hunk }) => hunk.id === wanted);
  if (known !== undefined) return known.hunk;
  const [only] = stopped;
  if (only === undefined) {
    tellDone("No finding waits to be looked at");
    return undefined;
  }
  if (stopped.length === 1) return only.hunk;
  const items = stopped.map(({ path, hunk }) => ({
    hunk,
    label: withoutIcons(stopping(hunk.findings).map(ruleWords).join(", ")),
    description: withoutIcons(path),
    detail: withoutIcons(hunk.kind === "lines" ? `line ${hunk.line + 1}` : hunkLabel(hunk)),
  }));
  const placeHolder = "Which finding?";
  return (await vscode.window.showQuickPick(items, { title: "Acknowledge Finding", placeHolder }))?.hunk;
}

function hunkIdIn(about: unknown): string | undefined {
  if (typeof about === "string") return about;
  const row = typeof about === "object" && about !== null && "hunk" in about ? about.hunk : undefined;
  const id = typeof row === "object" && row !== null && "id" in row ? row.id : undefined;
  return typeof id === "string" ? id : undefined;
}

function hunkIdAtCursor(model: ChangesModel): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  return hunkAt(model.hunksIn(document), selection.active.line, document.lineCount)?.hunk.id;
}

function isFinding(value: unknown): value is Finding {
  return typeof value === "object" && value !== null && "rule" in value && "hunk" in value && "message" in value;
}
