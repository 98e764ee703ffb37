// Colours and a short word on the lines of what waits: who made them and how they stand. They only show; buttons are
// elsewhere.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import { t } from "../l10n";
import { authorWords, remarks, standingWords, wholeFileWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { markLine, type PlacedHunk } from "./hunk_places";
import type { ReviewFlow } from "./review_flow";
import type { Place } from "./review_round";
import { placeWords } from "./review_words";

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
    private readonly flow: ReviewFlow,
    media: vscode.Uri,
  ) {
    this.types = {
      pending: makeLook("pending", lineStyle("pendingChange"), media),
      unknown: makeLook("unknown", lineStyle("unknownChange"), media),
      removed: makeLook("pending", removedStyle("pendingChange", "solid"), media),
      removedUnknown: makeLook("unknown", removedStyle("unknownChange", "dashed"), media),
    };
    this.draw = new Coalesced(async () => this.drawAll(), restMs);
    const ask = () => this.draw.ask();
    this.disposables = [
      ...Object.values(this.types),
      this.draw,
      model.onDidChange(ask),
      flow.onDidChange(ask),
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

  private drawAll(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (document.uri.scheme !== this.model.folder.scheme) continue;
      const hunks = this.model.hunksIn(document);
      for (const look of looks) {
        const options = hunks
          .filter((placed) => lookOf(placed) === look)
          .flatMap((placed) => decorations(placed, this.flow.placeOf(placed.hunk.id), document.lineCount));
        editor.setDecorations(this.types[look], options);
      }
    }
  }
}

function lookOf({ hunk, spans }: PlacedHunk): Look {
  const isUnknown = hunk.author.kind === "unknown";
  if (spans.length > 0) return isUnknown ? "unknown" : "pending";
  return isUnknown ? "removedUnknown" : "removed";
}

function decorations(placed: PlacedHunk, place: Place | undefined, lineCount: number): vscode.DecorationOptions[] {
  const { hunk, spans } = placed;
  const removed = spans.length === 0 && hunk.removed > 0 ? [t("{0} removed above", hunk.removed)] : [];
  const far = place === undefined ? [] : [placeWords(place)];
  const whole = [wholeFileWords(hunk) ?? []].flat();
  // In a narrow place what comes last is cut off.
  const told = [...far, ...whole, authorWords(hunk.author), standingWords(hunk.standing), ...removed, ...remarks(hunk)];
  const word = [...new Set(told)].join(" · ");
  const noted = { after: { contentText: word } };
  if (spans.length === 0) {
    const line = markLine(placed, lineCount);
    return [{ ...lines(line, line + 1), renderOptions: noted }];
  }
  return spans.flatMap(({ start, end }, at) => {
    // The word stands behind the first line only.
    if (at > 0) return [lines(start, end)];
    return [{ ...lines(start, start + 1), renderOptions: noted }, ...(end - start > 1 ? [lines(start + 1, end)] : [])];
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
