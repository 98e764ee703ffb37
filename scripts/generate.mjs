// `npm run generate`: writes extension/src/protocol.gen.ts from the Rust wire types, and docs/*.schema.json from the tables of settings.

import { main } from "./steps/failure.mjs";
import { generateProtocol, generateSchemas } from "./steps/generated.mjs";

await main(async () => {
  await generateProtocol();
  await generateSchemas();
});
