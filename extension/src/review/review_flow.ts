// The flow of a review: leads from hunk to hunk, takes what was skipped once more, tells how far it is, and sums up at
// the end. What is decided, and whether it may be, is the host's.

import * as vscode from "vscode";
import { t } from "../l10n";
import type { Decided, Selection, Verdict } from "../protocol.gen";
import { tellDone } from "../told";
import type { ChangesModel } from "./changes_model";
import { selectedStops } from "./finding_words";
import { type HunkHere, tabName } from "./hunk_here";
import { previousStop, type Standpoint, type Stop, stopsOf } from "./hunk_order";
import { markLine } from "./hunk_places";
import { placeShown, putCursor, type ReviewPlace, revealHunk } from "./hunk_reveal";
import type { LineColours } from "./line_colours";
import { cameToNothing } from "./outcome_words";
import type { AllDiffs } from "./review_diff";
import { type Place, ReviewRound, type Step, type Tally } from "./review_round";
import { endWords, turnWords } from "./review_words";
import { TextsToCome } from "./texts_to_come";

const advanceSetting = "augmentOrchestrator.review.advance";

/** What a decision is about, as it was before it. */
export interface AboutToDecide {
  stops: Stop[];
  order: readonly Stop[];
  from: Standpoint | undefined;
  texts: TextsToCome;
  /** A preview may take the place of what the person was in. */
  place: ReviewPlace;
}

export class ReviewFlow implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Places and counts may be different now. */
  readonly onDidChange = this.changed.event;
  private round = new ReviewRound();
  private arrived: Promise<void> = Promise.resolve();
  private underWay = 0;
  private hasSaidAround = false;
  /** How many times the person is being led somewhere. */
  private leading = 0;
  /** Led to in a text from before a decision. */
  private toFollow: Stop | undefined;
  private readonly listening: vscode.Disposable[];

  constructor(
    private readonly model: ChangesModel,
    private readonly here: HunkHere,
    private readonly all: AllDiffs,
    private readonly colours: LineColours,
    /** Tells of the end. */
    private readonly sumUp: (tally: Tally) => void,
  ) {
    this.listening = [
      model.onDidChange(() => this.look()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.follow(document)),
    ];
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
    this.changed.dispose();
  }

  /**
   * A decision or the person is on the way, up to where the hunk that they are led to is drawn: whoever presses again means
   * what they see, which may be gone a moment later.
   */
  get isBusy(): boolean {
    return this.underWay > 0 || this.leading > 0;
  }

  /** The only hunk of these, where it is not before the person's eyes, so that no key may decide it. */
  unseen(what: Selection): Stop | undefined {
    const [only, ...others] = selectedStops(this.model.files, what);
    return only === undefined || others.length > 0 || this.here.isSeen(only) ? undefined : only;
  }

  /** Shows a hunk to whoever has pressed a key for it, and asks for the key again. */
  async bringBefore(stop: Stop): Promise<void> {
    await this.afterArrival(() => this.show(stop));
    tellDone(t("The hunk may have been out of sight. Here it is; press again"));
  }

  get tally(): Tally {
    return this.round.tally();
  }

  placeOf(hunk: string): Place | undefined {
    return this.round.placeOf(hunk);
  }

  /** A key that is pressed again before the editor is there takes the step after it. */
  go(direction: "next" | "previous"): Promise<void> {
    return this.afterArrival(async () => {
      const { standpoint } = this.here;
      if (direction === "previous") {
        const stop = previousStop(this.round.stops, standpoint);
        return stop === undefined ? tellDone(t("Nothing waits for a decision")) : this.lead({ stop, turn: "on" });
      }
      const step = this.round.next(standpoint);
      if (step !== undefined) return this.lead(step);
      if (this.round.stops.length === 0) return tellDone(t("Nothing waits for a decision"));
      // All that is left was skipped twice: whoever asks for more begins anew.
      this.end();
      const first = this.round.next(standpoint);
      if (first !== undefined) await this.lead(first);
    });
  }

  /** Leads to the first that waits, wherever the person is. */
  begin(place: ReviewPlace): Promise<void> {
    return this.afterArrival(async () => {
      const step = this.round.next(undefined);
      if (step !== undefined) await this.lead(step, place);
    });
  }

  /** Leaves a hunk for later. */
  skip(stop: Stop): Promise<void> {
    return this.afterArrival(async () => {
      this.round.skip(stop.hunk.id);
      this.changed.fire();
      if (this.round.isOver) return this.end();
      const { path, hunk } = stop;
      const step = this.round.nextAfter(this.round.stops, { path, line: hunk.line, hunk: hunk.id });
      if (step !== undefined) await this.lead(step);
      else tellDone(t("More waits than is listed. Decide some of it to come to the rest."));
    });
  }

  /** Ends the round before its end. */
  finish(): void {
    if (this.round.hasBegun) this.end();
    else tellDone(t("Nothing was decided in this review yet"));
  }

  /** To be asked for before a decision is sent. */
  about(what: Selection): AboutToDecide {
    return {
      stops: selectedStops(this.model.files, what),
      order: this.round.stops,
      from: this.here.standpoint,
      texts: new TextsToCome(this.model),
      place: placeShown(this.all),
    };
  }

  /** While a decision is sent, its outcome tells of the end, and not what is drawn meanwhile. */
  async deciding<T>(work: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    this.changed.fire();
    try {
      return await work();
    } finally {
      this.underWay -= 1;
      this.changed.fire();
    }
  }

  /**
   * A decision was made: counts it, and leads on.
   * @returns whether that was the end of the review, which is told of with it
   */
  async decided(
    { stops, order, from, texts, place }: AboutToDecide,
    verdict: Verdict,
    { decision }: Decided,
    { mayAdvance, isBulk }: { mayAdvance: boolean; isBulk: boolean },
  ): Promise<boolean> {
    const isFirst = !this.round.hasBegun;
    this.round.decide(decision, verdict, stops);
    await this.model.refreshed();
    this.changed.fire();
    if (this.round.isOver) {
      // One order for everything is told of as what it is.
      if (isFirst && isBulk) {
        this.round = new ReviewRound();
        this.look();
        return false;
      }
      this.end();
      return true;
    }
    const left = stops.find(({ hunk }) => hunk.id === from?.hunk) ?? stops[0];
    if (mayAdvance && left !== undefined && advances()) {
      const { path, hunk } = left;
      const step = this.round.nextAfter(order, { path, line: hunk.line, hunk: hunk.id });
      if (step !== undefined) await this.leadWhenCome(step, texts, place);
    }
    return false;
  }

  /** Leads back to what waits again. @param about as it was before */
  async cameBack({ order, texts }: AboutToDecide): Promise<void> {
    await this.model.refreshed();
    const waited = new Set(order.map(({ hunk }) => hunk.id));
    const stop = this.round.stops.find(({ hunk }) => !waited.has(hunk.id));
    if (stop === undefined || !advances()) return;
    await this.leadWhenCome({ stop, turn: "on" }, texts);
  }

  /** Leads to a hunk once its text is there. Whoever goes to another editor meanwhile is left there. */
  private async leadWhenCome(step: Step, texts: TextsToCome, place?: ReviewPlace): Promise<void> {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const name = tabName();
    await texts.come(step.stop);
    // A tab may be called differently by then, as one of a file that is gone.
    const isThere = vscode.window.tabGroups.activeTabGroup.activeTab === activeTab || tabName() === name;
    if (isThere) await this.afterArrival(() => this.lead(step, place));
  }

  /** Has hunks of a flag logged and taken out, and counts them as gone by this window. */
  async takingOut<T extends { isOut: boolean }>(hunks: readonly string[], takeOut: () => Promise<T>): Promise<T> {
    const stops = stopsOf(this.model.files).filter(({ hunk }) => hunks.includes(hunk.id));
    const took = await this.deciding(async () => {
      const made = await takeOut();
      if (made.isOut) this.round.takeOut(stops);
      await this.model.refreshed();
      return made;
    });
    this.look();
    return took;
  }

  /** Makes a decision again that was undone, and counts it. */
  async redoing(redo: () => Promise<Decided>): Promise<Decided> {
    const before = this.round.stops;
    const redone = await this.deciding(async () => {
      const made = await redo();
      await this.model.refreshed();
      return made;
    });
    if (!cameToNothing(redone.files)) this.round.redo(redone.decision, before);
    this.look();
    return redone;
  }

  /** Shows a hunk, by default in the kind of editor that the person is in. */
  async show(stop: Stop, place = placeShown(this.all)): Promise<void> {
    const { path, hunk } = stop;
    const file = this.model.fileAt(path);
    if (file === undefined) return;
    const wasEarlier = this.isEarlier(path);
    this.leading += 1;
    this.changed.fire();
    try {
      await revealHunk(this.model, file, hunk, { preserveFocus: false, place, all: this.all });
      this.here.leadTo(hunk.id);
      await this.colours.drawn();
      this.here.arrive(hunk.id);
      this.toFollow = this.isEarlier(path) ? stop : undefined;
      // On the way the text has come, and the line is one of the text from before.
      if (wasEarlier && this.toFollow === undefined) this.correct(stop);
    } finally {
      this.leading -= 1;
      // Also where it could not be shown: keys are heard again.
      this.changed.fire();
    }
  }

  /** Whether an editor still has the text of a file from before a decision. */
  private isEarlier(path: string): boolean {
    return vscode.workspace.textDocuments.some(
      (document) => this.model.pathOf(document.uri) === path && this.model.earlier.of(document) !== undefined,
    );
  }

  /** The text has come. The editor takes the cursor along, but for one that two changes lie around. */
  private follow(document: vscode.TextDocument): void {
    const { toFollow } = this;
    if (toFollow === undefined || this.model.pathOf(document.uri) !== toFollow.path) return;
    this.toFollow = undefined;
    this.correct(toFollow);
  }

  /** Puts the cursor where the hunk is in the text that has come. Whoever writes or goes elsewhere is left alone. */
  private correct({ path, hunk: { id } }: Stop): void {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || this.model.pathOf(editor.document.uri) !== path) return;
    if (editor.document.isDirty || !this.here.isLedTo(id)) return;
    const placed = this.model.hunksIn(editor.document).find(({ hunk }) => hunk.id === id);
    if (placed === undefined) return;
    putCursor(editor, markLine(placed, editor.document.lineCount));
    this.here.leadTo(id);
  }

  private async lead({ stop, turn }: Step, place?: ReviewPlace): Promise<void> {
    await this.show(stop, place);
    const said = turnWords(turn);
    if (said === undefined || (turn === "around" && this.hasSaidAround)) return;
    if (turn === "around") this.hasSaidAround = true;
    tellDone(said);
  }

  private look(): void {
    if (!this.model.isKnown) return;
    this.round.see(stopsOf(this.model.files), this.model.counts.pendingHunks);
    if (this.round.hasBegun && this.round.isOver && this.underWay === 0) this.end();
    else this.changed.fire();
  }

  private end(): void {
    const tally = this.round.tally();
    this.round = new ReviewRound();
    this.hasSaidAround = false;
    this.round.see(stopsOf(this.model.files), this.model.counts.pendingHunks);
    this.changed.fire();
    if (tally.approved + tally.rejected + tally.skipped.length === 0) return;
    tellDone(endWords(tally));
    this.sumUp(tally);
  }

  private afterArrival(step: () => Promise<void> | void): Promise<void> {
    const arriving = this.arrived.then(step);
    this.arrived = arriving.catch(() => {});
    return arriving;
  }
}

function advances(): boolean {
  return vscode.workspace.getConfiguration().get<boolean>(advanceSetting, true);
}
