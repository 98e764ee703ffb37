// History: who changed what when, in the workspace, a session or one file, with the diff at each point. The list and the bar below
// it are two ways through the same points. It keeps which story is told and which point is looked at, and nothing of the story.

import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { Session } from "../../src/protocol.gen";
import { sessionName, stateWords } from "../../src/sessions/session_words";
import { el, setText, themeColor } from "../dom";
import { fieldsOf } from "../kept";
import type { Page, PageContext, PageKind } from "../page";
import { iconButton } from "../widgets/button";
import { choose, offer } from "../widgets/choice";
import { stateNote } from "../widgets/state_note";
import { WindowedList } from "../widgets/windowed_list";
import { Details } from "./details";
import { LANES, Lanes, whoOfLane } from "./lanes";
import { GROUPS, type Moment, stepMeant } from "./moment";
import { makeMomentRow, updateMomentRow } from "./moment_row";
import { everything, isSame, scopeIn, scopeName, type Wanted, wantedIn } from "./scope";
import { Scrubber } from "./scrubber";
import { Story } from "./story";

const sessionsOffered = 20;
/** How many pages of older points are looked through for one that was looked at before. */
const pagesBack = 4;

export const historyPage: PageKind = {
  id: "history",
  get label() {
    return t("History");
  },
  icon: "history",
  parts: ["ledger"],
  make: (context) => new HistoryPage(context),
};

class HistoryPage implements Page {
  readonly element: HTMLElement;
  private wanted: Wanted;
  private story: Story;
  private lanes = new Lanes();
  private selected: string | undefined;
  /** Whether the point that was looked at before the page was hidden is still to be found. */
  private isComingBack: boolean;
  private sessions: readonly Session[] = [];
  /** Why there is nothing to tell of a file. */
  private refusal: string | undefined;
  private readonly list: WindowedList<Moment>;
  private readonly scrubber = new Scrubber((place) => this.selectAt(place));
  private readonly details: Details;
  private readonly legend = el("ul", { class: "lane-names", attributes: { "aria-label": t("Lanes") } });
  private readonly count = el("span", { class: "shown-count" });
  private readonly scopes = choose(t("Story"));
  private readonly groups = choose(t("What"));
  private readonly authors = choose(t("Who"));
  private readonly body: HTMLElement;
  private readonly note = el("div", { class: "history-note" });

  constructor(private readonly context: PageContext) {
    this.wanted = wantedIn(context.kept);
    const selected = fieldsOf(context.kept).get("selected");
    this.selected = typeof selected === "string" ? selected : undefined;
    this.isComingBack = this.selected !== undefined;
    this.story = this.storyOf(this.wanted);
    this.details = new Details(context, (file) => this.showAbout(file));
    this.list = new WindowedList<Moment>(t("History, the newest first"), {
      key: ({ key }) => key,
      make: (moment) => {
        const row = makeMomentRow();
        row.addEventListener("click", () => this.select(moment.key));
        row.addEventListener("focus", () => this.select(moment.key));
        return row;
      },
      update: (row, moment) =>
        updateMomentRow(row, moment, this.lanes, moment.key === this.selected, this.context.host.now()),
      onKey: (event, moment) => this.onKey(event, moment),
      endIsNear: () => void this.fetchOlder(),
      keepsPlace: true,
    });
    this.body = el(
      "div",
      { class: "history-body" },
      el("div", { class: "history-list" }, this.legend, this.list.element),
      el(
        "section",
        { class: "history-point", attributes: { "aria-label": t("The point that is looked at") } },
        this.scrubber.element,
        this.details.element,
      ),
    );
    this.element = el("div", { class: "history" }, this.toolbar(), this.note, this.body);
  }

  async refresh(): Promise<void> {
    const { story } = this;
    let refusal: string | undefined;
    const [{ sessions }] = await Promise.all([
      this.context.host.read("augment/session/list", { limit: sessionsOffered }),
      story.refresh().catch((error: unknown) => {
        // A file of which nothing is known has no story; that is no failure of the page.
        if (story.wanted.scope.kind !== "file") throw error;
        refusal = error instanceof Error ? error.message : String(error);
      }),
    ]);
    if (this.isComingBack) await this.findSelected(story);
    if (story !== this.story) return;
    this.sessions = sessions;
    this.refusal = refusal;
    this.draw();
    if (this.isComingBack && this.selected !== undefined) this.list.reveal(this.selected);
    this.isComingBack = false;
  }

  /** Where the point that was looked at is not among the newest, some more are fetched. */
  private async findSelected(story: Story): Promise<void> {
    const isThere = () => story.moments.some(({ key }) => key === this.selected);
    for (let page = 0; page < pagesBack && !isThere() && !story.isWhole; page += 1)
      if (!(await story.fetchOlder())) return;
  }

  tick(): void {
    this.details.tick();
  }

  /** Tells the story of one file. */
  showAbout(file: string): void {
    this.tell({ scope: { kind: "file", file }, group: "all", lane: undefined });
  }

  focus(): void {
    this.scrubber.focus();
  }

  private toolbar(): HTMLElement {
    this.scopes.addEventListener("change", () => {
      const scope = scopeIn(JSON.parse(this.scopes.value || "{}"));
      this.tell({ scope, group: this.wanted.group, lane: undefined });
    });
    this.groups.addEventListener("change", () => this.tell(wantedIn({ ...this.wanted, group: this.groups.value })));
    this.authors.addEventListener("change", () => {
      const lane = this.authors.value === "" ? undefined : this.authors.value;
      this.tell({ ...this.wanted, lane });
    });
    return el(
      "div",
      { class: "toolbar", role: "toolbar", attributes: { "aria-label": t("History") } },
      this.scopes,
      this.groups,
      this.authors,
      iconButton({ label: t("Show everything"), icon: "clear-all", act: () => this.tell(everything) }),
      this.count,
    );
  }

  private tell(wanted: Wanted): void {
    if (isSame(wanted, this.wanted)) return;
    const isOther = JSON.stringify(wanted.scope) !== JSON.stringify(this.wanted.scope);
    this.wanted = wanted;
    this.story = this.storyOf(wanted);
    if (isOther) this.lanes = new Lanes();
    this.selected = undefined;
    this.isComingBack = false;
    this.keep();
    this.list.scrollTop = 0;
    this.context.refresh();
  }

  private keep(): void {
    this.context.keep({ ...this.wanted, selected: this.selected });
  }

  private storyOf(wanted: Wanted): Story {
    const who = this.lanes.all().find(({ id }) => id === wanted.lane)?.who;
    return new Story(this.context.host, wanted, who ?? whoOfLane(wanted.lane ?? ""));
  }

  private async fetchOlder(): Promise<void> {
    const { story } = this;
    const isNews = await story.fetchOlder().catch(() => false);
    if (isNews && story === this.story) this.draw();
  }

  private draw(): void {
    const { moments, isWhole, isCut } = this.story;
    this.lanes.see(moments.map(({ who }) => who));
    this.drawLegend();
    this.drawChoices();
    if (this.selected === undefined || !moments.some(({ key }) => key === this.selected))
      this.selected = moments[0]?.key;
    this.body.hidden = moments.length === 0;
    this.note.replaceChildren(...(moments.length === 0 ? [this.emptyNote()] : []));
    const count = `${moments.length.toLocaleString()}${isWhole ? "" : "+"}`;
    const points = moments.length === 1 ? t("{0} point", count) : t("{0} points", count);
    setText(this.count, moments.length === 0 ? "" : isCut ? t("{0}, older ones are left out", points) : points);
    this.list.show(moments);
    this.drawPoint();
  }

  private drawLegend(): void {
    const lanes = this.lanes.all();
    const shown = lanes.slice(0, LANES);
    const others = lanes.length - shown.length;
    this.legend.style.setProperty("--lanes", String(shown.length));
    this.legend.replaceChildren(
      ...shown.map(({ name, color }, at) => {
        const dot = el("span", { class: "lane-dot", attributes: { "aria-hidden": "true" } });
        dot.style.setProperty("--lane-color", themeColor(color));
        const isLast = at === shown.length - 1 && others > 0;
        return el("li", {}, dot, el("span", { text: isLast ? t("{0} and {1} more", name, others) : name }));
      }),
    );
  }

  private drawChoices(): void {
    const { scope, group, lane } = this.wanted;
    const sessions = this.sessions.map((session) => ({
      value: JSON.stringify({ kind: "session", session: session.id }),
      label: `${sessionName(session)}: ${stateWords(session.state)}`,
    }));
    const chosen = JSON.stringify(scope);
    const scopes = [{ value: JSON.stringify({ kind: "workspace" }), label: t("Whole workspace") }, ...sessions];
    // A session that is older than those that are offered, and a file, are offered as long as they are told of.
    if (!scopes.some(({ value }) => value === chosen)) scopes.push({ value: chosen, label: scopeName(scope) });
    offer(this.scopes, scopes, chosen);
    offer(
      this.groups,
      [{ value: "all", label: t("Everything") }, ...GROUPS.map((one) => ({ value: one.group, label: one.label() }))],
      group,
    );
    const authors = this.lanes.all().map(({ id, name }) => ({ value: id, label: name }));
    offer(this.authors, [{ value: "", label: t("Everybody") }, ...authors], lane ?? "");
  }

  private drawPoint(): void {
    const { moments, isWhole } = this.story;
    const at = moments.findIndex(({ key }) => key === this.selected);
    const moment = moments[at];
    const words = moment === undefined ? "" : [moment.who.name, moment.what, moment.where, moment.told].join(", ");
    this.scrubber.show(moments.length - 1 - at, moments.length, isWhole, words);
    this.details.show(moment, this.wanted.scope.kind === "file");
  }

  /** @param place counted from the oldest that is there */
  private selectAt(place: number): void {
    const { moments } = this.story;
    const moment = moments[moments.length - 1 - place];
    if (moment !== undefined) this.select(moment.key);
    if (place === 0) void this.fetchOlder();
  }

  private select(key: string): void {
    if (key === this.selected) return;
    this.selected = key;
    this.keep();
    this.list.reveal(key);
    this.drawPoint();
  }

  private onKey(event: KeyboardEvent, moment: Moment): boolean {
    const step = stepMeant(moment);
    if (event.key !== "Enter" || step === undefined) return false;
    void this.context.host.act("history/open-diff", step);
    return true;
  }

  private emptyNote(): HTMLElement {
    const { scope, group, lane } = this.wanted;
    const isFiltered = group !== "all" || lane !== undefined;
    if (isFiltered)
      return stateNote({
        icon: "filter",
        title: t("Nothing of that kind happened."),
        actions: [{ label: t("Show Everything"), isPrimary: true, act: () => this.tell({ ...everything, scope }) }],
      });
    if (scope.kind === "file")
      return stateNote({
        icon: "history",
        title: t("There is no history of {0} yet.", oneLine(scope.file)),
        texts: [
          ...(this.refusal === undefined ? [] : [this.refusal]),
          t("Once it is changed, each change appears here with who it was and its diff."),
        ],
        actions: [{ label: t("Whole Workspace"), isPrimary: true, act: () => this.tell(everything) }],
      });
    return stateNote({
      icon: "history",
      title: t("Nothing has happened yet."),
      texts: [
        t("Tasks that are taken, changes, decisions and reports appear here as they happen, each with who it was."),
      ],
    });
  }
}
