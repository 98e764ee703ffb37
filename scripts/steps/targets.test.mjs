// For which platforms a VSIX can be built, and what is said where it cannot.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crossEnvironment, whyNot } from "./targets.mjs";

const machine = (native, ...has) => ({
  native,
  hasProgram: (name) => has.includes(name),
  hasRustTarget: (name) => has.includes(name),
});

test("a machine builds for itself without anything more", () => {
  assert.equal(whyNot("linux-x64", machine("linux-x64")), undefined);
  assert.equal(whyNot("linux-arm64", machine("linux-arm64")), undefined);
});

test("another processor needs a linker and Rust's library, and both are named with how to get them", () => {
  assert.equal(
    whyNot("linux-arm64", machine("linux-x64")),
    "A VSIX for linux-arm64 needs the linker aarch64-linux-gnu-gcc (`apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross`) and Rust's library for aarch64-unknown-linux-gnu (`rustup target add aarch64-unknown-linux-gnu`). Get them, then run this again.",
  );
  assert.match(
    whyNot("linux-arm64", machine("linux-x64", "aarch64-linux-gnu-gcc")),
    /^A VSIX for linux-arm64 needs Rust's library .* Get it, then run this again\.$/,
  );
  assert.equal(
    whyNot("linux-arm64", machine("linux-x64", "aarch64-linux-gnu-gcc", "aarch64-unknown-linux-gnu")),
    undefined,
  );
  assert.deepEqual(crossEnvironment("linux-arm64"), {
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER: "aarch64-linux-gnu-gcc",
    CC_aarch64_unknown_linux_gnu: "aarch64-linux-gnu-gcc",
    AR_aarch64_unknown_linux_gnu: "aarch64-linux-gnu-ar",
  });
});

test("platforms without a product are refused with the reason, wherever one is", () => {
  assert.match(whyNot("win32-x64", machine("win32-x64")), /the product is for Unix so far/);
  assert.match(whyNot("darwin-arm64", machine("darwin-arm64")), /what Linux alone offers/);
  assert.match(whyNot("linux-x64", machine("darwin-arm64")), /is built on linux\. Run this there\./);
  assert.match(
    whyNot("amiga", machine("linux-x64")),
    /^There is no platform amiga\. Use one of linux-x64, linux-arm64,/,
  );
});
