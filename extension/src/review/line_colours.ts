// Colours and a short word on the lines of what waits: who made them and how they stand. They only show; buttons are
// elsewhere.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import { setOurs } from "../run_ours";
import type { ChangesModel } from "./changes_model";
import { markLine, type PlacedHunk } from "./hunk_places";
import type { HunkSight } from "./hunk_sight";
import { noteLine, noteWords } from "./line_notes";

const restMs = 50;

type Look = "pending" | "unknown" | "removed" | "removedUnknown";
const looks: readonly Look[] = ["pending", "unknown", "removed", "removedUnknown"];

export class LineColours implements vscode.Disposable {
  private readonly types: Record<Look, vscode.TextEditorDecorationType>;
  private readonly draw: Coalesced;
  private readonly disposables: vscode.Disposable[];

  /** @param media the folder with the marks for the gutter */
  constructor(
    private readonly model: ChangesModel,
    private readonly sight: HunkSight,
    media: vscode.Uri,
  ) {
    this.types = {
      pending: makeLook("pending", lineStyle("pendingChange"), media),
      unknown: makeLook("unknown", lineStyle("unknownChange"), media),
      removed: makeLook("pending", removedStyle("pendingChange", "solid"), media),
      removedUnknown: makeLook("unknown", removedStyle("unknownChange", "dashed"), media),
    };
    this.draw = new Coalesced(() => this.drawn(), restMs);
    const ask = () => this.draw.ask();
    this.disposables = [
      ...Object.values(this.types),
      this.draw,
      model.onDidChange(ask),
      vscode.window.onDidChangeVisibleTextEditors(ask),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (model.fileOf(document.uri) !== undefined) ask();
      }),
      vscode.workspace.onDidSaveTextDocument(ask),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Draws what is there now. Resolves when the window has it. */
  async drawn(): Promise<void> {
    const drawn = this.drawAll();
    // The window takes what it is told in order: when it answers this, it has the marks, and tells of a key that was pressed
    // before it had them before that.
    await setOurs("marked", true);
    for (const [editor, hunks] of drawn) this.sight.drew(editor, hunks);
  }

  private drawAll(): Map<vscode.TextEditor, string[]> {
    const drawn = new Map<vscode.TextEditor, string[]>();
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (document.uri.scheme !== this.model.folder.scheme) continue;
      const hunks = this.model.hunksIn(document);
      for (const look of looks) {
        const options = hunks
          .filter((placed) => lookOf(placed) === look)
          .flatMap((placed) => decorations(placed, document));
        editor.setDecorations(this.types[look], options);
      }
      drawn.set(
        editor,
        hunks.map(({ hunk }) => hunk.id),
      );
    }
    return drawn;
  }
}

function lookOf({ hunk, spans }: PlacedHunk): Look {
  const isUnknown = hunk.author.kind === "unknown";
  if (spans.length > 0) return isUnknown ? "unknown" : "pending";
  return isUnknown ? "removedUnknown" : "removed";
}

function decorations(placed: PlacedHunk, document: vscode.TextDocument): vscode.DecorationOptions[] {
  const { spans } = placed;
  const mark = markLine(placed, document.lineCount);
  const noted = noteLine(placed, document);
  const note = { renderOptions: { after: { contentText: noteWords(placed) } } };
  return (spans.length === 0 ? [{ start: mark, end: mark + 1 }] : spans).flatMap(({ start, end }) => {
    if (noted === undefined || noted < start || noted >= end) return [lines(start, end)];
    return [
      ...(noted > start ? [lines(start, noted)] : []),
      { ...lines(noted, noted + 1), ...note },
      ...(end > noted + 1 ? [lines(noted + 1, end)] : []),
    ];
  });
}

function lines(start: number, end: number): vscode.DecorationOptions {
  return { range: new vscode.Range(start, 0, end - 1, Number.MAX_SAFE_INTEGER) };
}

function makeLook(
  mark: "pending" | "unknown",
  style: vscode.DecorationRenderOptions,
  media: vscode.Uri,
): vscode.TextEditorDecorationType {
  const gutter = (theme: "dark" | "light") => ({
    gutterIconPath: vscode.Uri.joinPath(media, `gutter-${mark}-${theme}.svg`),
    gutterIconSize: "contain",
  });
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    dark: gutter("dark"),
    light: gutter("light"),
    after: {
      color: color("changeNote"),
      margin: "0 0 0 3em",
      fontStyle: "italic",
    },
    ...style,
  });
}

/** The border is seen in high contrast only, where there are no tinted backgrounds. */
function lineStyle(name: string): vscode.DecorationRenderOptions {
  return {
    backgroundColor: color(`${name}Background`),
    border: "1px dotted",
    borderColor: color(`${name}Border`),
    overviewRulerColor: color(name),
  };
}

/** A line above the place where something stood. */
function removedStyle(name: string, style: string): vscode.DecorationRenderOptions {
  return {
    borderColor: color(name),
    borderStyle: style,
    borderWidth: "2px 0 0 0",
    overviewRulerColor: color(name),
  };
}

function color(name: string): vscode.ThemeColor {
  return new vscode.ThemeColor(`augmentOrchestrator.${name}`);
}
