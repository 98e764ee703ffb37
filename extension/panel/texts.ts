// The texts of the editor's language, as the host puts them into the page: data that is read once, before anything is drawn.
// They are looked at before they are trusted; what is missing stays English.

/** The element that holds them. */
export const TEXTS_ID = "texts";

export function textsIn(data: string): Map<string, string> {
  const value: unknown = data === "" ? {} : JSON.parse(data);
  const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
