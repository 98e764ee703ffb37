// Questions to the person. A text that the host refuses stays in its box with the reason below it, so nothing typed is
// lost.

import * as vscode from "vscode";
import { withoutLinks } from "./outside_text";
import type { Priority } from "./protocol.gen";
import { messageOf } from "./refusal";

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
  if (complaint !== undefined) box.validationMessage = complain(complaint);
  return new Promise((resolve) => {
    let accepted = false;
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(async () => {
      if (box.busy) return;
      box.busy = true;
      box.enabled = false;
      try {
        await accept(box.value);
        accepted = true;
        box.hide();
      } catch (error) {
        box.validationMessage = complain(messageOf(error));
      } finally {
        box.busy = false;
        box.enabled = true;
      }
    });
    box.onDidHide(() => {
      box.dispose();
      resolve(accepted);
    });
    box.show();
  });
}

/** @param preset comes first, so that a mere Enter keeps it */
export async function askPriority(title: string, preset: Priority): Promise<Priority | undefined> {
  const items = [preset, ...PRIORITIES.filter((priority) => priority !== preset)].map((priority) => ({
    label: priority,
    priority,
  }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: "Priority" }))?.priority;
}

/** A modal question. @returns whether the person pressed the button */
export async function confirm(question: string, detail: string, button: string): Promise<boolean> {
  const options = { modal: true, detail: withoutLinks(detail) };
  return (await vscode.window.showWarningMessage(withoutLinks(question), options, button)) === button;
}

function complain(message: string): vscode.InputBoxValidationMessage {
  return { message: withoutLinks(message), severity: vscode.InputBoxValidationSeverity.Error };
}
