// The environment a served VS Code starts in: the person's own, without what would make it something else. A terminal
// inside VS Code points at the editor around it, npm names the script that runs, and some variables would replace the
// server's password or port.

const foreign = [
  /^VSCODE_/,
  /^ELECTRON_/,
  /^CODE_SERVER_/,
  /^npm_/,
  /^(PASSWORD|HASHED_PASSWORD|PORT|INIT_CWD|NODE_OPTIONS|NODE_ENV|NODE_TEST_CONTEXT|GITHUB_TOKEN)$/,
];

/** @param {Record<string, string | undefined>} environment @param {Record<string, string>} added */
export function serverEnvironment(environment, added) {
  const kept = Object.entries(environment).filter(([name]) => !foreign.some((pattern) => pattern.test(name)));
  // Without an extension gallery nothing is fetched or offered from outside.
  return { ...Object.fromEntries(kept), EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...added };
}
