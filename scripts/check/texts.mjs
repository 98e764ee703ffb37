// Texts that people read and that go past `t`, as far as a source tells it without being understood: what stands where only
// a text can stand (a label, a title, what a notification says), and whatever reads like a sentence or a title. It is meant
// to have no false alarms; what is told to programs is named below.

import { tokensOf } from "../steps/source-texts.mjs";

/** Properties and attributes that hold nothing but texts for people. */
const shown = '(?:label|title|tooltip|description|detail|prompt|place[hH]older|heading|caption|text|"aria-label")';
/** `label: "…"`, `box.label = "…"`, and after a condition. */
const inPlace = new RegExp(String.raw`(?:^|[{,(\s.])${shown}\s*(?:[:=]|=>)\s*(?:[^;{},\n]*\?\s*)?$`);
/** Functions that show what they are given, the editor's and ours. */
const sayers = new RegExp(
  `(?:^|\\.)(?:${[
    "show(?:Information|Warning|Error)Message|TreeItem|createSourceControl|createResourceGroup|createCommentController",
    "createWebviewPanel|tellDone|confirm|offerCommand|say|setText|lens|action|act|row|entry|tile|group|choose|Section",
    "words|number|text|list|section|line",
  ].join("|")})$`,
);
/** What is logged is for whoever mends it. */
const silent = /(?:^|\.)(?:log\??\.\w+|createOutputChannel)$/;

/** Names, and what is told to programs and to whoever mends them. */
const notForPeople = new Set([
  "Augment",
  "Augment Orchestrator",
  // Answers to the host.
  "Nothing here edits documents.",
  "There is no {} here.",
  "The edit is of a kind that is not understood.",
  "The editor did not take the edit.",
  "{} is not open.",
  "{} has been edited meanwhile.",
  // Bugs.
  "Unexpected value: {}",
  "Asked for before the language was known: {}",
]);

/** Icons, ids and beginnings that a program looks for are no words. */
const hasWord = (text) =>
  /[A-Za-z]{2}/.test(text.replaceAll(/\$\([\w~-]+\)/g, "")) && !/^[\w-]+(?:\.[\w…-]+)+$|^\w+: …$/.test(text);
/** A word with a capital, or several words. */
const readsLikeText = (text) => /^[A-Z][a-z]+…?$/.test(text) || /^[^<]*[A-Za-z]{2,}[,:;.]? [A-Za-z]/.test(text);
/** Begins as a sentence or a title does and goes on, or goes on after what is put in. */
const readsLikeSentence = (text) =>
  /^[A-Z][a-z']+[,:]? \S*[A-Za-z{]/.test(text) || /^[A-Z][a-z]+…$/.test(text) || /^\{\},? [a-z]{2,}[ .]/.test(text);

/**
 * @param {string} source TypeScript
 * @param {string} file its name, for what is told
 * @returns {string[]} one phrase for each text that goes past `t`
 */
export function textFaultsIn(source, file) {
  const faults = [];
  const calls = [];
  let before = "";
  for (const token of tokensOf(source)) {
    if (token.kind === "code") {
      for (const [at, char] of [...token.text].entries()) {
        if (char === "(") calls.push(/([\w$.?]*)\s*$/.exec(before + token.text.slice(0, at))?.[1] ?? "");
        else if (char === ")") calls.pop();
      }
      before = (before + token.text).slice(-200);
      continue;
    }
    if ((token.kind === "text" || token.kind === "template") && isPast(token.value, before, calls))
      faults.push(`${file}:${source.slice(0, token.start).split("\n").length}: ${short(token.text)}`);
    before = (before + (token.kind === "text" ? token.text : '""')).slice(-200);
  }
  return faults;
}

function isPast(text, before, calls) {
  const callee = calls.at(-1) ?? "";
  if (notForPeople.has(text) || !hasWord(text)) return false;
  if (/(?:^|[^.\w$])t\(\s*$/.test(before) || calls.some((name) => silent.test(name))) return false;
  if (/\b(?:from|import)\s*$/.test(before)) return false;
  if (readsLikeSentence(text)) return true;
  if (inPlace.test(before) || /"aria-label",\s*$/.test(before)) return true;
  return sayers.test(callee) && readsLikeText(text);
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
