// A round of review goes through everything once, comes back to what was skipped, and counts what is so, whoever decides.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedFile, Hunk, Standing } from "../protocol.gen";
import { previousStop, type Standpoint, stopsOf } from "./hunk_order";
import { ReviewRound, type Step } from "./review_round";
import { endWords, placeWords, summaryWords, turnWords, waitWords } from "./review_words";

/** `a.ts:3` is a hunk in a.ts at line 3, and that is its id, too. */
function files(text: string, standing: Standing = "pending"): ChangedFile[] {
  const byPath = new Map<string, Hunk[]>();
  for (const id of text.split(" ").filter((word) => word !== "")) {
    const [path = "", line = "0"] = id.split(":");
    const plain = { id, line: Number.parseInt(line, 10), standing, findings: [], flag: null };
    // `a.ts:3!` is outside the scope.
    const hunk = id.endsWith("!") ? { ...plain, flag: { kind: "out-of-scope" } } : plain;
    byPath.set(path, [...(byPath.get(path) ?? []), hunk as unknown as Hunk]);
  }
  return [...byPath].map(([path, hunks]) => ({ path, hunks }) as ChangedFile);
}

const stops = (text: string) => stopsOf(files(text));
const on = (id: string): Standpoint => {
  const [path = "", line = "0"] = id.split(":");
  return { path, line: Number.parseInt(line, 10), hunk: id };
};
const told = (step: Step | undefined) => step && `${step.stop.hunk.id} ${step.turn}`;

function begun(text: string): ReviewRound {
  const round = new ReviewRound();
  round.see(stops(text));
  return round;
}

/** Decides on one, as the host tells it afterwards: what waits is `left`. @returns where it goes on */
function decide(
  round: ReviewRound,
  id: string,
  left: string,
  verdict: "approve" | "reject" = "approve",
): Step | undefined {
  const before = round.stops;
  round.decide(`d-${id}`, verdict, stops(id));
  round.see(stops(left));
  return round.nextAfter(before, on(id));
}

test("the way leads over files and around the end", () => {
  const round = begun("a:3 a:9 b:1 c:2");
  assert.equal(told(round.next(undefined)), "a:3 on");
  assert.equal(told(round.next(on("a:3"))), "a:9 on");
  assert.equal(told(round.next({ path: "a", line: 20 })), "b:1 on");
  assert.equal(told(round.next(on("c:2"))), "a:3 around");
  assert.equal(previousStop(round.stops, on("a:3"))?.hunk.id, "c:2");
  assert.equal(previousStop(round.stops, on("b:1"))?.hunk.id, "a:9");
});

test("hunks at the same line are all come to", () => {
  const round = begun("a:0:mode a:0:text b:1");
  assert.equal(told(round.next(on("a:0:mode"))), "a:0:text on");
  assert.equal(told(round.next(on("a:0:text"))), "b:1 on");
});

test("what is skipped comes again at the end, once", () => {
  const round = begun("a:3 a:9 b:1");
  round.skip("a:3");
  assert.equal(told(round.next(on("a:3"))), "a:9 on");
  round.skip("a:9");
  assert.equal(told(decide(round, "b:1", "a:3 a:9")), "a:3 again");
  round.skip("a:3");
  assert.equal(told(round.next(on("a:3"))), "a:9 on");
  assert.equal(round.isOver, false);
  round.skip("a:9");
  assert.equal(round.next(on("a:9")), undefined);
  assert.equal(round.isOver, true);
  assert.equal(summaryWords(round.tally()), "Review done: 1 approved, 2 skipped in 2 files.");
});

test("the only one that is left comes again at once", () => {
  const round = begun("a:3");
  assert.equal(told(round.next(on("a:3"))), "a:3 only");
  round.skip("a:3");
  assert.equal(told(round.next(on("a:3"))), "a:3 only");
  round.skip("a:3");
  assert.equal(round.isOver, true);
});

test("who begins in the middle comes to the beginning, too", () => {
  const round = begun("a:3 b:1 c:2");
  assert.equal(told(decide(round, "b:1", "a:3 c:2")), "c:2 on");
  assert.equal(told(decide(round, "c:2", "a:3")), "a:3 around");
  assert.equal(decide(round, "a:3", ""), undefined);
  assert.equal(round.isOver, true);
});

test("after a rejection the next one is found though its line has moved", () => {
  const round = begun("a:10 a:15 b:1");
  const before = round.stops;
  round.decide("d1", "reject", stops("a:10"));
  const moved = files("b:1");
  const [a] = files("a:15");
  moved.unshift({ path: "a", hunks: a?.hunks.map((hunk) => ({ ...hunk, line: 10 })) } as ChangedFile);
  round.see(stopsOf(moved));
  assert.equal(told(round.nextAfter(before, on("a:10"))), "a:15 on");
});

test("progress is the place in the whole, and goes up by one with each step", () => {
  const round = begun("a:3 a:9 b:1 c:2");
  const place = (id: string) => {
    const at = round.placeOf(id);
    return at && placeWords(at);
  };
  assert.equal(place("a:3"), "hunk 1 of 4");
  decide(round, "a:3", "a:9 b:1 c:2");
  assert.equal(place("a:9"), "hunk 2 of 4");
  round.skip("a:9");
  assert.equal(place("b:1"), "hunk 3 of 4");
  decide(round, "b:1", "a:9 c:2", "reject");
  assert.equal(place("c:2"), "hunk 4 of 4");
  decide(round, "c:2", "a:9");
  assert.equal(place("a:9"), "hunk 4 of 4", "what comes again is the last that is left");
});

test("how many wait is one number with one meaning, and the place beside it is another", () => {
  const round = begun("a:3 a:9 b:1 c:2");
  const said = (id?: string) => waitWords(round.stops.length, id === undefined ? undefined : round.placeOf(id));
  assert.equal(said(), "4 to review");
  assert.equal(said("a:3"), "4 to review · hunk 1 of 4");
  decide(round, "a:3", "a:9 b:1 c:2");
  assert.equal(said("a:9"), "3 to review · hunk 2 of 4");
  assert.equal(said("c:2"), "3 to review · hunk 4 of 4");
});

test("what others decide leaves the count, and what comes joins it", () => {
  const round = begun("a:3 a:9 b:1 c:2");
  decide(round, "a:3", "a:9 b:1 c:2");
  round.see(stops("a:9 c:2"));
  assert.deepEqual(round.placeOf("c:2"), { at: 3, of: 3 });
  assert.equal(round.placeOf("b:1"), undefined);
  round.see(stops("a:9 c:2 d:1 d:5"));
  assert.deepEqual(round.placeOf("d:5"), { at: 5, of: 5 });
  assert.equal(round.tally().elsewhere, 1);
  round.see(stops(""));
  assert.equal(
    summaryWords(round.tally()),
    "Review done: 1 approved in 1 file. 5 hunks have changed or were decided elsewhere.",
  );
});

test("what was logged and taken out here was not decided elsewhere", () => {
  const round = begun("a:3 b:1 b:5 c:2 d:1");
  decide(round, "a:3", "b:1 b:5 c:2 d:1");
  round.takeOut(stops("b:1 b:5"));
  // What was asked for before that.
  round.see(stops("b:1 b:5 c:2 d:1"));
  assert.equal(round.tally().takenOut, 0, "it still waits");
  round.see(stops("c:2 d:1"));
  const words = (logged: string) => `Review so far: 1 approved in 1 file. 2 hunks still wait. ${logged}`;
  assert.equal(summaryWords(round.tally()), words("2 hunks were logged and taken out."));
  round.see(stops("b:1 c:2 d:1"));
  round.see(stops("c:2 d:1"));
  assert.equal(
    summaryWords(round.tally()),
    words("1 hunk was logged and taken out. 1 hunk has changed or was decided elsewhere."),
    "what came back and went again went by somebody else",
  );
});

test("a review that is left before its end is not done, and says how much waits", () => {
  const round = begun("a:3 a:9 b:1 c:2");
  decide(round, "a:3", "a:9 b:1 c:2", "reject");
  assert.equal(summaryWords(round.tally()), "Review so far: 1 rejected in 1 file. 3 hunks still wait.");
  assert.equal(endWords(round.tally()), "Review so far: 1 rejected");
  round.skip("a:9");
  round.see(stops("a:9 c:2"));
  assert.equal(
    summaryWords(round.tally()),
    "Review so far: 1 rejected, 1 skipped in 1 file. 1 hunk still waits. 1 hunk has changed or was decided elsewhere.",
  );
  decide(round, "c:2", "a:9");
  assert.equal(endWords(round.tally()), "Review done: 1 approved, 1 rejected, 1 skipped");
});

test("more may wait than is listed", () => {
  const round = new ReviewRound();
  round.see(stops("a:3 a:9"), 5_000);
  assert.deepEqual(round.placeOf("a:9"), { at: 2, of: 5_000 });
  round.see([], 10);
  assert.equal(round.isOver, false);
});

test("an undone decision waits again and is no longer counted; redone it is", () => {
  const round = begun("a:3 b:1");
  decide(round, "a:3", "b:1");
  round.see(stops("a:3 b:1"));
  assert.deepEqual(round.placeOf("b:1"), { at: 2, of: 2 });
  assert.deepEqual([round.tally().approved, round.tally().decisions], [0, []]);
  const before = round.stops;
  round.see(stops("b:1"));
  round.redo("d-again", before);
  assert.deepEqual(round.placeOf("b:1"), { at: 2, of: 2 });
  assert.deepEqual([round.tally().approved, round.tally().decisions], [1, ["d-again"]]);
});

test("what others decide after it was undone is theirs", () => {
  const round = begun("a:3 b:1");
  decide(round, "a:3", "b:1");
  round.see(stops("a:3 b:1"));
  round.see(stops("b:1"));
  const { approved, rejected, elsewhere, decisions } = round.tally();
  assert.deepEqual([approved, rejected, elsewhere, decisions], [0, 0, 1, []]);
  const before = round.stops;
  round.see(stops(""));
  round.redo("d-theirs", before);
  assert.deepEqual(round.tally().decisions, [], "and what was never decided here is not redone");
});

test("a picture from before a decision that comes late does not undo it", () => {
  const round = begun("a:3 b:1");
  round.decide("d1", "approve", stops("a:3"));
  round.see(stops("a:3 b:1"));
  round.see(stops("b:1"));
  assert.equal(round.tally().approved, 1);
});

test("after a decision the way leads on in the order from before it", () => {
  const round = begun("a:0:mode a:0:text b:1");
  assert.equal(told(decide(round, "a:0:mode", "a:0:text b:1")), "a:0:text on");
  const other = begun("a:0:mode a:0:text b:1");
  assert.equal(told(decide(other, "a:0:text", "a:0:mode b:1")), "a:0:mode back");
});

test("a file is finished before the next one: what follows in it, then what was passed over in it", () => {
  const round = begun("a:1 b:3 b:9 b:20 c:2");
  assert.equal(told(decide(round, "b:9", "a:1 b:3 b:20 c:2")), "b:20 on");
  assert.equal(told(decide(round, "b:20", "a:1 b:3 c:2")), "b:3 back");
  assert.equal(told(decide(round, "b:3", "a:1 c:2")), "c:2 on");
  assert.equal(told(decide(round, "c:2", "a:1")), "a:1 around");
});

test("what has another id since is not passed over in its file", () => {
  const round = begun("a:3 a:9 b:1");
  const before = round.stops;
  round.decide("d1", "approve", stops("a:3"));
  round.see(stops("a:8 b:1"));
  assert.equal(told(round.nextAfter(before, on("a:3"))), "a:8 on");
});

test("a skipped one leads on in its file, too, and who only looks goes on over files", () => {
  const round = begun("a:3 a:9 b:1");
  round.skip("a:9");
  assert.equal(told(round.nextAfter(round.stops, on("a:9"))), "a:3 back");
  assert.equal(told(round.next(on("a:9"))), "b:1 on", "else nobody would ever leave the file");
});

test("who begins meets ordinary hunks first, and what has to be answered at the end", () => {
  const round = begun("a:1! b:3 c:2");
  assert.equal(told(round.next(undefined)), "b:3 on");
  decide(round, "b:3", "a:1! c:2");
  assert.equal(told(decide(round, "c:2", "a:1!")), "a:1! around");
  assert.equal(told(round.next(undefined)), "a:1! on", "where nothing else waits it is the first");
});

test("the first approval of two is done for whoever gave it", () => {
  const round = begun("a:3 b:1");
  const before = round.stops;
  round.decide("d1", "approve", stops("a:3"));
  round.see([...stopsOf(files("a:3", "half-approved")), ...stops("b:1")]);
  assert.equal(told(round.nextAfter(before, on("a:3"))), "b:1 on");
  assert.deepEqual(round.placeOf("b:1"), { at: 2, of: 2 });
  assert.equal(round.tally().approved, 1);
});

test("a turn is said in words, and going on is not", () => {
  assert.equal(turnWords("on"), undefined);
  assert.equal(turnWords("again"), "What you skipped comes again");
  assert.equal(turnWords("back"), "Back to what you passed over in this file");
});

test("any order of deciding, skipping and others' decisions ends with everything accounted for", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    let state = seed;
    const roll = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const all = Array.from({ length: 1 + roll(12) }, (_, at) => `f${roll(3)}:${at}`).sort();
    let left = [...new Set(all)];
    const round = begun(left.join(" "));
    let at: string | undefined = round.next(undefined)?.stop.hunk.id;
    let goneBefore = 0;
    for (let steps = 0; at !== undefined; steps += 1) {
      assert.ok(steps < 100, `seed ${seed}: it never ends`);
      assert.ok(left.includes(at), `seed ${seed}: ${at} does not wait any more`);
      const here = at;
      const choice = roll(4);
      if (choice === 3 && left.length > 1) {
        const gone = left[roll(left.length)];
        if (!round.hasBegun) goneBefore += 1;
        left = left.filter((id) => id !== gone);
        round.see(stops(left.join(" ")));
        at = left.includes(here) ? here : round.next(on(here))?.stop.hunk.id;
      } else if (choice === 2) {
        round.skip(here);
        at = round.nextAfter(round.stops, on(here))?.stop.hunk.id;
      } else {
        left = left.filter((id) => id !== here);
        at = decide(round, here, left.join(" "), choice === 0 ? "approve" : "reject")?.stop.hunk.id;
      }
      const place = at === undefined ? undefined : round.placeOf(at);
      if (place !== undefined) assert.ok(1 <= place.at && place.at <= place.of, `seed ${seed}: ${placeWords(place)}`);
    }
    assert.ok(round.isOver, `seed ${seed}: something is left`);
    const { approved, rejected, skipped, elsewhere } = round.tally();
    assert.equal(approved + rejected + skipped.length + elsewhere, new Set(all).size - goneBefore, `seed ${seed}`);
  }
});

test("what went before anything was decided here is not told of at the end", () => {
  const round = begun("a:1 a:2 b:1");
  round.see(stops("a:1 b:1"));
  decide(round, "a:1", "b:1", "approve");
  round.see(stops(""));
  assert.equal(round.tally().elsewhere, 1);
});
