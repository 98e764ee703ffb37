// `npm run generate`: writes extension/src/protocol.gen.ts from the Rust wire types.

import { main } from "./steps/failure.mjs";
import { generateProtocol } from "./steps/generated.mjs";

await main(() => generateProtocol());
