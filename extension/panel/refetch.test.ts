import assert from "node:assert/strict";
import { test } from "node:test";
import { Refetch } from "./refetch";
import { settled } from "./test_page";

/** A refetch whose work ends when the test says so. */
function fetching() {
  const under: (() => void)[] = [];
  let begun = 0;
  const refetch = new Refetch(() => {
    begun += 1;
    return new Promise((resolve) => under.push(resolve));
  });
  const end = async () => {
    under.shift()?.();
    await settled();
  };
  return { refetch, begun: () => begun, end };
}

test("what a person asks for while it is fetched is fetched as soon as that is done", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { refetch, begun, end } = fetching();
  refetch.ask();
  refetch.askNow();
  assert.equal(begun(), 1);
  await end();
  assert.equal(begun(), 2, "without a rest");
  await end();
  t.mock.timers.tick(10_000);
  assert.equal(begun(), 2, "and once");
});

test("what has merely moved waits for the rest, once however often it moved", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { refetch, begun, end } = fetching();
  refetch.ask();
  refetch.ask();
  refetch.ask();
  await end();
  assert.equal(begun(), 1);
  t.mock.timers.tick(10_000);
  assert.equal(begun(), 2);
  await end();
  refetch.askNow();
  assert.equal(begun(), 3, "a person does not wait for the rest");
});
