// The system's Chromium, driven by playwright-core, kept from the network: every request that would leave 127.0.0.1
// is stopped and noted. It downloads no browser.

import { chromium } from "playwright-core";
import { findSystemProgram } from "../../scripts/steps/system-packages.mjs";

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
    ],
  });
}

/**
 * A fresh browser profile with one page.
 * @returns {Promise<{ page: import("playwright-core").Page, outside: string[], errors: string[], close(): Promise<void> }>}
 */
export async function openPage(browser, { width = 1400, height = 900, timeoutMs = 60_000 } = {}) {
  const context = await browser.newContext({ viewport: { width, height } });
  const outside = [];
  const errors = [];
  await context.route(
    (url) => /^(https?|wss?):$/.test(url.protocol) && url.hostname !== "127.0.0.1",
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { page, outside, errors, close: () => context.close() };
}
