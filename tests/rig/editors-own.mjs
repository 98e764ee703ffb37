// What VS Code itself does wrong in a window without us: whole messages, rules of axe-core at its own parts, and what its
// logger says of the editor alone. Whatever names us, comes from a page of ours or is an exception is never among it.

const told = (text) => `console: ${text} (/static/out/vs/code/browser/workbench/workbench.js)`;
const logged = (text) => told(`%c  ERR color: #f33 ${text}`);
const notFound = (path) =>
  `console: Failed to load resource: the server responded with a status of 404 (Not Found) (${path})`;
const registered = "Extension `vscode.typescript-language-features` is already registered";

/** As they are noted, without stacks. */
export const editorsMessages = [
  // A part of Microsoft's own builds that code-server does not have.
  notFound("/static/node_modules/vsda/rust/web/vsda_bg.wasm"),
  notFound("/static/node_modules/vsda/rust/web/vsda.js"),
  // Nobody is logged in here.
  logged("Error: Timed out waiting for authentication provider 'github' to register."),
  // Translations of its own extensions are looked for in a marketplace, of which there is none.
  logged("Error: No extension gallery service configured."),
  // A window is reloaded, or left for another folder.
  ...["disconnectRemote", "chatSessionStore", "chatEditingSession"].map((id) => leaving(`join.${id}`)),
  leaving("workbench.contrib.editorChatUsage"),
  logged("oa: Unable to write file 'vscode-log:/window.log' (Error: IndexedDB database 'vscode-web-db' is closed.)"),
  // A folder is trusted while the window is open.
  told(registered),
  logged(`[Extension Host] ${registered}`),
  told(`%c[Extension Host] %c${registered} color: blue color: `),
  told("Activating extension 'vscode.typescript-language-features' failed: Not Found."),
];

/**
 * A line of VS Code's own log in which nothing of ours stands, neither in the words nor in the stack: the extension, its
 * commands, views and files all have our name in theirs. Only the name of a file that an editor was about to read when its
 * window was left may be any.
 */
export function isEditorsLog(line) {
  const isLogged = /^console: %c {2}ERR color: #f33 /.test(line);
  const said = line.replace(/Unable to read file '[^'\n]*' \(Canceled: Canceled\)/, "");
  return isLogged && line.endsWith("(/static/out/vs/code/browser/workbench/workbench.js)") && !/augment/i.test(said);
}

function leaving(id) {
  return logged(`[lifecycle] Long running operations during shutdown are unsupported in the web (id: ${id})`);
}

/** Rules of axe-core with the parts of the window's own frame that break them, whoever fills it. */
export const editorsFaults = [
  // Every colour of the window is its theme's, whoever fills it, and some themes are pale: lenses, rows under the pointer. Pages
  // of ours are looked at for it.
  ["color-contrast", "*"],
  // The header of a view is a button and holds the view's buttons.
  ["nested-interactive", ".pane-header"],
  // Its name has a dash between the title and what is said beside it.
  ["label-content-name-mismatch", ".pane-header"],
  // What every empty view says is a region called "Welcome".
  ["landmark-unique", ".welcome-view-content"],
  // A row's label and description are drawn with no space between, so no name holds them. Names are looked at apart from it.
  ["label-content-name-mismatch", ".monaco-list-row"],
  // The row that sticks to the top of a long tree can be reached by Tab.
  ["aria-required-children", ".monaco-list"],
  // A comment is an item of a list that is none, and is called by its author and its text without what else it shows.
  ["aria-required-parent", ".review-comment"],
  ["label-content-name-mismatch", ".review-comment"],
];
