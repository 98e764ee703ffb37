// A unified diff as lines of text. Only so many lines are put into the page; the editor shows the rest.

import { t } from "../../src/l10n";
import { el } from "../dom";

const mostLines = 1_000;

type LineKind = "added" | "removed" | "place" | "same";

export interface DiffLine {
  kind: LineKind;
  text: string;
}

/** The lines of a diff without the names of the files, which stand above it. */
export function diffLines(diff: string): DiffLine[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const isHeader = (line: string) => line.startsWith("--- ") || line.startsWith("+++ ");
  const found: DiffLine[] = [];
  let isInside = false;
  for (const text of lines) {
    isInside ||= text.startsWith("@@");
    if (!isInside && (isHeader(text) || text.startsWith("diff "))) continue;
    found.push({ kind: kindOf(text, isInside), text });
  }
  return found;
}

function kindOf(text: string, isInside: boolean): LineKind {
  if (text.startsWith("@@") || !isInside) return "place";
  if (text.startsWith("+")) return "added";
  return text.startsWith("-") ? "removed" : "same";
}

export function diffView(diff: string, isCut: boolean): HTMLElement {
  const lines = diffLines(diff);
  if (lines.length === 0) return el("p", { class: "quiet", text: t("This step changed nothing in the content.") });
  const shown = lines.slice(0, mostLines);
  const left = lines.length - shown.length;
  return el(
    "div",
    { class: "diff", tabIndex: 0, role: "region", attributes: { "aria-label": t("What this step changed") } },
    ...shown.map(({ kind, text }) => el("div", { class: `diff-line ${kind}`, text: text === "" ? " " : text })),
    left > 0 || isCut
      ? el("div", {
          class: "diff-line place",
          text:
            left > 0
              ? t("… {0} more lines: Open Diff shows all of it.", left.toLocaleString())
              : t("… the rest: Open Diff shows all of it."),
        })
      : undefined,
  );
}
