// The first use: the demo with its guide, and the walkthrough. Makes the parts and connects them. In a folder that is not
// trusted there is no host, and so nothing begins there.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { setOurs } from "../run_ours";
import { tellError } from "../told";
import { DemoModel } from "./demo_model";
import { continueDemo, type DemoContext } from "./demo_next";
import { TRY_DEMO, tryDemo } from "./demo_open";
import { guidance } from "./demo_steps";
import { CONTINUE_DEMO, DEMO_VIEW, DemoTree } from "./demo_tree";
import { OpenedDemos } from "./opened_demos";
import { isBegun, TriedDemo } from "./tried_demo";
import { notAtFirst, OPEN_WALKTHROUGH, openFirstTime, openWalkthrough } from "./walkthrough";

/** The view and the palette read it: the stage of the demo, `restricted` before it may run, and empty where there is none. */
const stageKey = "demo";

/** The walkthrough's tick reads it. */
const triedKey = "triedDemo";

/** @returns its commands; everything else is disposed of with the extension */
export function beginFirstUse(
  extension: vscode.ExtensionContext,
  link: HostLink,
  folder: vscode.Uri | undefined,
  parts: Pick<DemoContext, "sessions" | "agents">,
  log: vscode.LogOutputChannel,
): { readonly [id: string]: (...args: unknown[]) => Promise<void> } {
  const model = new DemoModel(link, log);
  const tree = new DemoTree(model);
  const view = vscode.window.createTreeView(DEMO_VIEW, { treeDataProvider: tree, showCollapseAll: false });
  const opened = new OpenedDemos(vscode.Uri.joinPath(extension.globalStorageUri, "demos.json").fsPath);
  const tried = new TriedDemo(vscode.Uri.joinPath(extension.globalStorageUri, "demo-tried").fsPath);
  const context = { model, ...parts };
  const complain = (error: unknown) => tellError(error, log);

  /** In a low view the step that comes next may lie below the edge. */
  const bringNextInSight = () => {
    const { next } = tree;
    if (next === undefined || !view.visible) return;
    // A list that is drawn anew in that moment cannot be led to a place; the next step brings another try.
    view.reveal(next, { select: false }).then(undefined, (error: unknown) => log.debug(String(error)));
  };
  /** The demo is in another window than the walkthrough that led to it, so whoever comes back looks again. */
  const tick = async () => void (await setOurs(triedKey, tried.isTried));
  const draw = async () => {
    const { at } = model;
    if (at !== undefined && isBegun(at.stage)) {
      tried.note();
      await tick();
    }
    view.message = at === undefined ? "" : guidance(at);
    await setOurs(stageKey, at?.stage ?? "");
    bringNextInSight();
    // It begins by itself where it was opened for that, and never a second time.
    if (at?.stage !== "start" || folder === undefined || !opened.take(folder.fsPath)) return;
    await vscode.commands.executeCommand(`${DEMO_VIEW}.focus`);
    await continueDemo(context);
  };
  extension.subscriptions.push(
    model,
    tree,
    view,
    model.onDidChange(() => void draw().catch(complain)),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void tick().catch(complain);
    }),
  );
  begin().catch(complain);

  async function begin(): Promise<void> {
    await tick();
    const waits = folder !== undefined && opened.has(folder.fsPath);
    if (!waits) return openFirstTime(extension);
    if (vscode.workspace.isTrusted) return;
    await setOurs(stageKey, "restricted");
    await vscode.commands.executeCommand(`${DEMO_VIEW}.focus`);
  }

  return {
    [TRY_DEMO]: async () => {
      await notAtFirst(extension);
      // A window that shows one that is not at its end goes on with that.
      if (model.at !== undefined && model.at.stage !== "done") {
        // It need not begin by itself as well.
        if (folder !== undefined) opened.take(folder.fsPath);
        await vscode.commands.executeCommand(`${DEMO_VIEW}.focus`);
        return continueDemo(context);
      }
      await tryDemo(extension.extensionPath, opened);
    },
    [CONTINUE_DEMO]: (step) => continueDemo(context, step),
    [OPEN_WALKTHROUGH]: () => openWalkthrough(extension, { inactive: false }),
  };
}
