// What people read, apart from what does it: package.nls.json has the texts of the manifest, l10n/bundle.l10n.json those
// of the extension and of the panel's page. Both are made from the sources, or only compared with them.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { StepFailed } from "./failure.mjs";
import { moveTexts } from "./manifest-texts.mjs";
import { manifest, root } from "./places.mjs";
import { bundleOf, textsIn } from "./source-texts.mjs";

const manifestPath = join(root, "package.json");
const nlsPath = join(root, "package.nls.json");
const bundlePath = join(root, "l10n", "bundle.l10n.json");
const sourceDirs = ["src", "panel"].map((name) => join(root, "extension", name));

/** The texts of the manifest by their keys. */
export function nls() {
  return read(nlsPath);
}

/** Moves the manifest's texts to package.nls.json and writes the bundle of the extension's. Says what changed. */
export function writeTexts() {
  const [ours, texts] = [manifest(), nls()];
  const moved = moveTexts(ours, texts);
  const changed = [
    write(manifestPath, ours) && `package.json (${moved.length} moved)`,
    write(nlsPath, texts) && "package.nls.json",
    write(bundlePath, currentBundle()) && "l10n/bundle.l10n.json",
  ].filter(Boolean);
  return changed.length === 0 ? "nothing had changed" : `wrote ${changed.join(", ")}`;
}

/** Fails where the bundle is not what the sources say. */
export function checkBundle() {
  if (textOf(currentBundle()) !== textOf(read(bundlePath)))
    throw new StepFailed(
      "l10n/bundle.l10n.json is not what the sources say. Run `npm run l10n` and commit the result.",
    );
}

function currentBundle() {
  const found = sources().flatMap(({ name, source }) => textsIn(source, name));
  const { bundle, faults } = bundleOf(found);
  if (faults.length > 0) throw new StepFailed(`${faults.join("; ")}.`);
  return bundle;
}

/** What the extension and its page are made of, by the name from the root. */
export function sources() {
  return sourceDirs.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith(".gen.ts"))
      .sort()
      .map((name) => ({
        name: relative(root, join(folder, name)),
        source: readFileSync(join(folder, name), "utf8"),
      })),
  );
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

const textOf = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

function write(path, value) {
  const text = textOf(value);
  if (textOf(read(path)) === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}
