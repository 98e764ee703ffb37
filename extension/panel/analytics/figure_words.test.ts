// Figures in words: nothing to count is never 0 %.

import assert from "node:assert/strict";
import { test } from "node:test";
import { costText, lengthText, memoryText, partText, percentText, rateText, shortPartText } from "./figure_words";
import { asked, choiceIn } from "./period";

test("a rate comes with its counts, and of nothing nothing is said", () => {
  assert.equal(percentText({ part: 2, of: 3 }), "67 %");
  assert.equal(rateText({ part: 2, of: 3 }), "67 % (2 of 3)");
  assert.equal(rateText({ part: 0, of: 3 }), "0 % (0 of 3)");
  assert.equal(percentText({ part: 0, of: 0 }), "–");
  assert.equal(rateText({ part: 0, of: 0 }), "–");
});

test("times, costs and parts of a period", () => {
  assert.deepEqual(
    [lengthText(null), lengthText(250), lengthText(90_000), lengthText(0)],
    ["–", "250 ms", "1 min 30 s", "0 s"],
  );
  assert.deepEqual([null, 0, 1_023, 1_024, 1_048_575, 104_857_600].map(memoryText), [
    "–",
    "0 bytes",
    "1023 bytes",
    "1 KiB",
    "1023 KiB",
    "100 MiB",
  ]);
  assert.equal(costText([]), "–");
  assert.equal(costText([{ currency: "USD", amount: "0.42", runs: 1 }]), "0.42 USD");
  const start = Date.UTC(2026, 10, 16, 4, 0);
  const parts = (["hour", "day", "week"] as const).map((bucket) => ({ bucket, utcOffsetMinutes: 60 }));
  assert.deepEqual(
    parts.map((part) => partText(start, part)),
    ["2026-11-16 05:00", "2026-11-16", "week of 2026-11-16"],
  );
  assert.deepEqual(
    parts.map((part) => shortPartText(start, part)),
    ["11-16 05:00", "11-16", "11-16"],
  );
});

test("what is asked for is what was chosen; what was kept is looked at first", () => {
  const now = Date.UTC(2026, 10, 16);
  assert.deepEqual(choiceIn({ period: "made-up", agent: 3 }), { period: "month", agent: "", label: "" });
  const ask = asked(choiceIn({ period: "day", agent: "goose" }), now);
  assert.deepEqual(
    [ask.bucket, ask.agent, ask.label, ask.from, ask.to],
    ["hour", "goose", undefined, now - 86_400_000, now + 1],
  );
});

test("days from before the clock was changed are called by the offset that they were counted with", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Europe/Berlin";
  try {
    const now = Date.UTC(2026, 9, 27, 12);
    const { utcOffsetMinutes, bucket } = asked(choiceIn({ period: "week" }), now);
    assert.deepEqual([utcOffsetMinutes, bucket], [60, "day"]);
    // The sidecar's days begin at midnight of that offset, in summer as well: at one o'clock of the person's own clock then.
    const midnight = Date.UTC(2026, 9, 20, 23);
    assert.equal(partText(midnight, { bucket: "day", utcOffsetMinutes }), "2026-10-21");
    const winter = asked(choiceIn({ period: "month" }), Date.UTC(2026, 3, 10, 12));
    assert.equal(winter.utcOffsetMinutes, 120);
    // And in winter at eleven o'clock in the evening before.
    const before = Date.UTC(2026, 2, 19, 22);
    assert.equal(partText(before, { bucket: "day", utcOffsetMinutes: winter.utcOffsetMinutes }), "2026-03-20");
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
