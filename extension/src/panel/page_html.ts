// The page as a webview gets it: our own script and style, the texts of the editor's language as data, and nothing else,
// whatever the workspace holds.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { TEXTS_ID } from "../../panel/texts";
import { t } from "../l10n";

/** The folder that holds the page's files, the only one that it may read. */
export function pageFolder(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, "dist", "extension");
}

export function pageHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const { bundle } = vscode.l10n;
  const nonce = randomBytes(16).toString("base64");
  const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(pageFolder(extension), name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${bundle === undefined ? "en" : vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(t("Orchestrator"))}</title>
<link rel="stylesheet" href="${address("panel.css")}">
</head>
<body>
<script type="application/json" id="${TEXTS_ID}">${asData(bundle ?? {})}</script>
<script nonce="${nonce}" src="${address("panel.js")}"></script>
</body>
</html>
`;
}

/** Data in a page: nothing in it ends the element that holds it. */
function asData(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
