// Questions to the person. A text that the host refuses stays in its box with the reason below it, so nothing typed is
// lost. What is opened meanwhile takes a box or a list away, and not what the host takes.

import * as vscode from "vscode";
import { t } from "./l10n";
import { withoutIcons, withoutLinks } from "./outside_text";
import type { Priority } from "./protocol.gen";
import { messageOf } from "./refusal";
import { priorityWord } from "./task_words";
import { tellError } from "./told";

export const PRIORITIES: readonly Priority[] = ["high", "medium", "low"];

export interface TextQuestion {
  title: string;
  prompt: string;
  value?: string;
  placeholder?: string;
  /** Why the value was refused before. */
  complaint?: string;
  /** Does what the text is for. When it throws, the message is shown and the box stays. */
  accept(text: string): Promise<void>;
}

/** @returns whether the text was accepted; false when the person left */
export function askText(question: TextQuestion): Promise<boolean> {
  const { title, prompt, value = "", placeholder, complaint, accept } = question;
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = withoutLinks(prompt);
  box.value = value;
  box.placeholder = placeholder;
  box.ignoreFocusOut = true;
  // A box has no button of its own, and who has a hand on the mouse need not reach for Enter.
  box.buttons = [{ iconPath: new vscode.ThemeIcon("check"), tooltip: t("OK (Enter)") }];
  if (complaint !== undefined) box.validationMessage = complain(complaint);
  return new Promise((resolve, reject) => {
    let underWay: Promise<void> | undefined;
    const take = async () => {
      if (underWay !== undefined) return;
      box.busy = true;
      box.enabled = false;
      underWay = accept(box.value);
      try {
        await underWay;
        box.hide();
      } catch (error) {
        underWay = undefined;
        box.validationMessage = complain(messageOf(error));
      } finally {
        box.busy = false;
        box.enabled = true;
      }
    };
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(take);
    box.onDidTriggerButton(take);
    box.onDidHide(() => {
      box.dispose();
      if (underWay === undefined) resolve(false);
      else underWay.then(() => resolve(true), reject);
    });
    box.show();
  });
}

/**
 * Shows a list until an answer in it was taken, or the person left.
 * @param take does what the answer is for, and says whether the list is done with. When it throws, the message is shown and
 *   the list stays.
 */
export async function untilAnswered(
  pick: vscode.QuickPick<vscode.QuickPickItem>,
  take: () => Promise<boolean>,
  log: vscode.LogOutputChannel,
): Promise<void> {
  let underWay: Promise<void> | undefined;
  const answer = async () => {
    pick.busy = true;
    pick.enabled = false;
    try {
      // An Enter that was on its way when it was taken finds it taken.
      if (await take()) return pick.hide();
    } catch (error) {
      tellError(error, log);
    }
    pick.busy = false;
    pick.enabled = true;
    underWay = undefined;
  };
  pick.onDidAccept(() => {
    underWay ??= answer();
  });
  await new Promise<void>((resolve) => {
    pick.onDidHide(resolve);
    pick.show();
  });
  pick.dispose();
  await underWay;
}

/** @param preset comes first, so that a mere Enter keeps it */
export async function askPriority(title: string, preset: Priority): Promise<Priority | undefined> {
  const items = [preset, ...PRIORITIES.filter((priority) => priority !== preset)].map((priority) => ({
    label: priorityWord(priority),
    priority,
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t("Priority"), ignoreFocusOut: true }))
    ?.priority;
}

/** A modal question. @returns whether the person pressed the button */
export async function confirm(question: string, detail: string, button: string): Promise<boolean> {
  const options = { modal: true, detail: withoutLinks(detail) };
  return (await vscode.window.showWarningMessage(withoutLinks(question), options, button)) === button;
}

/**
 * A question about what is shown in an editor, which can be looked through before it is answered. Whatever takes it away is
 * no yes.
 * @returns whether the person took the answer
 */
export async function confirmShown(
  question: string,
  reason: string,
  answer: { label: string; description: string },
): Promise<boolean> {
  const yes = { label: answer.label, description: withoutIcons(answer.description) };
  const no = { label: t("Cancel"), description: t("nothing is changed") };
  const how = { title: question, placeHolder: withoutLinks(reason), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick([yes, no], how)) === yes;
}

function complain(message: string): vscode.InputBoxValidationMessage {
  return { message: withoutLinks(message), severity: vscode.InputBoxValidationSeverity.Error };
}
