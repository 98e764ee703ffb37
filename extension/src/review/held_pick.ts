// A key that would approve a hunk which has to be looked at first leads here: why, and what can be done about it. The keys
// that reject and skip go on working meanwhile. Leaving it changes nothing.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { oneLine, withoutIcons } from "../outside_text";
import { setOurs } from "../run_ours";
import { LOOKS } from "../state_look";
import { type Hold, holdTitle } from "./held_words";
import type { Stop } from "./hunk_order";
import { lastName } from "./path_text";

/** What can be done about it. */
export interface HeldActions {
  acknowledge(): Promise<void>;
  approve(): Promise<void>;
  answer(): Promise<void>;
  reject(): Promise<void>;
  skip(): Promise<void>;
}

type Row = vscode.QuickPickItem & { act(): Promise<void> };

/** The keys that reject and skip a hunk are heard while it is asked about. */
const askedKey = "hunkAsked";

export class HeldPick {
  private asked: { stop: Stop; close(): void } | undefined;

  constructor() {
    void setOurs(askedKey, false);
  }

  /** The hunk that is being asked about. */
  get stop(): Stop | undefined {
    return this.asked?.stop;
  }

  /** It is decided in another way. */
  close(): void {
    this.asked?.close();
  }

  async ask(stop: Stop, hold: Hold, actions: HeldActions): Promise<void> {
    const picked = await this.pick(stop, rowsFor(stop, hold, actions), hold);
    await picked?.act();
  }

  private async pick(stop: Stop, rows: Row[], hold: Hold): Promise<Row | undefined> {
    this.close();
    const pick = vscode.window.createQuickPick<Row>();
    pick.title = withoutIcons(holdTitle(hold, stop.hunk, lastName(stop.path)));
    pick.placeholder = t("Keep this hunk anyway, or take it out?");
    pick.items = rows;
    let isClosed = false;
    const close = () => {
      isClosed = true;
      pick.hide();
    };
    const asked = { stop, close };
    this.asked = asked;
    await setOurs(askedKey, true);
    const picked = await new Promise<Row | undefined>((resolve) => {
      // It was decided before it could be asked.
      if (isClosed) return resolve(undefined);
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]);
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
    pick.dispose();
    if (this.asked === asked) {
      this.asked = undefined;
      await setOurs(askedKey, false);
    }
    return picked;
  }
}

function rowsFor({ hunk }: Stop, hold: Hold, actions: HeldActions): Row[] {
  const row = (icon: string, label: string, description: string, act: () => Promise<void>): Row => ({
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
    act,
  });
  const reason = hunk.flag?.why ? { detail: withoutIcons(t("The agent says: {0}", oneLine(hunk.flag.why))) } : {};
  const [keep, ...others] = waysOn(hold, row, actions);
  return [
    { ...keep, ...reason },
    row(LOOKS.rejected.icon, t("Reject This Hunk"), t("take it out and bring back what it replaced"), actions.reject),
    row(LOOKS.skipped.icon, t("Skip"), t("it comes again at the end"), actions.skip),
    ...others,
  ];
}

function waysOn(
  hold: Hold,
  row: (icon: string, label: string, description: string, act: () => Promise<void>) => Row,
  { acknowledge, approve, answer }: HeldActions,
): [Row, ...Row[]] {
  switch (hold) {
    case "finding":
      return [row("pass", t("Acknowledge and Approve…"), t("say why it may stay"), acknowledge)];
    case "out-of-scope":
    case "unauthorised":
      return [
        row(LOOKS.approved.icon, t("Approve Only This Hunk"), t("keep it; the scope stays as it is"), approve),
        row(
          LOOKS.waiting.icon,
          t("Answer for the File…"),
          t("extend the scope, log it and take it out, or allow it once"),
          answer,
        ),
      ];
    default:
      return assertNever(hold);
  }
}
