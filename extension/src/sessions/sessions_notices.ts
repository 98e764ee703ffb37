// Notifications for what a session needs an answer to, and how it was completed, each once: what was told is remembered over
// a reload. Plain reports are not told here; they stand in the session view and in their output channel.

import * as vscode from "vscode";
import type { ToldFile } from "../agents/told_file";
import { t } from "../l10n";
import { OpenCauses } from "../open_causes";
import { withoutLinks } from "../outside_text";
import type { ClosedSession, Flag, FlagAnswer, Session } from "../protocol.gen";
import { tellDone, tellError } from "../told";
import { isAnswered } from "./checkpoint";
import { completionKey, completionSentence, completionWords, failedSteps, isSettled } from "./completion_words";
import { type EndedByItself, endedByItself } from "./report_text";
import {
  checkpointNotice,
  flagKey,
  flagNotice,
  flagsNotice,
  plannedNotice,
  selfEndedNotice,
  sessionName,
} from "./session_words";
import type { SessionsModel } from "./sessions_model";
import type { SessionsSnapshot } from "./sessions_snapshot";

/** What the buttons lead to. */
export interface NoticeActions {
  confirmScope(): Promise<void>;
  adjustScope(): Promise<void>;
  /** Answers the checkpoint that this session was shown at. */
  continueSession(session: Session): Promise<void>;
  showReport(): Promise<void>;
  showSession(): Promise<void>;
  /** @returns false where the flag goes on waiting */
  answerFlag(flag: Flag, answer: FlagAnswer): Promise<boolean>;
  /** Commits the record that the end of this session left. */
  commit(session: string): Promise<void>;
  openSummary(archive: string): Promise<void>;
  /** Runs the steps that failed again. */
  runAgain(session: string): Promise<ClosedSession>;
}

interface Button extends vscode.MessageItem {
  press(): Promise<void>;
}

export class SessionNotices implements vscode.Disposable {
  private readonly listening: vscode.Disposable;
  private readonly causes = new OpenCauses();
  private held = 0;
  /** Whether this window has seen how sessions stood when it came. */
  private hasLooked = false;

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

  /** The person hears how this session was completed in another way, and need not be told. */
  known(closed: ClosedSession): void {
    this.told.onlyNew([closed], completionKey);
  }

  /** Nothing is told of scope, checkpoint and completion while the work goes on that tells of them itself. */
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
      title: t("Show Report"),
      // Pressing a button closes the notification, and reading is no answer.
      press: async () => {
        await showReport();
        this.putCheckpoint(session, { withReport: false });
      },
    };
    // It may be pressed long after, when another one waits: the host refuses that.
    const goOn = async () => {
      try {
        await continueSession(session);
      } catch (error) {
        if (!isAnswered(error)) throw error;
        this.model.refresh();
        tellDone(t("That checkpoint was answered already"));
      }
    };
    this.put(checkpointNotice(session), [
      { title: t("Continue"), press: goOn },
      { title: t("Adjust…"), press: adjustScope },
      ...(withReport ? [show] : []),
    ]);
  }

  /** Says how a session was completed, whether or not that was told before. */
  putCompleted(closed: ClosedSession): void {
    this.known(closed);
    const hasFailed = failedSteps(closed.closing).length > 0;
    this.put(completionSentence(closed), this.completionButtons(closed), hasFailed ? "warning" : "information");
  }

  /** After something was done about it: what failed is told with what can be done, that all is well is a short word. */
  putOutcome(closed: ClosedSession): void {
    if (failedSteps(closed.closing).length > 0) this.putCompleted(closed);
    else tellDone(completionSentence(closed).replace(/\.$/, ""));
  }

  /** Says that a session is over, and what is wrong with its record. */
  putUnwritten(wrong: string, session: Session, closed: ClosedSession | undefined): void {
    const over = closed === undefined ? t("{0} is over.", sessionName(session)) : completionSentence(closed);
    this.put(`${over} ${wrong}`, closed === undefined ? [] : this.completionButtons(closed));
  }

  dispose(): void {
    this.listening.dispose();
  }

  private tellNew(): void {
    const { session, flags, snapshot } = this.model;
    if (session !== undefined && this.held === 0) this.tellState(session);
    if (snapshot !== undefined && this.held === 0) this.tellEnded(snapshot);
    const news = this.told.onlyNew(flags, flagKey);
    const [first] = news;
    if (first !== undefined) this.putFlags(first, news);
  }

  private tellState(session: Session): void {
    if (session.state === "planned" && this.told.onlyNew([session], scopeKey).length > 0)
      this.put(plannedNotice(session), [{ title: t("Confirm Scope…"), press: this.actions().confirmScope }]);
    if (session.state === "checkpoint" && this.told.onlyNew([session], checkpointKey).length > 0)
      this.putCheckpoint(session);
  }

  /**
   * A session that ended by itself is told with the commit of its record, once its steps are through; of such ones only the
   * last is told, the record of those before is in the files as well. Any other one that was completed while this window was
   * there is told with its summary.
   */
  private tellEnded({ status, reports, ended }: SessionsSnapshot): void {
    const closed = ended !== undefined && isSettled(ended.closing) ? ended : undefined;
    // What was complete when the window came is old.
    if (!this.hasLooked && closed !== undefined) this.known(closed);
    this.hasLooked = true;
    const last = reports.find(({ level }) => level === "comprehensive");
    const self = last && endedByItself(last);
    if (last !== undefined && self !== undefined) {
      const isUnderWay = status.session?.id === self.session;
      if (isUnderWay || (ended?.session.id === self.session && closed === undefined)) return;
      if (this.told.onlyNew([last], ({ session, time }) => `end ${session}@${time}`).length > 0) {
        const its = closed?.session.id === self.session ? closed : undefined;
        if (its !== undefined) this.known(its);
        this.putEnded(self, its, { withReport: true });
        return;
      }
    }
    if (closed !== undefined && this.told.onlyNew([closed], completionKey).length > 0) this.putCompleted(closed);
  }

  private putEnded(
    ended: EndedByItself,
    closed: ClosedSession | undefined,
    { withReport }: { withReport: boolean },
  ): void {
    const { commit, showReport, openSummary, runAgain } = this.actions();
    const archive = closed?.closing.archive ?? null;
    const hasFailed = closed !== undefined && failedSteps(closed.closing).length > 0;
    // Pressing a button closes the notification, and reading is no answer.
    const look: Button = {
      title: archive === null ? t("Show Report") : t("Open Summary"),
      press: async () => {
        await (archive === null ? showReport() : openSummary(archive));
        this.putEnded(ended, closed, { withReport: false });
      },
    };
    const again: Button = {
      title: t("Run Again"),
      press: async () => {
        let now = closed;
        try {
          now = await runAgain(ended.session);
        } finally {
          this.putEnded(ended, now, { withReport });
        }
      },
    };
    this.put(selfEndedNotice(ended, closed === undefined ? "" : t("It is {0}.", completionWords(closed.closing))), [
      { title: t("Commit"), press: () => commit(ended.session) },
      ...(withReport ? [look] : []),
      ...(hasFailed ? [again] : []),
      { title: t("Not Now"), press: async () => {} },
    ]);
  }

  private completionButtons({ session, closing }: ClosedSession): Button[] {
    const { openSummary, runAgain } = this.actions();
    const { archive } = closing;
    const again: Button = {
      title: t("Run Again"),
      press: async () => this.putOutcome(await runAgain(session.id)),
    };
    return [
      ...(archive === null ? [] : [{ title: t("Open Summary"), press: () => openSummary(archive) }]),
      ...(failedSteps(closing).length === 0 ? [] : [again]),
    ];
  }

  private putFlags(first: Flag, flags: readonly Flag[]): void {
    const { answerFlag, showSession } = this.actions();
    // It may be pressed long after: what has changed since is told with what is there now.
    const answered = async (answer: FlagAnswer) => {
      if (await answerFlag(first, answer)) return;
      const now = this.model.flags.find(({ id }) => id === first.id);
      if (now !== undefined) this.putFlags(now, [now]);
    };
    const buttons: Button[] = [
      { title: t("Extend Scope"), press: () => answered("extend") },
      { title: t("Log and Take Out"), press: () => answered("log") },
      { title: t("Allow Once"), press: () => answered("allow-once") },
    ];
    const [message, ways] =
      flags.length > 1
        ? [`${flagsNotice(flags)}.`, [{ title: t("Show Session"), press: showSession }]]
        : [flagNotice(first, this.model.patternsAround(first)), buttons];
    // Those that come while this is open stand in the status bar and in the view.
    this.causes
      .show("flags", () => vscode.window.showWarningMessage(withoutLinks(message), ...ways))
      .then((pressed) => pressed?.press())
      .catch((error: unknown) => tellError(error, this.log));
  }

  private put(message: string, buttons: Button[], kind: "information" | "warning" = "warning"): void {
    const words = withoutLinks(message);
    const pressing =
      kind === "warning"
        ? vscode.window.showWarningMessage(words, ...buttons)
        : vscode.window.showInformationMessage(words, ...buttons);
    pressing.then((pressed) => pressed?.press()).then(undefined, (error: unknown) => tellError(error, this.log));
  }
}

function scopeKey({ id, startedAt }: Session): string {
  return `scope ${id}@${startedAt}`;
}

/** Another one for each checkpoint of a session: more has ended by then. */
function checkpointKey({ id, startedAt, checkpoints }: Session): string {
  return `checkpoint ${id}@${startedAt} #${checkpoints}`;
}
