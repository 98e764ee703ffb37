// A decision on its way: sent as it was meant, shown first where the host asks for a yes, told with a way back.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import type { HostLink } from "../host_link";
import { withoutLinks } from "../outside_text";
import type { Decide, Decided, Preview, Selection, Verdict } from "../protocol.gen";
import { confirm } from "../questions";
import { Refused } from "../refusal";
import { tellDone, tellError } from "../told";
import { authorWords, decisionSentence } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { acknowledgeHunks } from "./finding_acknowledge";
import { findingsNotice, flagsIn, stoppedHunks } from "./finding_words";
import { controlNames, leftOutWords, type PreviewPages } from "./preview";
import type { UnsavedText } from "./unsaved_text";

export interface DecideContext {
  link: HostLink;
  log: vscode.LogOutputChannel;
  model: ChangesModel;
  pages: PreviewPages;
  unsaved: UnsavedText;
}

export async function decide(context: DecideContext, verdict: Verdict, what: Selection): Promise<void> {
  // The host has to know what is in the editors before it decides where the result goes.
  context.unsaved.flush();
  const order: Decide = { verdict, what };
  try {
    tellDecided(context, await context.link.call("augment/changes/decide", order));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "findings") return askAboutFindings(context, order, error);
    if (error.code === "outside-scope") return askAboutFlags(context, order, error);
    if (error.preview === undefined) {
      context.model.refresh();
      throw error;
    }
    await decideOnYes(context, order, error.preview);
  }
}

export async function preview(context: DecideContext, verdict: Verdict, what: Selection): Promise<void> {
  context.unsaved.flush();
  const shown = await context.link.call("augment/changes/preview", { verdict, what });
  if (shown.files.length === 0) return tellDone("It would change no file");
  await context.pages.show(previewTitle(verdict), shown);
  if (shown.more > 0) tellDone(leftOutWords(shown).trim());
}

export async function undo({ link, ...context }: DecideContext, decision?: string): Promise<void> {
  context.unsaved.flush();
  tellDecided(
    { link, ...context },
    await link.call("augment/changes/undo", decision === undefined ? {} : { decision }),
    "redo",
  );
}

export async function redo({ link, ...context }: DecideContext, decision?: string): Promise<void> {
  context.unsaved.flush();
  tellDecided(
    { link, ...context },
    await link.call("augment/changes/redo", decision === undefined ? {} : { decision }),
  );
}

async function decideOnYes(context: DecideContext, order: Decide, shown: Preview): Promise<void> {
  await context.pages.show(previewTitle(order.verdict), shown);
  const others = [...new Set(shown.files.flatMap(({ entangledWith }) => entangledWith.map(authorWords)))].join(", ");
  const detail =
    others === ""
      ? `Among these are files that steer editors, agents, hooks or CI: ${controlNames(shown)}. The diff shows what would be done.`
      : `What you decide on is interwoven with the work of ${others}. The diff shows what the files would be.`;
  if (!(await confirm("Apply this result?", `${detail}${leftOutWords(shown)}`, "Apply")))
    return tellDone("Nothing was changed");
  const decided = await context.link.call("augment/changes/decide", { ...order, confirm: shown.confirm });
  tellDecided(context, decided);
}

/** What was found stops approval until somebody says why it may stay; then the same is decided again. */
async function askAboutFindings(context: DecideContext, order: Decide, refused: Refused): Promise<void> {
  await context.model.refreshed();
  const hunks = stoppedHunks(context.model.files, order.what);
  if (hunks.length === 0) throw refused;
  const acknowledge = "Acknowledge…";
  const told = async () => {
    const message = withoutLinks(findingsNotice(hunks));
    if ((await vscode.window.showWarningMessage(message, acknowledge)) !== acknowledge) return;
    if (await acknowledgeHunks(context, hunks)) await decide(context, order.verdict, order.what);
  };
  told().catch((error: unknown) => tellError(error, context.log));
}

/** What is outside the scope is answered before it is approved with everything else. */
async function askAboutFlags(context: DecideContext, { what }: Decide, refused: Refused): Promise<void> {
  await context.model.refreshed();
  const [flag] = flagsIn(context.model.files, what);
  if (flag === undefined) throw refused;
  const answer = "Answer…";
  const told = async () => {
    const message = withoutLinks(`${flag.path} was changed outside of what was agreed to. Answer that first.`);
    if ((await vscode.window.showWarningMessage(message, answer)) !== answer) return;
    await vscode.commands.executeCommand("augment-orchestrator.answerFlag", flag.id);
  };
  told().catch((error: unknown) => tellError(error, context.log));
}

/** Told without waiting for an answer: whoever works on need not press anything. What is drawn is older than this. */
function tellDecided(
  context: DecideContext,
  { decision, message, files }: Decided,
  back: "undo" | "redo" = "undo",
): void {
  context.model.refresh();
  const first = files.find(({ outcome }) => outcome === "not-written" || outcome === "not-approved");
  const not = first?.outcome === "not-approved" ? "approved" : "written";
  const why = first === undefined ? "" : ` ${first.path} was not ${not}: ${first.reason ?? "the reason is not known"}`;
  const waits = files.some(({ outcome }) => outcome === "in-editor") ? " Save the file to finish." : "";
  const text = withoutLinks(`${decisionSentence(message)}${waits}${why}`);
  const [button, act] = wayBack(back);
  const show = first === undefined ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const told = async () => {
    if ((await show(text, button)) === button) await act(context, decision);
  };
  told().catch((error: unknown) => tellError(error, context.log));
}

function wayBack(back: "undo" | "redo"): [button: string, act: typeof undo] {
  switch (back) {
    case "undo":
      return ["Undo", undo];
    case "redo":
      return ["Redo", redo];
    default:
      return assertNever(back);
  }
}

function previewTitle(verdict: Verdict): string {
  return verdict === "reject" ? "If Rejected (now ↔ then)" : "If Approved (now ↔ then)";
}
