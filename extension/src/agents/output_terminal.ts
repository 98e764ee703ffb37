// What a run says, in a terminal that takes no input. It is read from the host as long as somebody has it open, and ends
// with how the run ended. Nothing in it reaches the terminal but text.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { oneLine } from "../outside_text";
import type { RunInfo } from "../protocol.gen";
import { messageOf, Refused } from "../refusal";
import { RUN_LOOKS } from "../state_look";
import { OutputText } from "./output_text";
import { runSentence } from "./run_words";

const pollMs = 300;

export class OutputTerminals implements vscode.Disposable {
  private readonly open = new Map<string, vscode.Terminal>();
  private readonly listening: vscode.Disposable;

  constructor(private readonly link: HostLink) {
    this.listening = vscode.window.onDidCloseTerminal((closed) => {
      for (const [run, terminal] of this.open) if (terminal === closed) this.open.delete(run);
    });
  }

  show({ run, agent, state }: RunInfo): void {
    let terminal = this.open.get(run);
    if (terminal === undefined) {
      terminal = vscode.window.createTerminal({
        name: `${oneLine(agent)} · ${run}`,
        pty: new RunOutput(this.link, run),
        iconPath: new vscode.ThemeIcon(RUN_LOOKS[state].icon.replace(/~.*/, "")),
        isTransient: true,
      });
      this.open.set(run, terminal);
    }
    terminal.show(true);
  }

  dispose(): void {
    this.listening.dispose();
    for (const terminal of this.open.values()) terminal.dispose();
  }
}

class RunOutput implements vscode.Pseudoterminal {
  private readonly writing = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.writing.event;
  private readonly text = new OutputText();
  private readonly closed = new AbortController();
  private from = 0;

  constructor(
    private readonly link: HostLink,
    private readonly run: string,
  ) {}

  open(): void {
    void this.follow();
  }

  close(): void {
    this.closed.abort();
    this.writing.dispose();
  }

  private async follow(): Promise<void> {
    const { signal } = this.closed;
    while (!signal.aborted) {
      try {
        if (this.link.state.kind === "connected" && (await this.readOn())) return;
      } catch (error) {
        if (error instanceof Refused) return this.say(messageOf(error));
        // A connection that was lost comes back, or the link tells why not; what was said is kept by the host.
      }
      await somethingMoved(this.link, signal);
    }
  }

  /** @returns whether all was said */
  private async readOn(): Promise<boolean> {
    for (;;) {
      const { text, next, missed, more, ended } = await this.link.call("augment/run/output", {
        run: this.run,
        from: this.from,
        raw: false,
      });
      if (this.closed.signal.aborted) return true;
      if (missed > 0) this.say(t("{0} bytes that came before are not kept.", missed.toLocaleString()));
      if (text !== "") this.writing.fire(this.text.take(text));
      this.from = next;
      if (more) continue;
      if (ended) this.say(runSentence((await this.link.call("augment/run/show", { run: this.run })).run));
      return ended;
    }
  }

  /** A line of our own, set off from what the run says. */
  private say(sentence: string): void {
    if (!this.closed.signal.aborted) this.writing.fire(`\r\n\x1b[2m── ${oneLine(sentence)}\x1b[0m\r\n`);
  }
}

/** Resolves when the host says that agents moved, or after a short time. */
function somethingMoved(link: HostLink, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listening.dispose();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, pollMs);
    const listening = link.onMoved(({ parts }) => {
      if (parts.includes("agents")) done();
    });
    signal.addEventListener("abort", done);
  });
}
