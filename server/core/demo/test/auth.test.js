import assert from "node:assert/strict";
import { test } from "node:test";
import { logIn, register, whoIs } from "../src/auth.js";

test("a registered person gets a session with the right password only", () => {
  register("ada", "lovelace");
  assert.equal(logIn("ada", "wrong"), undefined);
  assert.equal(whoIs(logIn("ada", "lovelace")), "ada");
});
