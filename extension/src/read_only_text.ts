// Read-only documents whose text comes from the host and is fetched again when the host says that something moved,
// as long as they are open. A kind of document is a scheme and a function from the document's name to its text.

import * as vscode from "vscode";
import { Coalesced } from "./coalesced";
import type { HostLink } from "./host_link";
import type { Part } from "./protocol.gen";
import { messageOf } from "./refusal";

const restMs = 250;

export interface TextKind {
  scheme: string;
  /** What must move for the text to change. */
  part: Part;
  write(link: HostLink, query: string): Promise<string>;
}

export function provideText(link: HostLink, { scheme, part, write }: TextKind): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const refresh = new Coalesced(async () => {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) changed.fire(uri);
  }, restMs);
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async ({ query }) => {
      try {
        return await write(link, query);
      } catch (error) {
        return `${messageOf(error)}\n`;
      }
    },
  };
  return vscode.Disposable.from(
    changed,
    refresh,
    link.onMoved(({ parts }) => {
      if (parts.includes(part)) refresh.ask();
    }),
    link.onDidChangeState(({ kind }) => {
      if (kind === "connected") refresh.ask();
    }),
    vscode.workspace.registerTextDocumentContentProvider(scheme, provider),
  );
}

/** Opens the document in a preview tab, leaving the keyboard where it is. */
export async function showText(scheme: string, name: string, query: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme, path: `/${name}`, query });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
}
