// A decision on its way: sent as it was meant, explained or shown first where that is needed, told quietly with a way back.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { agoText } from "../moments";
import { ours } from "../ours";
import { oneLine, shortened, withoutLinks } from "../outside_text";
import { ownName } from "../person_name";
import type { Decide, Decided, Preview, Selection, Verdict } from "../protocol.gen";
import { confirm, confirmShown } from "../questions";
import { Refused } from "../refusal";
import { runOurs } from "../run_ours";
import { LOOKS } from "../state_look";
import { tellDone, tellError } from "../told";
import { entangledWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { newestToUndo } from "./decisions_made";
import { acknowledgeHunks } from "./finding_acknowledge";
import { findingsNotice, flagsIn, stoppedHunks } from "./finding_words";
import type { FlaggedComments } from "./flagged_comments";
import type { HeldPick } from "./held_pick";
import { heldOf } from "./held_words";
import type { Stop } from "./hunk_order";
import type { LastDecision } from "./last_decision";
import { cameToNothing, failedSentence, outcomeWords, waitsForSave } from "./outcome_words";
import { controlNames, leftOutWords, type PreviewPages } from "./preview";
import type { AboutToDecide, ReviewFlow } from "./review_flow";
import type { UnsavedText } from "./unsaved_text";
import { freshPreview, onYesIfAsked, onYesTo, type Time } from "./yes_to";

/** So many records are looked through for the newest decision that can be undone. */
const lookBack = 100;
const pathsLimit = 200;

export interface DecideContext {
  link: HostLink;
  log: vscode.LogOutputChannel;
  model: ChangesModel;
  pages: PreviewPages;
  unsaved: UnsavedText;
  comments: FlaggedComments;
  flow: ReviewFlow;
  last: LastDecision;
  held: HeldPick;
}

/**
 * Where it was decided: in an editor, where the flow leads on, in a list, where the person stays, or in a question about what
 * is listed, which whoever has put it puts again where that has changed.
 */
export type DecidedIn = "editor" | "list" | "question";

interface Order extends Decide {
  where: DecidedIn;
}

export async function decide(
  context: DecideContext,
  verdict: Verdict,
  what: Selection,
  where: DecidedIn = "list",
): Promise<void> {
  const { flow } = context;
  context.held.close();
  const about = flow.about(what);
  const held = heldOf(about.stops, verdict, what, where);
  if (held !== undefined) return explainHeld(context, held, about.stops, { verdict, what, where });
  await flow.deciding(() => send(context, { verdict, what, where }, about));
}

async function send(context: DecideContext, order: Order, about: AboutToDecide): Promise<void> {
  const { verdict, what, where } = order;
  // The host has to know what is in the editors before it decides where the result goes.
  context.unsaved.flush();
  try {
    await carryOut(context, order, about, { verdict, what });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "findings") return askAboutFindings(context, order, error);
    if (error.code === "outside-scope") return askAboutFlags(context, order, error);
    if (error.preview !== undefined) return decideOnYes(context, order, about, error.preview);
    // Somebody else was quicker, or the file has changed: what is drawn is drawn anew.
    await context.model.refreshed();
    const [only] = about.stops;
    if (where === "editor" && only !== undefined) context.comments.expand(only.hunk.id);
    if (error.code === "unknown-hunk" && where !== "question")
      return tellDone(
        isBulk(what)
          ? t("What waits there has changed since it was shown; nothing was done. Look at it and press again")
          : t("This hunk was decided or changed elsewhere; nothing was done"),
      );
    // The comment at the hunk says it, and what to do.
    if (error.code === "same-approver" && where === "editor")
      return tellDone(t("You have approved this hunk; somebody else has to approve it, too"));
    throw error;
  }
}

export async function preview(context: DecideContext, verdict: Verdict, what: Selection): Promise<void> {
  context.unsaved.flush();
  const shown = await context.link.call("augment/changes/preview", { verdict, what });
  if (shown.files.length === 0) return tellDone(t("It would change no file"));
  await context.pages.show(previewTitle(verdict), shown);
  if (shown.more > 0) tellDone(leftOutWords(shown).trim());
}

/** @param decision without one, this window's own last decision, or after a question the newest of anybody */
export async function undo(context: DecideContext, decision?: string, where: DecidedIn = "editor"): Promise<void> {
  const { flow, last } = context;
  // Keys may come in one go, and a decision finds out first what it is about: one that was pressed before this is sent then.
  await Promise.resolve();
  const own = decision === undefined ? last.own.take() : undefined;
  // Whoever decides before they are led back would mean what they see no more.
  await flow.deciding(() =>
    last.own.inTurn(async () => {
      // Nothing came of what is to be taken back, and that was said; what was decided before it is not meant.
      if (own === undefined || own.id !== undefined) await undoNow(context, decision, own?.id, where);
    }),
  );
}

async function undoNow(
  context: DecideContext,
  decision: string | undefined,
  own: string | undefined,
  where: DecidedIn,
): Promise<void> {
  const { link, unsaved, flow, last } = context;
  unsaved.flush();
  const about = flow.about({ hunks: [] });
  const wanted = decision ?? own ?? (await askAboutNewest(link));
  if (wanted === undefined) return;
  let undone: Decided;
  try {
    undone = await link.call("augment/changes/undo", { decision: wanted });
  } catch (error) {
    if (own !== undefined && error instanceof Refused && error.code === "nothing-to-undo")
      return tellDone(t("Nothing is left of that decision to undo; press again for the one before it"));
    const isGone = error instanceof Refused && ["already-undone", "unknown-decision"].includes(error.code);
    if (own !== undefined && !isGone) last.own.made(own);
    throw error;
  }
  // Where a file could not be written, the decision stands there and can be undone again.
  if (failedSentence(undone.files) === undefined) last.own.undone(wanted);
  else if (own !== undefined) last.own.made(own);
  about.texts.wrote(undone.files);
  tellOutcome(context, undone, "redo");
  if (where === "editor") await flow.cameBack(about);
  else await context.model.refreshed();
}

/** The newest decision may be anybody's, and old. @returns nothing when there is none, or the person left */
async function askAboutNewest(link: HostLink): Promise<string | undefined> {
  const { records } = await link.call("augment/audit/list", { kind: "review", limit: lookBack });
  const newest = newestToUndo(records);
  if (newest === undefined) {
    tellDone(t("There is no decision to undo"));
    return undefined;
  }
  const { id, text, paths, time } = newest;
  const named = shortened(paths.map(oneLine).join(", "), pathsLimit);
  const detail = t("{0}, {1}: {2}. It was not made in this window.", text, agoText(time, Date.now()), named);
  return (await confirm(t("Undo the newest decision?"), detail, t("Undo"))) ? id : undefined;
}

/** What others have written between its lines since is shown first. */
export async function redo(context: DecideContext, decision?: string): Promise<void> {
  const { own } = context.last;
  await own.inTurn(async () => context.unsaved.flush());
  const which = decision === undefined ? {} : { decision };
  const { texts } = context.flow.about({ hunks: [] });
  const redone = await onYesIfAsked({
    ask: (shown, time) => askAboutResult(context, "reject", shown, time),
    send: (yes) =>
      own.send((made) =>
        context.flow.redoing(async () => {
          const again = await context.link.call(
            "augment/changes/redo",
            yes === undefined ? which : { ...which, confirm: yes },
          );
          if (!cameToNothing(again.files)) made(again.decision);
          texts.wrote(again.files);
          return again;
        }),
      ),
    refused: () => context.model.refreshed(),
  });
  if (redone === undefined) return tellDone(t("Nothing was changed"));
  tellOutcome(context, redone, "undo");
}

/** Asks once for all that is meant, which is of one file. @param held the first that has to be looked at */
async function explainHeld(
  context: DecideContext,
  held: Stop,
  stops: readonly Stop[],
  { what, where }: Order,
): Promise<void> {
  const { comments, flow } = context;
  const sent = (verdict: Verdict) => flow.deciding(() => send(context, { verdict, what, where }, flow.about(what)));
  const found = stoppedHunks(context.model.files, what);
  const flag = stops.find(({ hunk }) => hunk.flag !== null)?.hunk.flag;
  // What was found is told there, line by line. That it is outside the scope is said by the list itself.
  if (where === "editor" && found[0] !== undefined) comments.expand(found[0].id);
  await context.held.ask(stops, {
    acknowledge: async () => {
      if (await acknowledgeHunks(context, found)) await sent("approve");
    },
    approve: () => sent("approve"),
    answer: async () => void (await runOurs("answerFlag", flag?.id)),
    reject: () => sent("reject"),
    skip: where === "editor" && stops.length === 1 ? () => flow.skip(held) : undefined,
  });
}

async function decideOnYes(context: DecideContext, order: Order, about: AboutToDecide, first: Preview): Promise<void> {
  const { verdict, what } = order;
  const [only] = about.stops;
  const decided = await onYesTo(first, {
    ask: (shown, time) => askAboutResult(context, verdict, shown, time),
    send: ({ confirm }) => carryOut(context, order, about, { verdict, what, confirm }),
    refused: () => context.model.refreshed(),
    fresh: freshPreview,
  });
  if (decided !== undefined) return;
  tellDone(t("Nothing was changed"));
  // Back to where it stands: the preview has taken its place.
  if (order.where === "editor" && only !== undefined) await context.flow.show(only, about.place);
}

export async function askAboutResult(
  context: Pick<DecideContext, "pages">,
  verdict: Verdict,
  shown: Preview,
  time: Time,
): Promise<boolean> {
  await context.pages.show(previewTitle(verdict), shown);
  const others = entangledWords(
    shown.files.flatMap(({ entangledWith }) => entangledWith),
    ownName(),
  );
  const reason =
    others === ""
      ? t("Among these are files that steer editors, agents, hooks or CI: {0}.", controlNames(shown))
      : t("It is entangled with {0}. The diff shows the result.", others);
  const question = time === "again" ? t("It has changed meanwhile. Apply this result?") : t("Apply this result?");
  return confirmShown(question, reason, { label: t("Apply"), description: leftOutWords(shown).trim() });
}

/** What was found stops approval until somebody says why it may stay; then the same is decided again. */
async function askAboutFindings(context: DecideContext, order: Order, refused: Refused): Promise<void> {
  await context.model.refreshed();
  const hunks = stoppedHunks(context.model.files, order.what);
  if (hunks.length === 0) throw refused;
  const acknowledge = t("Acknowledge…");
  const listed = () => context.model.files.flatMap((file) => file.hunks.map(({ id }) => id)).join();
  const before = listed();
  const told = async () => {
    const message = withoutLinks(findingsNotice(hunks));
    if ((await vscode.window.showWarningMessage(message, acknowledge)) !== acknowledge) return;
    if (!(await acknowledgeHunks(context, hunks))) return;
    await context.model.refreshed();
    // A notification may be pressed long after. What was meant by its hunks stays that.
    if (order.what.hunks === undefined && listed() !== before)
      return tellDone(t("Something else waits by now, so nothing was approved. Approve it again"));
    await decide(context, order.verdict, order.what, order.where);
  };
  told().catch((error: unknown) => tellError(error, context.log));
}

/** What is outside the scope is answered before it is approved with everything else. */
async function askAboutFlags(context: DecideContext, { what }: Order, refused: Refused): Promise<void> {
  await context.model.refreshed();
  const [flag] = flagsIn(context.model.files, what);
  if (flag === undefined) throw refused;
  tellDone(t("{0} was changed outside of what was agreed to. Answer that first", flag.path));
  // A notification has told of it when it came; whoever meets it again is at it already. While the list is open nothing is
  // being decided, and other keys are heard.
  Promise.resolve(runOurs("answerFlag", flag.id)).catch((error: unknown) => tellError(error, context.log));
}

/** Sends a decision, and does what follows from it. Whoever undoes meanwhile waits for that and means this one. */
function carryOut(context: DecideContext, order: Order, about: AboutToDecide, sent: Decide): Promise<Decided> {
  return context.last.own.send(async (made) => {
    const decided = await context.link.call("augment/changes/decide", sent);
    if (!cameToNothing(decided.files)) made(decided.decision);
    await settle(context, order, about, decided);
    return decided;
  });
}

/** A decision was made: the flow counts it and leads on, and it is told of once. */
async function settle(
  context: DecideContext,
  { verdict, what, where }: Order,
  about: AboutToDecide,
  decided: Decided,
): Promise<void> {
  if (cameToNothing(decided.files)) {
    await context.model.refreshed();
    return tellOutcome(context, decided, "undo");
  }
  about.texts.wrote(decided.files);
  const isWhole = failedSentence(decided.files) === undefined;
  const mayAdvance = where === "editor" && isWhole && !waitsForSave(decided.files);
  const isEnd = await context.flow.decided(about, verdict, decided, { mayAdvance, isBulk: isBulk(what) });
  // The end of a review is told of with a way back for all of it.
  if (isEnd && isWhole) context.last.hide();
  else if (isBulk(what) && isWhole) tellBulk(context, decided);
  else tellOutcome(context, decided, "undo", (verdict === "approve" ? LOOKS.approved : LOOKS.rejected).icon);
}

/** @param words that it was done, and that nothing was taken out */
export function tellTakenOut(context: DecideContext, decided: Decided, words: { done: string; nothing: string }): void {
  const { files } = decided;
  const isDone = failedSentence(files) === undefined && !waitsForSave(files);
  tellOutcome(context, decided, "undo", "inbox", isDone ? words.done : undefined, words.nothing);
}

/** Whether everything of somebody or of a file was meant, and not hunks one by one. */
function isBulk({ hunks, all, file }: Selection): boolean {
  return hunks === undefined || all === true || file !== undefined;
}

/** Many hunks at once are told of where nobody overlooks it, with the way back. */
function tellBulk(context: DecideContext, decided: Decided): void {
  const button = t("Undo");
  const told = async () => {
    const text = withoutLinks(outcomeWords(decided));
    if ((await vscode.window.showInformationMessage(text, button)) === button) await undo(context, decided.decision);
  };
  told().catch((error: unknown) => tellError(error, context.log));
}

/**
 * In the status bar with the way back; what went wrong is a notification.
 * @param nothing what is said first where no file was written
 */
function tellOutcome(
  context: DecideContext,
  decided: Decided,
  back: "undo" | "redo",
  icon = "history",
  words = outcomeWords(decided),
  nothing = t("Nothing was changed"),
): void {
  context.model.refresh();
  const { decision } = decided;
  const failed = failedSentence(decided.files);
  const [button, command] = wayBack(back);
  if (failed === undefined) {
    context.last.show({
      icon,
      words: words.replace(/\.$/, ""),
      back: button,
      command: { title: button, command, arguments: [decision] },
    });
    return;
  }
  if (cameToNothing(decided.files)) {
    void vscode.window.showWarningMessage(withoutLinks(`${nothing}. ${failed}`));
    return;
  }
  const text = withoutLinks(`${words} ${failed}`);
  const told = async () => {
    if ((await vscode.window.showWarningMessage(text, button)) === button)
      await vscode.commands.executeCommand(command, decision);
  };
  told().catch((error: unknown) => tellError(error, context.log));
}

function wayBack(back: "undo" | "redo"): [button: string, command: string] {
  switch (back) {
    case "undo":
      return [t("Undo"), ours("undoDecision")];
    case "redo":
      return [t("Redo"), ours("redoDecision")];
    default:
      return assertNever(back);
  }
}

function previewTitle(verdict: Verdict): string {
  return verdict === "reject" ? t("If Rejected (now ↔ then)") : t("If Approved (now ↔ then)");
}
