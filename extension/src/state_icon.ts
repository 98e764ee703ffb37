// The look of a state as VS Code's icon.

import * as vscode from "vscode";
import type { Look } from "./state_look";

export function lookIcon({ icon, color }: Look): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}
