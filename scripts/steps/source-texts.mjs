// The texts in the extension's sources that go through `t("…")`: found by reading TypeScript just well enough to tell
// code from comments, texts and patterns. A text must be one literal, since the text is its own key; what comes from
// outside is an argument in the place of {0}.

/** A call of `t`, not of something that ends with it, and not its declaration. */
const opener = /(?<![.\w$])(?<!function\s+)t\(\s*/g;
/** After these a slash begins a pattern, not a division. */
const beforePattern = /(?:^|[([{,;:=!&|?+\-*%~^<>]|\breturn|\bcase|\btypeof)$/;

/**
 * @param {string} source TypeScript
 * @param {string} file its name, for what is told
 * @returns {{ file: string, line: number, text?: string }[]} each call; without
 *   `text` where its first argument is not one plain literal
 */
export function textsIn(source, file) {
  const tokens = tokensOf(source);
  const found = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "code") continue;
    for (const call of token.text.matchAll(opener)) {
      const reachesEnd = call.index + call[0].length === token.text.length;
      const literal = reachesEnd ? tokens[at + 1] : undefined;
      const next = tokens[at + 2]?.text.trimStart()[0] ?? ")";
      const isPlain = literal?.kind === "text" && (next === "," || next === ")");
      const line = source.slice(0, token.end).split("\n").length;
      found.push({ file, line, ...(isPlain ? { text: literal.value } : {}) });
    }
  }
  return found;
}

/** The bundle of what was found, in order of the text, and what is wrong with a call. */
export function bundleOf(found) {
  const faults = found
    .filter(({ text }) => text === undefined)
    .map(
      ({ file, line }) => `${file}:${line}: the first argument of t() must be one literal, with {0} for what is put in`,
    );
  const texts = [...new Set(found.map(({ text }) => text).filter((text) => text !== undefined))].sort();
  return { bundle: Object.fromEntries(texts.map((text) => [text, text])), faults };
}

/** The source as pieces of code, plain texts, templates, patterns and comments; comments are left out. */
export function tokensOf(source) {
  const tokens = [];
  let code = "";
  let at = 0;
  const push = (token) => {
    if (code !== "") tokens.push({ kind: "code", text: code, end: at });
    code = "";
    tokens.push(token);
  };
  while (at < source.length) {
    const rest = source.slice(at, at + 2);
    const char = source[at];
    if (rest === "//") at = endOf(source, "\n", at);
    else if (rest === "/*") at = endOf(source, "*/", at) + 2;
    else if (char === '"' || char === "'") {
      const end = endOfText(source, at);
      const raw = source.slice(at, end);
      push({ kind: "text", text: raw, value: literalValue(raw), start: at, end });
      at = end;
    } else if (char === "`") {
      const end = endOfTemplate(source, at);
      const raw = source.slice(at, end);
      // A template without places is a text like any other.
      if (raw.includes("${")) push({ kind: "template", text: raw, value: fixedParts(raw), start: at, end });
      else
        push({
          kind: "text",
          text: raw,
          value: literalValue(`"${raw.slice(1, -1).replaceAll('"', '\\"')}"`),
          start: at,
          end,
        });
      if (raw.includes("${")) for (const inner of placesIn(raw)) tokens.push(...tokensOf(inner));
      at = end;
    } else if (char === "/" && beforePattern.test(code.trimEnd() || lastCode(tokens))) {
      const end = endOfPattern(source, at);
      push({ kind: "pattern", text: source.slice(at, end), start: at, end });
      at = end;
    } else {
      code += char;
      at += 1;
    }
  }
  if (code !== "") tokens.push({ kind: "code", text: code, end: at });
  return tokens;
}

const lastCode = (tokens) => (tokens.at(-1)?.kind === "code" ? tokens.at(-1).text.trimEnd() : "");

function endOf(source, mark, from) {
  const found = source.indexOf(mark, from);
  return found === -1 ? source.length : found;
}

function endOfText(source, from) {
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === source[from] || source[at] === "\n") return at + 1;
  }
  return source.length;
}

function endOfPattern(source, from) {
  let inClass = false;
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "[") inClass = true;
    else if (source[at] === "]") inClass = false;
    else if (source[at] === "/" && !inClass) return at + 1;
  }
  return source.length;
}

/** Templates hold code, and that holds templates again. */
function endOfTemplate(source, from) {
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "`") return at + 1;
    else if (source.startsWith("${", at)) at = endOfPlace(source, at + 2);
  }
  return source.length;
}

/** Where the `}` of a place stands. */
function endOfPlace(source, from) {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const char = source[at];
    if (char === '"' || char === "'") at = endOfText(source, at) - 1;
    else if (char === "`") at = endOfTemplate(source, at) - 1;
    else if (char === "{") depth += 1;
    else if (char === "}") {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return source.length;
}

function placesIn(template) {
  const places = [];
  for (let at = 1; at < template.length; at += 1) {
    if (template[at] === "\\") at += 1;
    else if (template.startsWith("${", at)) {
      const end = endOfPlace(template, at + 2);
      places.push(template.slice(at + 2, end));
      at = end;
    }
  }
  return places;
}

/** What a template says whatever is put in, with `{}` for each place. */
function fixedParts(template) {
  let fixed = "";
  for (let at = 1; at < template.length - 1; at += 1) {
    if (template.startsWith("${", at)) {
      at = endOfPlace(template, at + 2);
      fixed += "{}";
    } else fixed += template[at];
  }
  return fixed;
}

function literalValue(raw) {
  const inside = raw.slice(1, -1).replaceAll("\\'", "'");
  return JSON.parse(`"${raw[0] === "'" ? inside.replaceAll('"', '\\"') : inside}"`);
}
