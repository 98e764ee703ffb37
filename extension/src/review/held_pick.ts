// A key that would approve a hunk which has to be looked at first leads here: the reason stands at the hunk, and what can
// be done about it is offered. Leaving it changes nothing.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { withoutIcons, withoutLinks } from "../outside_text";
import { ownName } from "../person_name";
import { LOOKS } from "../state_look";
import { explanations, type Hold, holdTitle } from "./held_words";
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

export async function askAboutHeld({ path, hunk }: Stop, hold: Hold, actions: HeldActions): Promise<void> {
  const row = (icon: string, label: string, description: string, act: () => Promise<void>): Row => ({
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
    act,
  });
  const rows = [
    ...waysOn(hold, row, actions),
    row(LOOKS.rejected.icon, t("Reject This Hunk"), t("take it out and bring back what it replaced"), actions.reject),
    row(LOOKS.skipped.icon, t("Skip"), t("it comes again at the end"), actions.skip),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: withoutIcons(`${lastName(path)}: ${holdTitle(hold, hunk)}`),
    placeHolder: withoutLinks(explanations(hunk, ownName())[0] ?? ""),
  });
  await picked?.act();
}

function waysOn(
  hold: Hold,
  row: (icon: string, label: string, description: string, act: () => Promise<void>) => Row,
  { acknowledge, approve, answer }: HeldActions,
): Row[] {
  switch (hold) {
    case "finding":
      return [row("pass", t("Acknowledge and Approve…"), t("say why it may stay"), acknowledge)];
    case "out-of-scope":
    case "unauthorised":
      return [
        row(
          LOOKS.approved.icon,
          t("Approve Only This Hunk"),
          t("the rest of the file still waits for an answer"),
          approve,
        ),
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
