// How archived sessions and what was learnt in them are named in lists, and what a text that is being typed searches for.
// Archives may come from elsewhere: their text is made one line here, and made fit for its place by whoever puts it there.

import { t } from "../l10n";
import { momentText } from "../moments";
import { oneLine, shortened } from "../outside_text";
import type { ArchivedSession, KnowledgeEntry } from "../protocol.gen";
import { facts, sessionName } from "../sessions/session_words";

/** More would leave no room for the facts beside it. */
const titleLimit = 60;
const detailLimit = 300;

/** A last word that may still be typed on is searched for as a beginning. */
export function searchedFor(typed: string): string {
  const words = typed.trimStart();
  if (words === "" || /[\s*]$/.test(words)) return words.trim();
  const isInQuotes = words.split('"').length % 2 === 0;
  if (isInQuotes) return `${words}"*`;
  return words.endsWith('"') ? words : `${words}*`;
}

/** `Session 009: Lifesum connector` */
export function archivedLabel(session: ArchivedSession): string {
  return shortened(`${sessionName(session)}: ${oneLine(session.title)}`, titleLimit);
}

export function archivedFacts({ endedAt, agents, tags }: ArchivedSession): string {
  return facts(momentText(endedAt).slice(0, 10), agents.join(", "), tags.map((tag) => `#${oneLine(tag)}`).join(" "));
}

/** The words around what was found; without a search, what came of the session. */
export function archivedDetail({ outcome }: ArchivedSession, snippet: string): string {
  return shortened(oneLine(snippet === "" ? outcome : snippet), detailLimit);
}

/** Who knows it, what it is about, and where it comes from. */
export function knowledgeFacts({ shared, by, tags, source, files, at }: KnowledgeEntry): string {
  const who = (by ?? "").replace(/^person:/, "");
  const standing = shared ? (who === "" ? t("shared") : t("shared by {0}", who)) : t("only on this machine");
  const from = source ?? (shared || who === "" ? null : t("added by {0}", who));
  const about = tags.map((tag) => `#${oneLine(tag)}`).join(" ");
  return shortened(facts(standing, about, from, momentText(at).slice(0, 10), files.join(", ")), detailLimit);
}
