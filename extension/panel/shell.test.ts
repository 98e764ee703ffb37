// The panel around its pages, as the host makes it move.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { el } from "./dom";
import type { FromPage, Link, ToPage } from "./messages";
import type { PageKind } from "./page";
import { Shell } from "./shell";
import { found, makePage, settled } from "./test_page";

/** A panel with one page, and the editor that it is in. */
async function opened(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const body = makePage();
  const sent: FromPage[] = [];
  let listen: (message: ToPage) => void = () => {};
  const page: PageKind = {
    id: "board",
    label: "Board",
    icon: "project",
    parts: ["queue"],
    make: () => ({ element: el("div", { text: "what is on the board" }), refresh: async () => {} }),
  };
  const transport = {
    send: (message: FromPage) => sent.push(message),
    onMessage: (listener: typeof listen) => {
      listen = listener;
    },
    kept: () => undefined,
    keep() {},
  };
  const { host } = new Shell(body, transport, [page]);
  const stands = async (kind: Link["kind"], reason = "") => {
    listen({ kind: "link", link: { kind, reason }, now: 0 });
    await settled();
  };
  const said = () => body.querySelector('[role="status"]')?.textContent;
  await stands("connected");
  return { body, sent, host, stands, said, tell: (message: ToPage) => listen(message) };
}

test("however the connection is lost, screen readers are told", async (t) => {
  const { stands, said } = await opened(t);
  for (const [kind, title] of [
    ["reconnecting", /connection to the host was lost/],
    ["stopped", /was stopped/],
    ["down", /no connection/],
    ["restricted", /not trusted/],
  ] as const) {
    await stands("connected");
    await stands(kind, "It broke.");
    assert.match(said() ?? "", title, kind);
  }
});

test("an order that is refused for its shape is told, seen and heard, and fails nowhere", async (t) => {
  const { body, sent, host, said, tell } = await opened(t);
  const act = host.act("host/log", {});
  const order = sent.at(-1);
  assert.ok(order?.kind === "act");
  tell({ kind: "refusal", id: order.id, message: "This cannot be asked for: it is too long." });
  assert.equal(await act, false);
  assert.match(said() ?? "", /too long/);
  const told = found(body, ".banner", "too long");
  assert.equal(told.hidden, false);
  found(told, "vscode-button", "Close").click();
  assert.equal(told.hidden, true);
});
