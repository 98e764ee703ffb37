// The system's Chromium, driven by playwright-core, kept from the network: no name but 127.0.0.1 is known to
// it, and every request that would leave is stopped and noted. It downloads no browser.

import { chromium } from "playwright-core";
import { findSystemProgram } from "../../scripts/steps/system-packages.mjs";
import { assertAccessible, watch } from "./judgement.mjs";

export async function launchChromium() {
  const executablePath = findSystemProgram("chromium");
  if (!executablePath)
    throw new Error("Chromium is not on the PATH. `npm test` installs it; by hand: apt-get install chromium.");
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      // Tests run as root in containers, where Chromium's own sandbox cannot start; it only sees our server.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}

/**
 * A fresh browser profile with one page, of which everything that goes wrong is noted.
 * @returns what drives it; `judge` has to be called before the test file ends
 */
export async function openPage(browser, { width = 1400, height = 900, timeoutMs = 60_000, userAgent } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...(userAgent ? { userAgent } : {}) });
  const watching = await watch(context);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  return {
    page,
    watching,
    /** Fails when anything went wrong in the page so far, and when something is wrong with what is on screen now. */
    judge: (what) => assertAccessible("the page", page.mainFrame()).finally(() => watching.judge(what)),
    async close() {
      watching.end();
      await context.close();
    },
  };
}
