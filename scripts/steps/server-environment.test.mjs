// A served VS Code does not take over what belongs to the terminal, to npm or to another server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { serverEnvironment } from "./server-environment.mjs";

test("what would replace the password, the port or the editor is left out", () => {
  const environment = {
    HOME: "/home/ada",
    LANG: "C.UTF-8",
    PASSWORD: "known",
    HASHED_PASSWORD: "known",
    PORT: "80",
    VSCODE_IPC_HOOK_CLI: "/run/other.sock",
    npm_lifecycle_event: "start",
  };
  assert.deepEqual(serverEnvironment(environment, { AUGMENT_HOME: "/scratch" }), {
    HOME: "/home/ada",
    LANG: "C.UTF-8",
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    AUGMENT_HOME: "/scratch",
  });
});
