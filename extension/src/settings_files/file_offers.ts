// What can be written at a place of a settings file, and what is said about what stands there: made of the keys that the
// host names, in plain values that the editor's providers draw.

import { t } from "../l10n";
import type { FileKey } from "../protocol.gen";
import type { Place } from "./file_place";

export interface Offer {
  kind: "table" | "key" | "value";
  label: string;
  /** A word beside the label. */
  detail: string;
  about: string;
  /** With `$1` where the cursor goes. */
  snippet: string;
}

/** The table of any agent. */
const anyAgent = "agents.*";

/** @param taken the keys that the table has already */
export function offersAt(place: Place, keys: readonly FileKey[], taken: ReadonlySet<string>): Offer[] {
  switch (place.kind) {
    case "table":
      return tables(keys).map(tableOffer);
    case "key":
      return keys
        .map((key) => ({ key, name: nameIn(place.table, key) }))
        .filter((one): one is { key: FileKey; name: string } => one.name !== undefined && !taken.has(one.name))
        .map(({ key, name }) => keyOffer(key, name, place.hasValue));
    case "value": {
      const key = keyAt(place, keys);
      return (key?.values ?? []).map((value) => ({
        kind: "value",
        label: value,
        detail: key?.usual !== null && withoutQuotes(value) === key?.usual ? t("usual") : "",
        about: key === undefined ? "" : aboutKey(key),
        snippet: escaped(value),
      }));
    }
  }
}

/** The key that a place is about. */
export function keyAt(place: Place, keys: readonly FileKey[]): FileKey | undefined {
  if (place.kind === "table") return undefined;
  return keys.find((key) => nameIn(place.table, key) === place.name);
}

/** What a key says, what it takes and what holds without it; a paragraph each. */
export function aboutKey(key: FileKey): string {
  const usual = key.usual === null ? [] : [t("Without it: {0}.", key.usual)];
  return [key.about, t("It takes {0}.", key.takes), ...usual, ...(key.workspace === null ? [] : [key.workspace])].join(
    "\n\n",
  );
}

/** How a key is written in a table; undefined where it does not belong there. */
function nameIn(table: string, key: FileKey): string | undefined {
  if (key.section === anyAgent) return /^agents\.[^.]+$/.test(table) ? key.name : undefined;
  if (table === key.section) return key.name;
  return table === "" ? `${key.section}.${key.name}` : undefined;
}

function tables(keys: readonly FileKey[]): string[] {
  return [...new Set(keys.map(({ section }) => section))];
}

function tableOffer(table: string): Offer {
  const isAgent = table === anyAgent;
  return {
    kind: "table",
    label: isAgent ? "agents.…" : table,
    detail: "",
    about: isAgent ? t("An agent, by its name.") : "",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a snippet's own place.
    snippet: isAgent ? "agents.${1:name}" : escaped(table),
  };
}

function keyOffer(key: FileKey, name: string, hasValue: boolean): Offer {
  const value = hasValue ? "" : ` = ${valueSnippet(key)}`;
  return {
    kind: "key",
    label: name,
    detail: key.usual ?? "",
    about: aboutKey(key),
    snippet: escaped(name) + value,
  };
}

function valueSnippet({ values, empty }: FileKey): string {
  const [only, ...others] = values.map((value) => escaped(value));
  if (only !== undefined && others.length > 0)
    return `\${1|${[only, ...others].map((value) => value.replaceAll(/[,|]/g, "\\$&")).join(",")}|}`;
  if (only !== undefined) return `\${1:${only}}`;
  // The cursor goes between the quotes or braces.
  const middle = Math.ceil(empty.length / 2);
  return `${escaped(empty.slice(0, middle))}$1${escaped(empty.slice(middle))}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\$}]/g, "\\$&");
}

function withoutQuotes(value: string): string {
  return value.replaceAll('"', "");
}
