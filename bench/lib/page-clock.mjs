// Times as a browser's page has them: when something was painted, by the page's own clock; what keys and clicks set off, by
// Chromium's own trace; what is left in memory once the rubbish is gone. Nothing here looks again and again to find a time.

/**
 * To be run in every frame before its own scripts: notes when each of these is painted first. Times are milliseconds since 1970
 * with fractions, so that those of two frames can be compared.
 * @param {Record<string, string>} things a selector by the name of the thing
 */
export function keepTime(things) {
  const at = (time) => performance.timeOrigin + time;
  // The frame that shows it has been handed over by then.
  const painted = () =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(at(performance.now()));
        port2.postMessage(undefined);
      }),
    );
  const isThere = ({ selector, text = "" }) =>
    [...document.querySelectorAll(selector)].some(
      (one) => !one.closest("[hidden]") && one.textContent.startsWith(text),
    );
  const drawn = (thing) =>
    new Promise((resolve) => {
      const watching = new MutationObserver(() => {
        if (!isThere(thing)) return;
        watching.disconnect();
        resolve(painted());
      });
      watching.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
    });
  const pressed = () =>
    new Promise((resolve) => {
      const over = new AbortController();
      const heard = ({ timeStamp }) => {
        over.abort();
        resolve(at(timeStamp));
      };
      for (const kind of ["keydown", "pointerdown"])
        addEventListener(kind, heard, { capture: true, signal: over.signal });
    });
  const times = {};
  globalThis.benchClock = {
    times,
    /** Resolves with the moment of the next key or press. */
    pressed,
    /** Resolves with the time from the next key or press until the thing is painted, by a change after it. */
    fromPress: (thing) => pressed().then((from) => drawn(thing).then((to) => to - from)),
  };
  const note = () => {
    for (const [name, selector] of Object.entries(things))
      drawn({ selector }).then((time) => {
        times[name] ??= time;
      });
  };
  note();
  // A webview's page is written into a document that was there before, which nobody watches from then on.
  const { close } = Document.prototype;
  Document.prototype.close = function () {
    close.call(this);
    note();
  };
}

/** The moment of the key or press that `deed` begins with, by the clock of the frame. */
export async function momentOf(frame, deed) {
  return answerTo(frame, () => globalThis.benchClock.pressed(), undefined, deed);
}

/** How long it takes from the key or press that `deed` begins with until the thing is painted, in ms. */
export async function timeTo(frame, thing, deed) {
  return answerTo(frame, (wanted) => globalThis.benchClock.fromPress(wanted), thing, deed);
}

/** The page listens before anything is done. */
async function answerTo(frame, ask, about, deed) {
  const waiting = `globalThis.benchAnswer = Promise.race([(${ask})(${JSON.stringify(about)}), new Promise((resolve) => setTimeout(resolve, ${patienceMs}))])`;
  await frame.evaluate(`${waiting}, undefined`);
  await deed();
  const answer = await frame.evaluate(() => globalThis.benchAnswer);
  if (answer === undefined) throw new Error(`The page did not come to it: ${JSON.stringify(about ?? "a key")}`);
  return answer;
}

const patienceMs = 30_000;
const categories = ["devtools.timeline", "disabled-by-default-devtools.timeline"];
const begins = "the bench begins";
/** What a person does on purpose; what follows from it, and moves of the pointer, are traced as well. */
const deeds = ["keydown", "pointerdown", "click", "input"];

/**
 * What Chromium traced while something was done: how long each key, click and letter took until the paint that follows it, and the
 * longest task that kept the page from everything else.
 * @returns {Promise<{ paints: number[], longest: { wall: number, cpu: number } }>} in ms; `cpu` is what the processor did of the task
 */
export async function traced(page, work) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories });
  // A script that runs is interrupted to be traced from then on, which is none of its own time.
  await page.evaluate(
    (mark) => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(console.timeStamp(mark))))),
    begins,
  );
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8"));
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const from = traceEvents.find(({ name, args }) => name === "TimeStamp" && args?.data?.message === begins).ts;
  const tasks = traceEvents.filter(
    ({ name, pid, tid, ts }) => name === "RunTask" && ts > from && main.has(`${pid}/${tid}`),
  );
  const paints = traceEvents
    .filter(({ name, args }) => name === "EventTiming" && deeds.includes(args?.data?.type))
    .map(({ args }) => args.data.duration);
  const longest = tasks.reduce((one, other) => ((other.dur ?? 0) > (one.dur ?? 0) ? other : one));
  return { paints, longest: { wall: longest.dur / 1e3, cpu: longest.tdur / 1e3 } };
}

/** What the page and its frames keep: the heap of their scripts in MB, and nodes, each without what nobody needs any more. */
export async function kept(page) {
  const session = await page.context().newCDPSession(page);
  try {
    // Twice: what the first finds dead may have held what the second finds.
    for (let turn = 0; turn < 2; turn += 1) await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
    return { heap: usedSize / 1e6, nodes, listeners: jsEventListeners };
  } finally {
    await session.detach();
  }
}
