// How archived sessions and what was learnt in them are named in lists, and what a text that is being typed searches for.
// Archives may come from elsewhere: their text is made one line here, and made fit for its place by whoever puts it there.

import { momentText } from "../moments";
import { oneLine, shortened } from "../outside_text";
import type { ArchivedSession, KnowledgeEntry } from "../protocol.gen";
import { facts, sessionName } from "../sessions/session_words";

const titleLimit = 120;
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

export function knowledgeFacts({ shared, by, tags }: KnowledgeEntry): string {
  const who = (by ?? "").replace(/^person:/, "");
  const standing = shared ? (who === "" ? "shared" : `shared by ${who}`) : "only on this machine";
  return facts(standing, tags.map((tag) => `#${oneLine(tag)}`).join(" "));
}

/** Where it comes from, and what it is about. */
export function knowledgeOrigin({ source, by, files, at }: KnowledgeEntry): string {
  const from = source ?? (by === null ? "" : `added by ${by.replace(/^person:/, "")}`);
  return shortened(facts(from, momentText(at).slice(0, 10), files.join(", ")), detailLimit);
}
