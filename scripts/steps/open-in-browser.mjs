// Opens an address in the person's browser where there is a screen; says nothing when there is none, since the address
// is printed anyway. The password is never part of it.

import { spawn } from "node:child_process";
import { findProgram } from "./command.mjs";

export function openInBrowser(address) {
  const hasScreen = process.platform === "darwin" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const opener = hasScreen && (findProgram("xdg-open") ?? findProgram("open"));
  if (!opener) return;
  const child = spawn(opener, [address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
