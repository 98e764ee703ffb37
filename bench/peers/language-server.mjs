// The least that makes a language server in Node: `vscode-languageserver`, an answer to `initialize`, nothing else.
// Its package's folder is the first argument; it speaks over its input and output.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "package.json"));
const { createConnection, ProposedFeatures } = require("vscode-languageserver/node");

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
connection.onInitialize(() => ({ capabilities: {}, serverInfo: { name: "minimal" } }));
connection.listen();
