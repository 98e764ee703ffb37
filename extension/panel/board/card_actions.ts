// What can be done with a card: as buttons, as a menu, by drag and by key. Each is an action of the host, which asks and
// refuses as it does elsewhere.

import { assertNever } from "../../src/assert_never";
import { t } from "../../src/l10n";
import type { Host } from "../host";
import type { Action } from "../messages";
import type { MenuEntry } from "../widgets/menu";
import type { CardButton, CardItem } from "./card";

type TaskAction = Exclude<Extract<Action, `task/${string}`>, "task/add" | "task/move">;

export interface CardMoves {
  step(to: "up" | "down" | "top" | "bottom"): void;
}

export function cardButtons(host: Host, item: CardItem, openMenu: () => void): CardButton[] {
  const [first] = cardEntries(host, item, undefined);
  const menu: CardButton = { icon: "ellipsis", label: t("More Actions…"), act: openMenu };
  return first?.icon === undefined ? [menu] : [{ icon: first.icon, label: first.label, act: first.act }, menu];
}

/** What matters most comes first. */
export function cardEntries(host: Host, item: CardItem, moves: CardMoves | undefined): MenuEntry[] {
  const { card, question } = item;
  const task = (action: TaskAction, label: string, icon: string): MenuEntry => ({
    label,
    icon,
    act: () => void host.act(action, { task: card.id }),
  });
  const show: MenuEntry = { ...task("task/show", t("Show Details"), "open-preview"), key: "Enter" };
  const last = [
    { ...task("task/copy-id", t("Copy Id"), "copy"), startsGroup: true },
    task("task/remove", t("Remove…"), "trash"),
  ];
  const answer: MenuEntry[] =
    question === undefined
      ? []
      : [{ label: t("Answer…"), icon: "comment", act: () => void host.act("question/ask", { question: question.id }) }];
  const edit = task("task/edit", t("Edit…"), "edit");
  const cancel = task("task/cancel", t("Cancel Task"), "circle-slash");
  switch (card.status) {
    case "pending":
      return [
        task("task/start-agent", t("Start Agent…"), "play"),
        show,
        edit,
        task("task/set-priority", t("Set Priority…"), "arrow-circle-up"),
        ...moveEntries(moves),
        { ...task("task/take", t("Take (as Me)"), "person"), startsGroup: true },
        cancel,
        ...last,
      ];
    case "in-progress":
      return [
        ...answer,
        ...runEntries(host, item),
        show,
        edit,
        { ...task("task/complete", t("Complete…"), "pass"), startsGroup: true },
        task("task/fail", t("Fail…"), "error"),
        cancel,
        ...last,
      ];
    case "failed":
    case "partial":
    case "blocked":
    case "cancelled":
      return [...answer, task("task/retry", t("Retry"), "debug-restart"), show, ...last];
    case "completed":
      return [...answer, show, ...last];
    default:
      return assertNever(card.status);
  }
}

function runEntries(host: Host, { run }: CardItem): MenuEntry[] {
  if (run === undefined) return [];
  const act = (action: "run/stop" | "run/output", label: string, icon: string): MenuEntry => ({
    label,
    icon,
    act: () => void host.act(action, { run: run.run }),
  });
  return [act("run/stop", t("Stop Run"), "debug-stop"), act("run/output", t("Show Run Output"), "terminal")];
}

function moveEntries(moves: CardMoves | undefined): MenuEntry[] {
  if (moves === undefined) return [];
  const entry = (label: string, icon: string, key: string, to: Parameters<CardMoves["step"]>[0]): MenuEntry => ({
    label,
    icon,
    key,
    act: () => moves.step(to),
  });
  return [
    { ...entry(t("Move Up"), "arrow-up", "Alt+ArrowUp", "up"), startsGroup: true },
    entry(t("Move Down"), "arrow-down", "Alt+ArrowDown", "down"),
    entry(t("Move to Top"), "fold-up", "Alt+Home", "top"),
    entry(t("Move to Bottom"), "fold-down", "Alt+End", "bottom"),
  ];
}
