// A key that would approve a hunk which has to be looked at first leads here: why, and what can be done about it. The keys
// that reject and skip go on working meanwhile. Leaving it changes nothing.

import * as vscode from "vscode";
import { t } from "../l10n";
import { oneLine, withoutIcons } from "../outside_text";
import { setOurs } from "../run_ours";
import { LOOKS } from "../state_look";
import { stopping } from "./finding_words";
import { holdTitle } from "./held_words";
import type { Stop } from "./hunk_order";
import { lastName } from "./path_text";

/** What can be done about it. */
export interface HeldActions {
  acknowledge(): Promise<void>;
  approve(): Promise<void>;
  answer(): Promise<void>;
  reject(): Promise<void>;
  /** Nothing where nobody is led on. */
  skip: (() => Promise<void>) | undefined;
}

type Row = vscode.QuickPickItem & { act(): Promise<void> };

/** The keys that reject and skip a hunk are heard while it is asked about. */
const askedKey = "hunkAsked";

export class HeldPick {
  private asked: { stop: Stop | undefined; close(): void } | undefined;

  constructor() {
    void setOurs(askedKey, false);
  }

  /** The hunk that is being asked about; nothing where it is a whole file. */
  get stop(): Stop | undefined {
    return this.asked?.stop;
  }

  /** It is decided in another way. A key that comes before the window has closed the list does not mean it any more. */
  close(): void {
    const { asked } = this;
    if (asked === undefined) return;
    this.asked = undefined;
    void setOurs(askedKey, false);
    asked.close();
  }

  /** @param stops of one file, all that the decision is about */
  async ask(stops: readonly Stop[], actions: HeldActions): Promise<void> {
    const picked = await this.pick(stops, rowsFor(stops, actions));
    await picked?.act();
  }

  private async pick(stops: readonly Stop[], rows: Row[]): Promise<Row | undefined> {
    this.close();
    const [first, ...others] = stops;
    const stop = others.length === 0 ? first : undefined;
    const pick = vscode.window.createQuickPick<Row>();
    const hunks = stops.map(({ hunk }) => hunk);
    pick.title = withoutIcons(holdTitle(hunks, lastName(first?.path ?? "")));
    pick.placeholder = stop
      ? t("Approve this hunk anyway, or reject it?")
      : t("Approve all {0} hunks anyway, or reject them?", stops.length);
    pick.items = rows;
    let isClosed = false;
    const close = () => {
      isClosed = true;
      pick.hide();
    };
    const asked = { stop, close };
    this.asked = asked;
    await setOurs(askedKey, stop !== undefined);
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

function rowsFor(stops: readonly Stop[], { acknowledge, approve, answer, reject, skip }: HeldActions): Row[] {
  const row = (icon: string, label: string, description: string, act: () => Promise<void>): Row => ({
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
    act,
  });
  const count = stops.length;
  const hunks = stops.map(({ hunk }) => hunk);
  const isFound = hunks.some(({ findings }) => stopping(findings).length > 0);
  const flag = hunks.find((hunk) => hunk.flag !== null)?.flag;
  const reason = flag?.why ? { detail: withoutIcons(t("The agent says: {0}", oneLine(flag.why))) } : {};
  const stays = flag ? [t("the scope stays as it is")] : [];
  const keep = isFound
    ? row("pass", t("Acknowledge and Approve…"), [t("say why it may stay"), ...stays].join("; "), acknowledge)
    : row(
        LOOKS.approved.icon,
        count === 1 ? t("Approve Only This Hunk") : t("Approve All {0} Hunks", count),
        stays.join(""),
        approve,
      );
  const out = count === 1 ? t("Reject This Hunk") : t("Reject All {0} Hunks", count);
  return [
    { ...keep, ...reason },
    row(LOOKS.rejected.icon, out, t("take it out and bring back what it replaced"), reject),
    ...(skip === undefined ? [] : [row(LOOKS.skipped.icon, t("Skip"), t("it comes again at the end"), skip)]),
    ...(flag
      ? [
          row(
            LOOKS.waiting.icon,
            t("Answer for the File…"),
            t("extend the scope, log it and take it out, or allow it once"),
            answer,
          ),
        ]
      : []),
  ];
}
