// Saying whose work it is: which task somebody starts to work on from here, and which one unknown changes belong to.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { PERSON_LEASE_MS } from "../person_lease";
import type { Selection, Status, Task } from "../protocol.gen";
import { askText } from "../questions";
import { Refused } from "../refusal";
import { orWayOn, type WayOn } from "../sessions/way_on";
import { pickTaskOr, type TaskPick } from "../task_pick";
import { tellDone } from "../told";
import { fileCount, hunkCount } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { selectedStops } from "./finding_words";
import type { LastDecision } from "./last_decision";

interface AssignContext {
  link: HostLink;
  model: ChangesModel;
  last: LastDecision;
}

/** What is offered where the session is in the way of a task. */
export type OfferWayOn = (refused: Refused, task: string) => Promise<WayOn>;

/** Picks a task that waits, or makes one, and takes it, so that changes from now on are known to be for it. */
export async function startWorking(link: HostLink, offer: OfferWayOn): Promise<void> {
  const fresh: TaskPick<"new"> = {
    label: t("New task…"),
    iconPath: new vscode.ThemeIcon("add"),
    special: "new",
    alwaysShow: true,
  };
  const picked = await pickTaskOr(
    link,
    { title: t("Start Working on…"), placeHolder: t("What are the next changes for?"), statuses: ["pending"] },
    [fresh],
  );
  if (picked?.task !== undefined) {
    await take(link, picked.task.id, offer);
    return;
  }
  if (picked?.special !== "new") return;
  let added: Task | undefined;
  await askText({
    title: t("Start Working on a New Task"),
    prompt: t("What is to be done, in a few words"),
    accept: async (title) => {
      added = await link.call("augment/queue/add", { title });
    },
  });
  if (added === undefined || (await take(link, added.id, offer)) !== "left") return;
  // It was made to be worked on now, and nothing was done with it since.
  await link.call("augment/queue/remove", { task: added.id, revision: added.revision });
  tellDone(t("{0} was not begun, and is not kept", added.title));
}

/** Asks whose changes are, and says so to the host; what is assigned to oneself is approved with it. */
export async function assignChanges({ link, model, last }: AssignContext, what: Selection): Promise<void> {
  const me: TaskPick<"me"> = {
    label: t("Me"),
    description: t("I made these changes"),
    iconPath: new vscode.ThemeIcon("person"),
    special: "me",
  };
  const statuses: Status[] = ["in-progress", "completed", "partial", "blocked", "failed"];
  const meant = selectedStops(model.files, what);
  const inFiles = fileCount(new Set(meant.map(({ path }) => path)).size);
  const placeHolder = t("Whose are these: {0} in {1}?", hunkCount(meant.length), inFiles);
  const picked = await pickTaskOr(link, { title: t("Assign Changes"), placeHolder, statuses }, [me]);
  if (picked === undefined) return;
  const to = picked.task === undefined ? { toMe: true } : { toTask: picked.task.id };
  try {
    const { hunks, files, decision } = await link.call("augment/changes/assign", { what, ...to });
    if (decision !== null) last.own.made(decision);
    tellDone(t("Assigned {0} in {1} to {2}", hunkCount(hunks), fileCount(files), picked.task?.id ?? t("you")));
  } catch (error) {
    if (!(error instanceof Refused) || !isShownOtherwise(error)) throw error;
    tellDone(t("What waits there has changed since it was shown; nothing was assigned. Look at it and press again"));
  } finally {
    model.refresh();
  }
}

/** A hunk is another one by now, was decided, or is known to be somebody else's. */
function isShownOtherwise({ code }: Refused): boolean {
  return code === "unknown-hunk" || code === "hunk-elsewhere";
}

/** @returns how the person left it, where it is not taken */
async function take(link: HostLink, task: string, offer: OfferWayOn): Promise<"kept" | "left" | undefined> {
  const claim = () => link.call("augment/queue/claim", { task, leaseMs: PERSON_LEASE_MS });
  const came = await orWayOn(claim, (refused) => offer(refused, task));
  if (came === "kept" || came === "left") return came;
  tellDone(t("You are working on {0}; changes from outside the editor are taken to be for it", task));
  return undefined;
}
