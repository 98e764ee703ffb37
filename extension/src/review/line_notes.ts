// The word behind a line of what waits, and which line it stands behind. Editors do not say how wide they are, so it is
// short, and stands where lines are short: behind a long one it would lie outside of the window. The buttons above a hunk
// say the rest. Pure.

import { t } from "../l10n";
import { shortened } from "../outside_text";
import { authorWords, remarks, wholeFileWords } from "./change_words";
import { markLine, type PlacedHunk } from "./hunk_places";

/** Together with the space before it, this is what an editor beside a side bar has room for. */
const noteLimit = 40;
const columnLimit = 60;
/** What editors take a tab for unless they are told otherwise. */
const tabSize = 4;
/** A word far below the beginning of a hunk would be taken for another's. */
const linesDown = 4;

/** What is particular comes first: in a narrow place the end is cut off. */
export function noteWords({ hunk, spans }: PlacedHunk): string {
  const removed = spans.length === 0 && hunk.removed > 0 ? [t("{0} removed above", hunk.removed)] : [];
  const told = [...remarks(hunk), ...removed, ...[wholeFileWords(hunk) ?? []].flat(), authorWords(hunk.author)];
  return shortened([...new Set(told)].join(" · "), noteLimit);
}

/** A document, as far as it matters here. */
export interface NotedText {
  lineCount: number;
  lineAt(line: number): { text: string };
}

/**
 * The line that has room for a word: the one that shows the hunk, or one of its own close below where that is too long.
 * @returns nothing where all of them are too long
 */
export function noteLine(placed: PlacedHunk, document: NotedText): number | undefined {
  const { lineCount } = document;
  const start = markLine(placed, lineCount);
  const end = Math.min(placed.spans[0]?.end ?? start + 1, start + linesDown, lineCount);
  for (let line = start; line < end; line += 1) if (columnsOf(document.lineAt(line).text) <= columnLimit) return line;
  return undefined;
}

/** How many columns a line takes up, which matters as long as it is not too long anyway. */
function columnsOf(text: string): number {
  if (text.length > columnLimit) return text.length;
  return [...text].reduce((at, sign) => (sign === "\t" ? at + tabSize - (at % tabSize) : at + 1), 0);
}
