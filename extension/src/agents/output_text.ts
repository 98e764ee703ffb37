// What a run says, made fit for a terminal: text and line ends, and nothing that a terminal would obey. Escape sequences
// are left out whole, also when they come in pieces.

import { assertNever } from "../assert_never";

type State = "text" | "escape" | "short" | "sequence" | "string" | "string-escape";

const escapeCode = 0x1b;
const bell = 0x07;
/** An unfinished string such as a title does not swallow more than this. */
const stringLimit = 4_096;

export class OutputText {
  private state: State = "text";
  private afterReturn = false;
  private swallowed = 0;

  /** @returns the text of this piece, with lines ended as terminals want it */
  take(piece: string): string {
    let text = "";
    for (const character of piece) text += this.next(character);
    return text;
  }

  private next(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    switch (this.state) {
      case "text":
        return this.plain(character, code);
      case "escape":
        this.state = afterEscape(character, code);
        this.swallowed = 0;
        return "";
      case "short":
        if (code >= 0x20 && code <= 0x2f) return "";
        this.state = "text";
        return code >= 0x30 && code <= 0x7e ? "" : this.plain(character, code);
      case "sequence":
        // Parameters and intermediates go on; anything else is the last of it, or no sequence at all.
        if (code >= 0x20 && code <= 0x3f) return "";
        this.state = "text";
        return code >= 0x40 && code <= 0x7e ? "" : this.plain(character, code);
      case "string":
        return this.inString(character, code);
      case "string-escape":
        if (character === "\\") {
          this.state = "text";
          return "";
        }
        this.state = afterEscape(character, code);
        return "";
      default:
        return assertNever(this.state);
    }
  }

  private inString(character: string, code: number): string {
    this.swallowed += 1;
    if (code === escapeCode) this.state = "string-escape";
    else if (code === bell || code === 0x9c || this.swallowed > stringLimit) this.state = "text";
    else if (character === "\n") {
      // No title and no link has a line end: somebody forgot to finish it, or hides what follows.
      this.state = "text";
      return this.plain(character, code);
    }
    return "";
  }

  private plain(character: string, code: number): string {
    const afterReturn = this.afterReturn;
    this.afterReturn = character === "\r";
    if (character === "\n") return afterReturn ? "" : "\r\n";
    // A lone return would let later text lie over earlier text.
    if (character === "\r" || code === 0x2028 || code === 0x2029) return "\r\n";
    if (character === "\t") return "    ";
    if (code === escapeCode) {
      this.state = "escape";
      return "";
    }
    if (code === 0x9b) this.state = "sequence";
    else if (opensString(code)) this.state = "string";
    return isUnseen(code) ? "" : character;
  }
}

function afterEscape(character: string, code: number): State {
  if (character === "[") return "sequence";
  if ("]PX^_".includes(character)) return "string";
  if (code === escapeCode) return "escape";
  return code >= 0x20 && code <= 0x2f ? "short" : "text";
}

/** The one-character forms of what begins a string. */
function opensString(code: number): boolean {
  return code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f);
}

/** Control characters, and those that turn the direction of text. */
function isUnseen(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}
