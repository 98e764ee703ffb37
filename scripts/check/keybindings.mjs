// Whether a key of ours takes a key of VS Code's away: both would act in the same situation. Situations are named here with
// what VS Code's context keys say in them; the defaults come from VS Code itself. It reads nothing and asks nobody.

/** Where a person can be, and what is true there. What is not named is not. */
export function situations(views) {
  const list = { listFocus: true, listSupportsMultiselect: true, listHasSelectionOrFocus: true, sideBarFocus: true };
  const editor = {
    editorFocus: true,
    editorTextFocus: true,
    textInputFocus: true,
    inputFocus: true,
    editorIsOpen: true,
    activeEditor: "workbench.editors.files.textFileEditor",
  };
  return {
    "in an editor": editor,
    "in an editor with several cursors": { ...editor, editorHasSelection: true, editorHasMultipleSelections: true },
    "in a diff editor": {
      ...editor,
      isInDiffEditor: true,
      textCompareEditorVisible: true,
      textCompareEditorActive: true,
    },
    "in the explorer": {
      ...list,
      explorerViewletFocus: true,
      filesExplorerFocus: true,
      focusedView: "workbench.explorer.fileView",
    },
    "in a terminal": { terminalFocus: true, terminalIsOpen: true, terminalProcessSupported: true, panelFocus: true },
    "in an input box": { inputFocus: true, textInputFocus: true },
    ...Object.fromEntries(views.map((view) => [`in the view ${view}`, { ...list, focusedView: view }])),
  };
}

/**
 * @param {{ key?: string, mac?: string, command: string, when?: string }[]} ours
 * @param {{ key: string, command: string, when?: string }[]} defaults those of the platform, without ours
 * @param {"key" | "mac"} platform which of our keys count
 * @returns {string[]} one phrase for each clash
 */
export function keyClashes(ours, defaults, platform, views) {
  const clashes = [];
  for (const binding of ours) {
    const key = normal(binding[platform] ?? binding.key);
    const same = defaults.filter((one) => overlap(normal(one.key), key));
    for (const [where, keys] of Object.entries(situations(views))) {
      // A key of ours that reads a state of ours must be safe whenever that state is there.
      const context = (name) => (name.startsWith("augmentOrchestrator.") ? true : keys[name]);
      if (!holds(binding.when, context, { ours: true })) continue;
      for (const one of same.filter(({ when }) => holds(when, context)))
        clashes.push(
          `${key} is ${binding.command}, and ${where} it is ${one.command} already (${one.when ?? "always"})`,
        );
    }
  }
  return [...new Set(clashes)];
}

/** The first stroke of a chord takes the key alone away, and the other way round. */
function overlap(one, other) {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
}

const modifiers = ["ctrl", "shift", "alt", "cmd", "meta", "win"];

/** `Shift+Ctrl+F7` as `ctrl+shift+f7`. */
export function normal(key) {
  return key
    .toLowerCase()
    .split(" ")
    .map((stroke) => {
      const parts = stroke.split(/\+(?=.)/);
      const held = modifiers.filter((modifier) => parts.slice(0, -1).includes(modifier));
      return [...held, parts.at(-1)].join("+");
    })
    .join(" ");
}

/** What `Preferences: Open Default Keyboard Shortcuts (JSON)` shows. Commands without a key are comments there. */
export function readDefaults(text) {
  const plain = text.replaceAll(/^\s*\/\/.*$/gm, "");
  return JSON.parse(plain.replaceAll(/,(\s*\])/g, "$1"));
}

/**
 * Whether a `when` holds. States of ours that are compared with something hold, too.
 * @param {(name: string) => unknown} context
 */
export function holds(when, context, { ours = false } = {}) {
  if (when === undefined || when.trim() === "") return true;
  const tokens = when.match(/\/(?:\\.|[^/\\])+\/[a-z]*|&&|\|\||==|!=|=~|<=|>=|[!()<>]|'[^']*'|[^\s!()=<>&|]+/g) ?? [];
  let at = 0;
  const take = (token) => tokens[at] === token && ++at > 0;
  const either = () => {
    let value = both();
    while (take("||")) value = both() || value;
    return value;
  };
  const both = () => {
    let value = not();
    while (take("&&")) value = not() && value;
    return value;
  };
  const not = () => {
    if (take("!")) return !not();
    if (take("(")) {
      const value = either();
      take(")");
      return value;
    }
    return term();
  };
  const term = () => {
    const name = tokens[at++];
    const value = name === "true" ? true : name === "false" ? false : context(name);
    const isOurs = ours && name.startsWith("augmentOrchestrator.");
    const compare = tokens[at];
    if (compare === "not" && tokens[at + 1] === "in") {
      at += 3;
      return true;
    }
    if (!["==", "!=", "=~", "<", "<=", ">", ">=", "in"].includes(compare)) return Boolean(value);
    const wanted = tokens[at + 1]?.replaceAll("'", "") ?? "";
    at += 2;
    if (isOurs) return true;
    if (compare === "==") return String(value ?? "") === wanted || (wanted === "true" && value === true);
    if (compare === "!=") return String(value ?? "") !== wanted;
    if (compare === "=~") return pattern(wanted).test(String(value ?? ""));
    if (compare === "in") return false;
    const [left, right] = [Number(value ?? 0), Number(wanted)];
    return compare === "<"
      ? left < right
      : compare === "<="
        ? left <= right
        : compare === ">"
          ? left > right
          : left >= right;
  };
  return either();
}

function pattern(text) {
  const [, body = "", flags = ""] = /^\/(.*)\/([a-z]*)$/.exec(text) ?? [];
  return new RegExp(body, flags);
}
