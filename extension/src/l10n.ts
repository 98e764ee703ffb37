// The language of what people read: `t("…{0}…", value)` is the text in the editor's language, with the values put in. A
// text is its own key, so it is one literal; what comes from outside is a value, never part of the text. Modules of words
// stay free of `vscode`: activation hands in its translation, and the panel's page one of the same bundle. `npm run l10n`
// gathers the texts.

export type Put = string | number;

let translate: ((text: string, ...values: Put[]) => string) | undefined;
/** Texts that were asked for before the language was known; each is a bug, since it stays English, and is told once. */
const tooSoon = new Set<string>();

/** Must come before any text is asked for. Returns those that were. */
export function speak(translation: (text: string, ...values: Put[]) => string): readonly string[] {
  translate = translation;
  return [...tooSoon];
}

export function t(text: string, ...values: Put[]): string {
  if (translate !== undefined) return translate(text, ...values);
  tooSoon.add(text);
  return filled(text, values);
}

/** The translation of a bundle, for where there is no `vscode`: what it does not have stays English. */
export function translationBy(bundle: ReadonlyMap<string, string>): (text: string, ...values: Put[]) => string {
  return (text, ...values) => filled(bundle.get(text) ?? text, values);
}

/** What is put in is never looked at for places. */
function filled(text: string, values: readonly Put[]): string {
  return text.replace(/\{(\d+)\}/g, (place, index) => String(values[Number(index)] ?? place));
}
