// What a session told and what it proposes, as plain text.

import { OutputText } from "../agents/output_text";
import { t } from "../l10n";
import { oneLine } from "../outside_text";
import type { EndedSession, KnowledgeEntry, SessionReport } from "../protocol.gen";

/** Many lines of text without anything else in them, ended by a line end. */
export function plainText(text: string): string {
  return `${new OutputText().take(text).replaceAll("\r\n", "\n").trimEnd()}\n`;
}

export function commitPage({ commit, documents }: EndedSession): string {
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", heading, ...lines.map((line) => `  ${oneLine(line)}`)];
  return `${[
    ...(commit === null ? [t("There is nothing to commit.")] : [plainText(commit.message).trimEnd()]),
    ...section(t("Files"), commit?.files ?? []),
    ...section(t("Documents"), documents),
    ...section(t("It cannot be made here"), commit?.problem == null ? [] : [commit.problem]),
  ].join("\n")}\n`;
}

/** What was learnt earlier, each with where it comes from. */
export function earlierPage(entries: readonly KnowledgeEntry[]): string {
  if (entries.length === 0) return t("Nothing that was learnt earlier matches this session.\n");
  const parts = entries.map(({ text, tags, files, source, by }) => {
    const about = [source ?? by ?? "", ...tags.map((tag) => `#${tag}`), ...files]
      .map(oneLine)
      .filter((fact) => fact !== "");
    return `${plainText(text)}${about.length === 0 ? "" : `  (${about.join(", ")})\n`}`;
  });
  return t("From earlier sessions, as it was written down:\n\n{0}", parts.join("\n"));
}

/**
 * Those that have not been told, the oldest first.
 * @param told the number of the last one; nothing in a window that has just opened, where those of the session that is under
 * way are told
 */
export function newReports(
  newestFirst: readonly SessionReport[],
  told: number | undefined,
  session: string | undefined,
): SessionReport[] {
  return newestFirst
    .filter((report) => (told === undefined ? report.session === session : report.number > told))
    .reverse();
}

/** A session that nobody ended, whose record waits to be committed. */
export interface EndedByItself {
  session: string;
  number: number;
  why: string;
  subject: string;
}

/** What the last report of a session tells of that; nothing for any other report. */
export function endedByItself({ level, session, data }: SessionReport): EndedByItself | undefined {
  if (level !== "comprehensive" || typeof data !== "object" || data === null) return undefined;
  const { automatic, commitMessage, session: number } = data as { [field: string]: unknown };
  if (typeof automatic !== "string" || typeof commitMessage !== "string" || typeof number !== "number")
    return undefined;
  const [subject = ""] = commitMessage.split("\n");
  return { session, number, why: oneLine(automatic).replace(/[.\s]+$/, ""), subject: oneLine(subject) };
}
