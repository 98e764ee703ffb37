// The session: where it stands and what it waits for, its scope and goals, what fell outside of it, and what was reported.
// What waits for an answer is answered where it stands; every answer is an order to the host.

import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { Flag, Question, Session, SessionReport, SessionStatus } from "../../src/protocol.gen";
import { type Activity, activitiesOf, governanceCautions } from "../../src/sessions/session_words";
import { el } from "../dom";
import { Drafts, fieldsOf, Unfolded } from "../kept";
import type { Page, PageContext, PageKind } from "../page";
import { goalBar } from "../widgets/goal_bar";
import { icon } from "../widgets/icon";
import { type Keyed, showKeyed } from "../widgets/keyed";
import { leftDrafts } from "../widgets/left_draft";
import { questionCards, questionKey } from "../widgets/question_card";
import { Section } from "../widgets/section";
import { tickAll } from "../widgets/since";
import { flagCards } from "./flag_card";
import { goalBars } from "./goals";
import { noSession } from "./no_session";
import { reportCards } from "./report_card";
import { scopeList } from "./scope_list";
import { sessionHead } from "./session_head";

const reportLimit = 50;

export const sessionPage: PageKind = {
  id: "session",
  get label() {
    return t("Session");
  },
  icon: "checklist",
  parts: ["sessions", "queue", "agents", "changes"],
  make: (context) => new SessionPage(context),
};

interface Fetched {
  status: SessionStatus;
  /** The newest first. */
  reports: SessionReport[];
  questions: Question[];
  activities: ReadonlyMap<string, Activity>;
}

class SessionPage implements Page {
  readonly element: HTMLElement;
  private readonly head = el("div", {});
  private readonly cautions = el("div", { class: "cautions" });
  private readonly questionList = el("div", { class: "asks" });
  private readonly flagList = el("div", { class: "asks" });
  private readonly goalList = el("div", { class: "goals" });
  private readonly scopeContent = el("div", {});
  private readonly reportList = el("div", { class: "asks" });
  private readonly leftList = el("div", { class: "asks" });
  private readonly questions = new Section(t("Decisions to answer"), this.questionList, this.leftList);
  private readonly flags = new Section(t("Outside of what was agreed to"), this.flagList);
  private readonly goals = new Section(t("Goals"), this.goalList);
  private readonly scope = new Section(t("Scope"), this.scopeContent);
  private readonly reports = new Section(t("Reports"), this.reportList);
  private readonly drafts: Drafts;
  private readonly unfolded: Unfolded;
  private readonly asks: Keyed<Question>;
  private readonly left: Keyed<string>;
  private readonly outside: Keyed<Flag>;
  private readonly told: Keyed<SessionReport>;
  /** What was drawn last, part by part: what is the same stays as it is, with the focus in it. */
  private readonly drawn = new Map<HTMLElement, string>();

  constructor(private readonly context: PageContext) {
    const { host } = context;
    const kept = fieldsOf(context.kept);
    const keep = () => context.keep({ drafts: this.drafts.toKeep(), unfolded: this.unfolded.toKeep() });
    this.drafts = new Drafts(kept.get("drafts"), keep);
    this.unfolded = new Unfolded(kept.get("unfolded"), keep);
    this.asks = questionCards(host, this.drafts);
    this.left = leftDrafts(this.drafts, () => context.refresh());
    this.outside = flagCards(host);
    this.told = reportCards(host, this.unfolded);
    this.element = el(
      "div",
      { class: "stack" },
      this.head,
      this.cautions,
      this.questions.element,
      this.flags.element,
      this.goals.element,
      this.scope.element,
      this.reports.element,
    );
  }

  async refresh(): Promise<void> {
    const { host } = this.context;
    const [status, { reports }, { questions }, { tasks }] = await Promise.all([
      host.read("augment/session/status", {}),
      host.read("augment/session/reports", { limit: reportLimit }),
      host.read("augment/question/list", { answered: false, run: null }),
      host.read("augment/queue/list", { statuses: ["in-progress"], limit: 1_000 }),
    ]);
    this.draw({
      status,
      reports: [...reports].sort((one, other) => other.number - one.number),
      questions: questions.filter(({ answer }) => answer === null),
      activities: activitiesOf(tasks, questions),
    });
  }

  tick(): void {
    tickAll(this.element, this.context.host.now());
  }

  private draw({ status, reports, questions, activities }: Fetched): void {
    const { host } = this.context;
    const { session, flags, governance } = status;
    this.redraw(this.head, [session, governance, reports.length > 0], () => [
      session === null ? noSession(host, governance) : sessionHead(host, session),
    ]);
    this.redraw(this.cautions, governanceCautions(governance, session), (cautions) =>
      cautions.map((caution) =>
        el(
          "p",
          { class: "caution" },
          icon("warning", "list.warningForeground"),
          el("span", { text: oneLine(caution) }),
        ),
      ),
    );
    const left = this.drafts.left(questions.map(questionKey));
    this.questions.show(questions.length + left.length > 0);
    this.questions.count(questions.length);
    showKeyed(this.questionList, questions, this.asks);
    showKeyed(this.leftList, left, this.left);
    this.flags.show(flags.length > 0);
    this.flags.count(flags.length);
    showKeyed(this.flagList, flags, this.outside);
    this.drawScope(session, activities);
    this.reports.show(reports.length > 0);
    this.reports.count(reports.length);
    this.unfolded.keepOnly(reports.map(this.told.key));
    showKeyed(this.reportList, reports, this.told);
    this.tick();
  }

  private drawScope(session: Session | null, activities: ReadonlyMap<string, Activity>): void {
    const bars = session === null ? [] : goalBars(session);
    this.goals.show(bars.length > 0);
    this.redraw(this.goalList, bars, (shown) => shown.map(goalBar));
    this.scope.show(session !== null);
    if (session === null) return;
    this.scope.count(session.items.length);
    const { items, paths, discovered } = session;
    this.redraw(this.scopeContent, [items, paths, discovered, [...activities]], () =>
      scopeList(this.context.host, session, activities),
    );
  }

  private redraw<T>(part: HTMLElement, from: T, make: (from: T) => HTMLElement[]): void {
    const drawn = JSON.stringify(from);
    if (this.drawn.get(part) === drawn) return;
    this.drawn.set(part, drawn);
    part.replaceChildren(...make(from));
  }
}
