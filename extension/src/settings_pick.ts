// The settings as a list, each with its value and where that comes from; picking one asks for another value. What a
// setting takes, and whether a policy lets it be so, the host says.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { ours } from "./ours";
import { withoutIcons } from "./outside_text";
import type { Setting, SettingList } from "./protocol.gen";
import { askText } from "./questions";
import { lookIcon } from "./state_icon";
import { LOOKS } from "./state_look";
import { tellDone } from "./told";

export const SHOW_SETTINGS = ours("showSettings");

type Item = vscode.QuickPickItem & { run?: () => Thenable<unknown> };

export async function showSettings(link: HostLink): Promise<void> {
  const list = await link.call("augment/config/list", {});
  const picked = await vscode.window.showQuickPick(itemsOf(link, list), {
    title: t("Augment Settings"),
    placeHolder: t("Pick one to change it"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await picked?.run?.();
}

function itemsOf(link: HostLink, { settings, problems, userFile, policyFile }: SettingList): Item[] {
  const { Separator } = vscode.QuickPickItemKind;
  const open = (path: string) => () => vscode.window.showTextDocument(vscode.Uri.file(path));
  return [
    ...problems.map(
      (problem): Item => ({
        label: withoutIcons(problem),
        iconPath: lookIcon(LOOKS.problem),
        run: open(problem.startsWith(policyFile) ? policyFile : userFile),
      }),
    ),
    ...(problems.length === 0 ? [] : [{ label: t("Settings"), kind: Separator }]),
    ...settings.map(
      (setting): Item => ({
        label: setting.key,
        description: withoutIcons(`${setting.value} (${setting.source})`),
        detail: withoutIcons(
          setting.refusedPolicy === null
            ? setting.about
            : t("{0} The workspace's policy asked for {1} and did not get it.", setting.about, setting.refusedPolicy),
        ),
        run: () => changeSetting(link, setting),
      }),
    ),
  ];
}

async function changeSetting(link: HostLink, { key, value, about, takes }: Setting): Promise<void> {
  await askText({
    title: key,
    prompt: t("{0} It takes {1}. Empty goes back to the default.", about, takes),
    value,
    accept: async (text) => {
      const wanted = text.trim();
      if (wanted === value) return;
      const { settings } = await link.call("augment/config/set", { key, value: wanted === "" ? null : wanted });
      const now = settings.find((setting) => setting.key === key);
      if (now !== undefined) tellDone(t("{0} is {1} ({2})", key, now.value, now.source));
    },
  });
}
