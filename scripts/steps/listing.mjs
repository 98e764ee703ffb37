// The page that people see in the Marketplace and in VS Code's list of extensions: extension/README.md with its pictures
// inside. There is no public address to fetch them from, and VS Code shows a picture only from one or from the page itself.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { StepFailed } from "./failure.mjs";
import { root } from "./places.mjs";

const page = join("extension", "README.md");

export function listing() {
  return withPictures(readFileSync(join(root, page), "utf8"), (path) => {
    try {
      return readFileSync(join(root, dirname(page), path));
    } catch {
      throw new StepFailed(`${page} shows the picture ${path}, which is not there.`);
    }
  });
}

/** @param {(path: string) => Buffer} read */
export function withPictures(markdown, read) {
  const shown = markdown.replaceAll(/!\[([^\]]*)\]\(([^)\s]+\.png)\)/g, (_, words, path) => {
    return `![${words}](data:image/png;base64,${read(path).toString("base64")})`;
  });
  const lost = /\]\((?!https:|data:|command:|#|mailto:)([^)]+)\)/.exec(shown)?.[1];
  if (lost !== undefined) throw new StepFailed(`${page} links to ${lost}, which the Marketplace cannot follow.`);
  return shown;
}
