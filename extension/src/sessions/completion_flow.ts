// Completing a session that has ended: running steps that failed again, and adding how it was found, what was learnt, what
// it made and its tags. What was typed stays until the host has taken it, also when the list is left in between.

import * as vscode from "vscode";
import { openSummary } from "../archive/summary_open";
import { t } from "../l10n";
import { withoutIcons } from "../outside_text";
import type { ClosedSession, Closing } from "../protocol.gen";
import { askText, confirm, untilAnswered } from "../questions";
import { isOnLostRow } from "../review/change_groups";
import type { ReviewContext } from "../review/review_commands";
import { listIn } from "../task_fields";
import { tellDone } from "../told";
import type { Added, Unsent } from "./completion_unsent";
import { completionFacts, failedSteps } from "./completion_words";
import type { ScopeContext } from "./scope_flow";
import { commitSession } from "./session_end";
import { decisionsIn, sessionName } from "./session_words";
import { isSessionsRow } from "./sessions_rows";

export interface CompletionContext extends ScopeContext {
  review: ReviewContext | undefined;
  unsent: Unsent;
}

/** How many sessions that have ended can be picked. */
const listLimit = 20;

/** A row that is drawn anew while its button is pressed is handed over as nothing, and nothing is done then. */
const lostRow = () => t("The list had just changed. Nothing was done; press again");

/** Runs the steps that failed once more. */
export async function runAgain(context: CompletionContext, session: string): Promise<ClosedSession> {
  const closed = await context.link.call("augment/session/resume", { session });
  context.model.refresh();
  return closed;
}

export async function resumeSession(context: CompletionContext, ...args: unknown[]): Promise<void> {
  const chosen = await chosenEnded(context, args, {
    title: t("Run Failed Steps Again"),
    fits: (closing) => failedSteps(closing).length > 0,
    none: t("No step of a session has failed"),
  });
  if (chosen !== undefined) context.notices.putOutcome(await runAgain(context, chosen.session.id));
}

export async function openSessionSummary(context: CompletionContext, ...args: unknown[]): Promise<void> {
  const chosen = await chosenEnded(context, args, {
    title: t("Open Session Summary"),
    fits: ({ archive }) => archive !== null,
    none: t("No session has been archived"),
  });
  if (chosen?.closing.archive != null) await openSummary(context.review, chosen.closing.archive);
}

export async function completeSession(context: CompletionContext, ...args: unknown[]): Promise<void> {
  const chosen = await chosenEnded(context, args, {
    title: t("Complete Session"),
    fits: () => true,
    none: t("No session has ended that could be completed"),
  });
  if (chosen !== undefined) await askCompletion(context, chosen);
}

/** For when the question that came with the end has gone. */
export async function commitRecord(context: CompletionContext, ...args: unknown[]): Promise<void> {
  const chosen = await chosenEnded(context, args, {
    title: t("Commit Session Record"),
    fits: () => true,
    none: t("No session has ended that could be completed"),
  });
  if (chosen === undefined) return;
  const { session } = chosen;
  const question = t("Commit the record of {0}?", sessionName(session));
  const detail = t("Its changelog entry and its plan are committed, and nothing else.");
  if (await confirm(question, detail, t("Commit"))) await commitSession(context, session.id, { asEnded: true });
}

interface Wanted {
  title: string;
  fits(closing: Closing): boolean;
  none: string;
}

/** The session of a row; without one, the only one that fits, or one that is picked. */
async function chosenEnded(
  { link }: CompletionContext,
  args: readonly unknown[],
  { title, fits, none }: Wanted,
): Promise<ClosedSession | undefined> {
  const [row] = args;
  if (isSessionsRow(row)) {
    if (row.kind === "session-ended") return row.ended;
    return row.kind === "session-step" ? shown(link, row.session) : undefined;
  }
  if (isOnLostRow(args)) {
    tellDone(lostRow());
    return undefined;
  }
  const { sessions } = await link.call("augment/session/list", { limit: listLimit });
  const ended = await Promise.all(sessions.filter(({ state }) => state === "ended").map(({ id }) => shown(link, id)));
  const items = ended
    .flatMap((one) => (one === undefined || !fits(one.closing) ? [] : [one]))
    .map((closed) => ({
      closed,
      label: sessionName(closed.session),
      description: withoutIcons(completionFacts(closed.closing)),
    }));
  const [only] = items;
  if (only === undefined) {
    tellDone(none);
    return undefined;
  }
  if (items.length === 1) return only.closed;
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t("Which session?") }))?.closed;
}

async function shown(link: CompletionContext["link"], session: string): Promise<ClosedSession | undefined> {
  const { closing, ...details } = await link.call("augment/session/show", { session });
  return closing === null ? undefined : { session: details.session, closing };
}

type Field = "rating" | "feedback" | "learnings" | "artifacts" | "deliver" | "tags";
type FieldRow = vscode.QuickPickItem & { field?: Field; done?: true };

async function askCompletion(context: CompletionContext, closed: ClosedSession): Promise<void> {
  const { unsent } = context;
  const { id } = closed.session;
  let last: Field | undefined;
  for (;;) {
    const picked = await pickField(context, closed, unsent.of(id), last);
    if (picked === undefined) break;
    last = picked;
    unsent.keep(id, await askField(closed, unsent.of(id), picked));
  }
  if (unsent.has(id)) tellDone(t("Nothing was sent. What you typed is there when you complete the session"));
}

/** @returns the field that is to be said; nothing when it was sent, or the person left */
async function pickField(
  context: CompletionContext,
  closed: ClosedSession,
  added: Added,
  last: Field | undefined,
): Promise<Field | undefined> {
  const pick = vscode.window.createQuickPick<FieldRow>();
  pick.title = t("Complete {0}", sessionName(closed.session));
  pick.placeholder = t("Pick what you want to say; nothing is sent before the last row");
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.items = fieldRows(closed.closing, added);
  pick.activeItems = pick.items.filter(({ field }) => field !== undefined && field === last);
  let field: Field | undefined;
  let sent: ClosedSession | undefined;
  const take = async () => {
    const [row] = pick.selectedItems;
    if (row?.done !== true) {
      field = row?.field;
      return row !== undefined;
    }
    sent = await context.link.call("augment/session/complete", { session: closed.session.id, ...added });
    context.unsent.sent(closed.session.id);
    context.model.refresh();
    return true;
  };
  await untilAnswered(pick, take, context.log);
  if (sent !== undefined) context.notices.putOutcome(sent);
  return field;
}

function fieldRows({ rating, feedback, learnings, artifacts, tags }: Closing, added: Added): FieldRow[] {
  const { Separator } = vscode.QuickPickItemKind;
  const row = (
    field: Field,
    icon: string,
    name: string,
    now: readonly string[],
    before: readonly string[],
  ): FieldRow => ({
    field,
    label: now.length === 0 ? `${name}…` : `${name}: ${withoutIcons(now.join("; "))}`,
    iconPath: new vscode.ThemeIcon(icon),
    ...(before.length === 0 ? {} : { description: withoutIcons(t("so far: {0}", before.join("; "))) }),
  });
  const one = (value: string | null | undefined) => (value === null || value === undefined ? [] : [value]);
  const stars = (value: number | null | undefined) => (value === null || value === undefined ? [] : [starText(value)]);
  return [
    row("rating", "star-empty", t("Rating"), stars(added.rating), stars(rating)),
    row("feedback", "comment", t("Feedback"), one(added.feedback), one(feedback)),
    row("learnings", "mortar-board", t("Learnings"), added.learnings, learnings),
    row(
      "artifacts",
      "package",
      t("Artifacts"),
      added.artifacts,
      artifacts.map(({ path }) => path),
    ),
    row("deliver", "folder", t("Deliver to"), one(added.deliver), []),
    row("tags", "tag", t("Tags"), added.tags, tags),
    { label: "", kind: Separator },
    {
      done: true,
      label: t("Complete Session"),
      description: t("what is said above is kept, and the steps that it is about are taken again"),
      iconPath: new vscode.ThemeIcon("check"),
      alwaysShow: true,
    },
  ];
}

async function askField({ session, closing }: ClosedSession, added: Added, field: Field): Promise<Added> {
  if (field === "rating") return askRating(added, sessionName(session));
  let now = added;
  const title = t("Complete {0}", sessionName(session));
  const ask = (prompt: string, value: string, take: (text: string) => Added) =>
    askText({
      title,
      prompt,
      value,
      accept: async (text) => {
        now = take(text.trim());
      },
    });
  switch (field) {
    case "feedback":
      await ask(
        closing.rating === null && added.rating === undefined
          ? t("How it was, in words. It needs a rating, too.")
          : t("How it was, in words."),
        added.feedback ?? "",
        (text) => withText(added, "feedback", text),
      );
      break;
    case "learnings":
      await ask(
        t("What was learnt that later sessions should know, separated by semicolons."),
        added.learnings.join("; "),
        (text) => ({
          ...added,
          learnings: decisionsIn(text),
        }),
      );
      break;
    case "artifacts":
      await ask(
        t("Files that it has made, by their paths, with commas between them. Those that its tasks changed are known."),
        added.artifacts.join(", "),
        (text) => ({ ...added, artifacts: listIn(text) }),
      );
      break;
    case "deliver":
      await ask(t("A folder of the workspace that its artifacts are copied to."), added.deliver ?? "", (text) =>
        withText(added, "deliver", text),
      );
      break;
    case "tags":
      await ask(t("Tags that it is found by later, with commas between them."), added.tags.join(", "), (text) => ({
        ...added,
        tags: listIn(text),
      }));
      break;
  }
  return now;
}

/** An empty text takes back what was said. */
function withText(added: Added, field: "feedback" | "deliver", text: string): Added {
  const now = { ...added };
  delete now[field];
  return text === "" ? now : { ...now, [field]: text };
}

async function askRating(added: Added, name: string): Promise<Added> {
  const items = [5, 4, 3, 2, 1].map((rating) => ({
    rating,
    label: starText(rating),
    description: t("{0} of 5", rating),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Complete {0}", name),
    placeHolder: t("How was this session?"),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked === undefined ? added : { ...added, rating: picked.rating };
}

function starText(rating: number): string {
  return "★".repeat(rating) + "☆".repeat(5 - rating);
}
