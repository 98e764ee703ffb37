// Acknowledging findings: a person has looked, and says why they may stay. Without a reason nothing is acknowledged, which
// the host sees to.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { withoutIcons } from "../outside_text";
import type { Finding, Hunk } from "../protocol.gen";
import { askText } from "../questions";
import { tellDone } from "../told";
import { isOnLostRow } from "./change_groups";
import { hunkLabel } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { lostRow } from "./decision_choice";
import { findingCount, ruleWords, stopping } from "./finding_words";
import type { Findings } from "./findings";
import type { FlaggedComments } from "./flagged_comments";
import type { HunkHere } from "./hunk_here";

interface AcknowledgeContext {
  link: HostLink;
  model: ChangesModel;
}

interface ChooseContext extends AcknowledgeContext {
  here: HunkHere;
  comments: FlaggedComments;
}

/** @returns whether they are acknowledged; false when the person left */
export async function acknowledgeHunks(context: AcknowledgeContext, hunks: readonly Hunk[]): Promise<boolean> {
  const found = hunks.flatMap(({ findings }) => stopping(findings));
  const names = [...new Set(found.map(ruleWords))].join(", ");
  return askReason(context, `${findingCount(found.length)}: ${names}`, async (reason) => {
    for (const { id } of hunks) await context.link.call("augment/scan/acknowledge", { hunk: id, rule: null, reason });
  });
}

/** @param args a finding, a hunk's row, comment or id, or nothing: the hunk at the cursor, or one that is picked */
export async function acknowledgeChosen(context: ChooseContext, ...args: unknown[]): Promise<void> {
  if (isOnLostRow(args)) return lostRow();
  const [about] = args;
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
  const files = result.files === 1 ? t("1 file looked at") : t("{0} files looked at", result.files.toLocaleString());
  const notRead = result.notRead.length === 0 ? "" : t(", {0} could not be read", result.notRead.length);
  tellDone(
    `${found === 0 ? t("Nothing found") : findingCount(found)}${result.more ? t(" and more") : ""}, ${files}${notRead}`,
  );
  if (result.findings.length > 0) await vscode.commands.executeCommand("workbench.actions.view.problems");
}

async function askReason(
  { model }: AcknowledgeContext,
  what: string,
  accept: (reason: string) => Promise<void>,
): Promise<boolean> {
  return askText({
    title: t("Acknowledge {0}", what),
    prompt: t("Why it may stay. The reason is kept in the ledger."),
    accept: async (text) => {
      const reason = text.trim();
      if (reason === "") throw new Error(t("A reason is needed. Escape leaves everything as it is."));
      await accept(reason);
      model.refresh();
    },
  });
}

async function chosenHunk({ model, here, comments }: ChooseContext, about: unknown): Promise<Hunk | undefined> {
  const stopped = model.files.flatMap(({ path, hunks }) =>
    hunks.filter(({ findings }) => stopping(findings).length > 0).map((hunk) => ({ path, hunk })),
  );
  const pointedAt = hunkIdIn(about) ?? comments.hunkOf(about);
  const wanted = pointedAt ?? here.stop?.hunk.id;
  const known = stopped.find(({ hunk }) => hunk.id === wanted);
  if (known !== undefined) return known.hunk;
  const [only] = stopped;
  // Never another hunk instead of the one that was pointed at.
  if (only === undefined || pointedAt !== undefined) {
    tellDone(only === undefined ? t("No finding waits to be looked at") : t("No finding waits there any more"));
    return undefined;
  }
  if (stopped.length === 1) return only.hunk;
  const items = stopped.map(({ path, hunk }) => ({
    hunk,
    label: withoutIcons(stopping(hunk.findings).map(ruleWords).join(", ")),
    description: withoutIcons(path),
    detail: withoutIcons(hunk.kind === "lines" ? t("line {0}", hunk.line + 1) : hunkLabel(hunk)),
  }));
  const placeHolder = t("Which finding?");
  return (await vscode.window.showQuickPick(items, { title: t("Acknowledge Finding"), placeHolder }))?.hunk;
}

function hunkIdIn(about: unknown): string | undefined {
  if (typeof about === "string") return about;
  const row = typeof about === "object" && about !== null && "hunk" in about ? about.hunk : undefined;
  const id = typeof row === "object" && row !== null && "id" in row ? row.id : undefined;
  return typeof id === "string" ? id : undefined;
}

function isFinding(value: unknown): value is Finding {
  return typeof value === "object" && value !== null && "rule" in value && "hunk" in value && "message" in value;
}
