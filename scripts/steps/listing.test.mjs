// The Marketplace's page carries its pictures, and leads nowhere that is not there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { listing, withPictures } from "./listing.mjs";

test("pictures are put into the page", () => {
  const shown = withPictures("a ![The queue](../docs/queue.png) b", () => Buffer.from("png"));
  assert.equal(shown, "a ![The queue](data:image/png;base64,cG5n) b");
});

test("a link that nobody can follow is refused", () => {
  assert.throws(() => withPictures("[here](ARCHITECTURE.md)", () => Buffer.from("")), /links to ARCHITECTURE\.md/);
});

test("our own page has at least two pictures and no lost link", () => {
  assert.ok(listing().split("data:image/png").length > 2);
});
