// Notifications for what a session needs an answer to, each once: what was told is remembered over a reload. Plain reports
// are not told here; they stand in the session view and in their output channel.

import * as vscode from "vscode";
import type { ToldFile } from "../agents/told_file";
import { withoutLinks } from "../outside_text";
import type { Flag, FlagAnswer, Session, SessionReport } from "../protocol.gen";
import { tellError } from "../told";
import { type EndedByItself, endedByItself } from "./report_text";
import { checkpointNotice, flagKey, flagNotice, flagsNotice, plannedNotice, selfEndedNotice } from "./session_words";
import type { SessionsModel } from "./sessions_model";

/** What the buttons lead to. */
export interface NoticeActions {
  confirmScope(): Promise<void>;
  adjustScope(): Promise<void>;
  continueSession(): Promise<void>;
  showReport(): Promise<void>;
  showSession(): Promise<void>;
  answerFlag(flag: Flag, answer: FlagAnswer): Promise<void>;
  commit(session: string): Promise<void>;
}

interface Button extends vscode.MessageItem {
  press(): Promise<void>;
}

export class SessionNotices implements vscode.Disposable {
  private readonly listening: vscode.Disposable;
  private held = 0;

  constructor(
    private readonly model: SessionsModel,
    private readonly told: ToldFile,
    private readonly log: vscode.LogOutputChannel,
    private readonly actions: () => NoticeActions,
  ) {
    this.listening = model.onDidChange(() => this.tellNew());
  }

  /** The person is being asked for the scope of this session, and need not be told that it waits. */
  asked(session: Session): void {
    this.told.onlyNew([session], scopeKey);
  }

  /** Nothing is told of scope and checkpoint while the work goes on that asks for them itself. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.held += 1;
    try {
      return await work();
    } finally {
      this.held -= 1;
      this.tellNew();
    }
  }

  /** Asks what to do at the checkpoint, whether or not that was asked before. */
  putCheckpoint(session: Session, { withReport }: { withReport: boolean } = { withReport: true }): void {
    this.told.onlyNew([session], checkpointKey);
    const { adjustScope, continueSession, showReport } = this.actions();
    const show: Button = {
      title: "Show Report",
      // Pressing a button closes the notification, and reading is no answer.
      press: async () => {
        await showReport();
        this.putCheckpoint(session, { withReport: false });
      },
    };
    this.put(checkpointNotice(session), [
      { title: "Continue", press: continueSession },
      { title: "Adjust…", press: adjustScope },
      ...(withReport ? [show] : []),
    ]);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private tellNew(): void {
    const { session, flags } = this.model;
    if (session !== undefined && this.held === 0) this.tellState(session);
    this.tellEnded(this.model.snapshot?.reports ?? []);
    const news = this.told.onlyNew(flags, flagKey);
    const [first] = news;
    if (first !== undefined) this.putFlags(first, news);
  }

  private tellState(session: Session): void {
    if (session.state === "planned" && this.told.onlyNew([session], scopeKey).length > 0)
      this.put(plannedNotice(session), [{ title: "Confirm Scope…", press: this.actions().confirmScope }]);
    if (session.state === "checkpoint" && this.told.onlyNew([session], checkpointKey).length > 0)
      this.putCheckpoint(session);
  }

  /** Of sessions that ended by themselves only the last is told; the record of those before is in the files as well. */
  private tellEnded(newestFirst: readonly SessionReport[]): void {
    const last = newestFirst.find(({ level }) => level === "comprehensive");
    const ended = last && endedByItself(last);
    if (last === undefined || ended === undefined) return;
    if (this.told.onlyNew([last], ({ session, time }) => `end ${session}@${time}`).length > 0)
      this.putEnded(ended, { withReport: true });
  }

  private putEnded(ended: EndedByItself, { withReport }: { withReport: boolean }): void {
    const { commit, showReport } = this.actions();
    const show: Button = {
      title: "Show Report",
      press: async () => {
        await showReport();
        this.putEnded(ended, { withReport: false });
      },
    };
    this.put(selfEndedNotice(ended), [
      { title: "Commit", press: () => commit(ended.session) },
      ...(withReport ? [show] : []),
      { title: "Not Now", press: async () => {} },
    ]);
  }

  private putFlags(first: Flag, flags: readonly Flag[]): void {
    const { answerFlag, showSession } = this.actions();
    if (flags.length > 1) this.put(`${flagsNotice(flags)}.`, [{ title: "Show", press: showSession }]);
    else
      this.put(flagNotice(first), [
        { title: "Extend Scope", press: () => answerFlag(first, "extend") },
        { title: "Log and Take Out", press: () => answerFlag(first, "log") },
        { title: "Allow Once", press: () => answerFlag(first, "allow-once") },
      ]);
  }

  private put(message: string, buttons: Button[]): void {
    vscode.window
      .showWarningMessage(withoutLinks(message), ...buttons)
      .then((pressed) => pressed?.press())
      .then(undefined, (error: unknown) => tellError(error, this.log));
  }
}

function scopeKey({ id, startedAt }: Session): string {
  return `scope ${id}@${startedAt}`;
}

/** Another one for each checkpoint of a session: more has ended by then. */
function checkpointKey({ id, startedAt, items }: Session): string {
  return `checkpoint ${id}@${startedAt} ${items.filter(({ end }) => end !== null).length}`;
}
