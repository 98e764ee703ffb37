// Live agents: the runs under way with their last sign of life, what they ask and propose, the runs that ended last, and the agents
// that can be started with what speaks against it. How a run stands the host says.

import { isThere } from "../../src/agents/agents_rows";
import { type AgentsSnapshot, fetchAgents } from "../../src/agents/agents_snapshot";
import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { Agent, HandOff, Question, RunInfo } from "../../src/protocol.gen";
import { el, setText } from "../dom";
import { Drafts, fieldsOf } from "../kept";
import type { Page, PageContext, PageKind } from "../page";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";
import { type Keyed, showKeyed } from "../widgets/keyed";
import { leftDrafts } from "../widgets/left_draft";
import { questionCards, questionKey } from "../widgets/question_card";
import { Section } from "../widgets/section";
import { tickAll } from "../widgets/since";
import { stateNote } from "../widgets/state_note";
import { agentRows } from "./agent_row";
import { handOffCards } from "./hand_off_card";
import { runRows } from "./run_row";

export const agentsPage: PageKind = {
  id: "agents",
  get label() {
    return t("Agents");
  },
  icon: "robot",
  parts: ["agents", "settings"],
  make: (context) => new Agents(context),
};

class Agents implements Page {
  readonly element: HTMLElement;
  private readonly problems = el("div", { class: "cautions" });
  private readonly runList = el("ul", { class: "rows" });
  private readonly noRuns: HTMLElement;
  private readonly questionList = el("div", { class: "asks" });
  private readonly proposalList = el("div", { class: "asks" });
  private readonly leftList = el("div", { class: "asks" });
  private readonly endedList = el("ul", { class: "rows" });
  private readonly agentList = el("ul", { class: "rows" });
  private readonly runs: Section;
  private readonly questions: Section;
  private readonly ended: Section;
  private readonly agents: Section;
  private readonly presets = el("p", { class: "quiet" });
  private readonly nothingThere: HTMLElement;
  private readonly rows: Keyed<RunInfo>;
  private readonly drafts: Drafts;
  private readonly asks: Keyed<Question>;
  private readonly left: Keyed<string>;
  private readonly proposed: Keyed<HandOff>;
  private readonly configured: Keyed<Agent>;

  constructor(private readonly context: PageContext) {
    const { host } = context;
    this.rows = runRows(host);
    this.drafts = new Drafts(fieldsOf(context.kept).get("drafts"), () =>
      context.keep({ drafts: this.drafts.toKeep() }),
    );
    this.asks = questionCards(host, this.drafts);
    this.left = leftDrafts(this.drafts, () => context.refresh());
    this.proposed = handOffCards(host);
    this.configured = agentRows(host);
    const showPresets = () => void host.act("agent/presets", {});
    this.noRuns = el("p", {
      class: "quiet",
      text: t("No agent is at work. Start one below, or on a task of the board."),
    });
    this.questions = new Section(t("Waiting for your answer"), this.questionList, this.leftList, this.proposalList);
    this.runs = new Section(t("Runs"), this.noRuns, this.runList);
    this.ended = new Section(t("Ended"), this.endedList);
    this.agents = new Section(
      t("Agents"),
      this.agentList,
      this.presets,
      el("div", { class: "buttons" }, button({ label: t("Show Agent Presets"), icon: "ellipsis", act: showPresets })),
    );
    this.nothingThere = stateNote({
      icon: "robot",
      title: t("No agent's program was found on this machine."),
      texts: [t("Install one that is known, or set up your own in agents.toml beside your settings file.")],
      actions: [{ label: t("Show Agent Presets"), isPrimary: true, act: showPresets }],
    });
    this.element = el(
      "div",
      { class: "stack" },
      this.problems,
      this.nothingThere,
      this.questions.element,
      this.runs.element,
      this.agents.element,
      this.ended.element,
    );
  }

  async refresh(): Promise<void> {
    this.draw(await fetchAgents(this.context.host.call));
  }

  tick(): void {
    tickAll(this.element, this.context.host.now());
  }

  private draw({ agents, problems, active, ended, questions, proposals }: AgentsSnapshot): void {
    const there = agents.filter(isThere);
    const missing = agents.length - there.length;
    const isNothing = there.length + active.length + ended.length === 0;
    this.problems.replaceChildren(
      ...problems.map((problem) =>
        el(
          "p",
          { class: "caution" },
          icon("warning", "list.warningForeground"),
          el("span", { text: oneLine(problem) }),
        ),
      ),
    );
    this.nothingThere.hidden = !isNothing;
    const asked = questions.length + proposals.length;
    const left = this.drafts.left(questions.map(questionKey));
    this.questions.show(asked + left.length > 0);
    this.questions.count(asked);
    showKeyed(this.proposalList, proposals, this.proposed);
    showKeyed(this.questionList, questions, this.asks);
    showKeyed(this.leftList, left, this.left);
    this.runs.show(!isNothing);
    this.runs.count(active.length);
    this.noRuns.hidden = active.length > 0;
    showKeyed(this.runList, active, this.rows);
    this.ended.show(ended.length > 0);
    this.ended.count(ended.length);
    showKeyed(this.endedList, ended, this.rows);
    this.agents.show(!isNothing);
    this.agents.count(there.length);
    showKeyed(this.agentList, there, this.configured);
    setText(this.presets, missingWords(missing));
  }
}

function missingWords(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? t("1 more is known whose program was not found.")
    : t("{0} more are known whose program was not found.", count.toLocaleString());
}
