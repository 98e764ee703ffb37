import assert from "node:assert/strict";
import { test } from "node:test";
import { pixelsOf, withPalette } from "./png-palette.mjs";

/** Three rows of two pixels, each row told by another filter. */
const small = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAHUlEQVR4nGNkZGL++Y+NiYGBgYv1L8vxJH2bhVcANCgGIMsKt/cAAAAASUVORK5CYII=",
  "base64",
);

test("pixels are read through the filters of their rows", () => {
  const { width, height, colours } = pixelsOf(small);
  assert.deepEqual([width, height], [2, 3]);
  assert.deepEqual([...colours], [0x010203, 0xfa0009, 0x010203, 0x040506, 0xc86432, 0x040506]);
});

test("what fits into a palette stays as it is", () => {
  assert.deepEqual(pixelsOf(withPalette(small)), pixelsOf(small));
});

test("what is written is a PNG that is read again, and written again it is the same", () => {
  const once = withPalette(small);
  assert.deepEqual(withPalette(once), once);
});
