// What a person sees while steps run: one line when a step ends, with how long it took; on a terminal also a live
// line for what is under way, elsewhere a sign of life every half minute. It never decides whether a step failed.

import { styleText } from "node:util";

const terminal = process.stdout.isTTY === true && process.env.CI === undefined;
const colour = terminal && process.env.NO_COLOR === undefined;
const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const signOfLifeMs = 30_000;
const active = new Set();
let ticker;
let frame = 0;

export function paint(style, text) {
  return colour ? styleText(style, text) : text;
}

/** Prints a line without tearing the live one. */
export function say(line = "") {
  clearLive();
  process.stdout.write(`${line}\n`);
  drawLive();
}

/** Output of a program that is shown as it comes. */
export function passOn(chunk) {
  clearLive();
  process.stdout.write(chunk);
}

export function seconds(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/**
 * Runs `work` as a named step. It gets a `note(text)` for the live line, and may return a few words that are
 * printed beside the time.
 */
export async function step(title, work) {
  const entry = { title, note: "", startedAt: Date.now() };
  active.add(entry);
  startTicker();
  try {
    const detail = await work((text) => {
      entry.note = text;
    });
    finish(entry, paint("green", "✓"), detail);
    return detail;
  } catch (error) {
    finish(entry, paint("red", "✗"));
    throw error;
  }
}

function finish(entry, mark, detail) {
  active.delete(entry);
  if (active.size === 0) stopTicker();
  const time = paint("dim", seconds(Date.now() - entry.startedAt));
  say(`${mark} ${entry.title}  ${time}${typeof detail === "string" ? paint("dim", `  ${detail}`) : ""}`);
}

function startTicker() {
  if (ticker) return;
  ticker = setInterval(terminal ? drawLive : giveSignOfLife, terminal ? 100 : signOfLifeMs);
  ticker.unref();
}

function stopTicker() {
  clearInterval(ticker);
  ticker = undefined;
}

function giveSignOfLife() {
  for (const { title, startedAt } of active) {
    process.stdout.write(`  … ${title}: ${seconds(Date.now() - startedAt)} so far\n`);
  }
}

function clearLive() {
  if (terminal) process.stdout.write("\r\x1b[2K");
}

function drawLive() {
  if (!terminal || active.size === 0) return;
  frame = (frame + 1) % frames.length;
  const parts = [...active].map(({ title, note, startedAt }) => {
    const since = seconds(Math.floor((Date.now() - startedAt) / 1000) * 1000).replace(".0", "");
    return `${title} ${since}${note ? ` · ${note}` : ""}`;
  });
  const line = `${frames[frame]} ${parts.join("  |  ")}`.slice(0, (process.stdout.columns ?? 80) - 1);
  process.stdout.write(`\r\x1b[2K${paint("dim", line)}`);
}
