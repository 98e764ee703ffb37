// The demo's steps as a list to be ticked off; a click on the one that comes next takes it, on another one says which that is.
// It holds what is drawn and nothing else.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import type { DemoModel } from "./demo_model";
import {
  type DemoAt,
  type DemoStep,
  demoSteps,
  guidance,
  spokenStep,
  standingOf,
  stepNote,
  stepTitle,
} from "./demo_steps";

export const DEMO_VIEW = ours("demo");
export const CONTINUE_DEMO = ours("continueDemo");

export class DemoTree implements vscode.TreeDataProvider<DemoStep>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly listening: vscode.Disposable;

  constructor(private readonly model: DemoModel) {
    this.listening = model.onDidChange(() => this.changed.fire(undefined));
  }

  getChildren(step?: DemoStep): DemoStep[] {
    const { at } = this.model;
    return step !== undefined || at === undefined ? [] : [...demoSteps(at)];
  }

  /** The steps are no tree; asked for to bring one of them in sight. */
  getParent(): undefined {
    return undefined;
  }

  /** The step that comes next. */
  get next(): DemoStep | undefined {
    const { at } = this.model;
    return at && demoSteps(at).find((step) => standingOf(step, at) === "now");
  }

  getTreeItem(step: DemoStep): vscode.TreeItem {
    const { at } = this.model;
    const item = new vscode.TreeItem(stepTitle(step));
    item.id = step;
    if (at === undefined) return item;
    const isNow = standingOf(step, at) === "now";
    item.iconPath = stepIcon(step, at);
    item.description = isNow ? stepNote(at) : "";
    item.tooltip = isNow ? `${spokenStep(step, at)}\n${guidance(at)}` : spokenStep(step, at);
    item.accessibilityInformation = { label: spokenStep(step, at) };
    item.command = { command: CONTINUE_DEMO, title: t("Continue the Demo"), arguments: [step] };
    return item;
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }
}

function stepIcon(step: DemoStep, at: DemoAt): vscode.ThemeIcon {
  switch (standingOf(step, at)) {
    case "done":
      return new vscode.ThemeIcon("pass-filled", new vscode.ThemeColor("testing.iconPassed"));
    case "now":
      return at.stage === "watch"
        ? new vscode.ThemeIcon("loading~spin")
        : new vscode.ThemeIcon("arrow-circle-right", new vscode.ThemeColor("augmentOrchestrator.pendingChange"));
    case "later":
      return new vscode.ThemeIcon("circle-large-outline", new vscode.ThemeColor("disabledForeground"));
  }
}
