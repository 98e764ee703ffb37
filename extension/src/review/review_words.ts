// What a review says of itself: progress, turns and its end. Pure.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { LOOKS } from "../state_look";
import { fileCount } from "./change_words";
import type { Place, Tally, Turn } from "./review_round";

/** `hunk 2 of 6`: where one is in all that this review has met, decided or not. */
export function placeWords({ at, of }: Place): string {
  return t("hunk {0} of {1}", at.toLocaleString(), of.toLocaleString());
}

/** `5 to review · hunk 2 of 6`: how many wait, and beside it where one is, which is no rest. */
export function waitWords(count: number, place?: Place): string {
  const waits = `${count.toLocaleString()} ${LOOKS.toReview.word}`;
  return place === undefined ? waits : `${waits} · ${placeWords(place)}`;
}

/** What is said when the way does not simply go on; nothing when it does. */
export function turnWords(turn: Turn): string | undefined {
  switch (turn) {
    case "on":
      return undefined;
    case "back":
      return t("Back to what you passed over in this file");
    case "around":
      return t("That was the last hunk; on from the first that waits");
    case "again":
      return t("What you skipped comes again");
    case "only":
      return t("It is the only hunk left");
    default:
      return assertNever(turn);
  }
}

/** `12 approved, 3 rejected, 2 skipped` */
export function tallyWords({ approved, rejected, skipped }: Tally): string {
  const parts: [number, string][] = [
    [approved, LOOKS.approved.word],
    [rejected, LOOKS.rejected.word],
    [skipped.length, LOOKS.skipped.word],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString()} ${word}`)
    .join(", ");
}

/** The end of a review in the status bar. One that is left before its end is not called done. */
export function endWords(tally: Tally): string {
  return tally.left === 0 ? t("Review done: {0}", tallyWords(tally)) : t("Review so far: {0}", tallyWords(tally));
}

/** The end of a review, in some sentences. */
export function summaryWords(tally: Tally): string {
  const { elsewhere, left, takenOut } = tally;
  const logged =
    takenOut === 1
      ? t("1 hunk was logged and taken out.")
      : t("{0} hunks were logged and taken out.", takenOut.toLocaleString());
  const gone =
    elsewhere === 1
      ? t("1 hunk has changed or was decided elsewhere.")
      : t("{0} hunks have changed or were decided elsewhere.", elsewhere.toLocaleString());
  const waits = left === 1 ? t("1 hunk still waits.") : t("{0} hunks still wait.", left.toLocaleString());
  return [
    doneWords(tally),
    ...(left === 0 ? [] : [waits]),
    ...(takenOut === 0 ? [] : [logged]),
    ...(elsewhere === 0 ? [] : [gone]),
  ].join(" ");
}

function doneWords(tally: Tally): string {
  const told = tallyWords(tally);
  const files = fileCount(tally.files);
  if (tally.left > 0)
    return told === "" ? t("Review so far: nothing was decided.") : t("Review so far: {0} in {1}.", told, files);
  return told === "" ? t("Review done: nothing was decided.") : t("Review done: {0} in {1}.", told, files);
}
