// Review by task and file: how much waits, what is particular about it, and the decisions. They are sent as everywhere else:
// shown first where work is entangled, refused with a reason, undone from here.

import { t } from "../../src/l10n";
import type { ChangeCounts, ChangedFile } from "../../src/protocol.gen";
import { pendingWords } from "../../src/review/change_words";
import { decisionsIn } from "../../src/review/decisions_made";
import { LOOKS } from "../../src/state_look";
import { el, setAttribute, setText } from "../dom";
import type { Host } from "../host";
import { fieldsOf } from "../kept";
import type { PanelSelection } from "../messages";
import type { Page, PageContext, PageKind } from "../page";
import { button, iconButton } from "../widgets/button";
import { icon, setIcon } from "../widgets/icon";
import { showKeyed } from "../widgets/keyed";
import { Section } from "../widgets/section";
import { stateNote } from "../widgets/state_note";
import { WindowedList } from "../widgets/windowed_list";
import { decisionRows } from "./decision_row";
import { type ReviewRow, reviewRows } from "./review_rows";

const pageSize = 200;
/** Past this many files the rest is told as a number. */
const fileLimit = 2_000;
const decisionLimit = 30;
const keepRestMs = 150;

export const reviewPage: PageKind = {
  id: "review",
  get label() {
    return t("Review");
  },
  icon: "diff-multiple",
  parts: ["changes", "sessions"],
  make: (context) => new Review(context),
};

class Review implements Page {
  readonly element: HTMLElement;
  private readonly summary = el("p", { class: "review-summary" });
  private readonly bulk: HTMLElement;
  private readonly nothing: HTMLElement;
  private readonly list: WindowedList<ReviewRow>;
  private readonly decisions: Section;
  private readonly decisionList = el("ul", { class: "rows" });
  /** How far the list was scrolled before the page was hidden, until it is taken up. */
  private top: number | undefined;
  private keepTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: PageContext) {
    const { host } = context;
    this.list = new WindowedList<ReviewRow>(t("Changes to review, by task and file"), {
      key: ({ key }) => key,
      make: () => makeRow(),
      update: (row, item) => updateRow(host, row, item),
      onKey: (event, item) => this.onKey(event, item),
      keepsPlace: true,
      scrolled: () => this.keepSoon(),
      wentTo: () => this.keepSoon(),
    });
    const kept = fieldsOf(context.kept);
    const current = kept.get("current");
    if (typeof current === "string") this.list.reveal(current);
    const top = kept.get("top");
    this.top = typeof top === "number" && top > 0 ? top : undefined;
    this.bulk = el(
      "div",
      { class: "buttons" },
      button({
        label: t("Review All"),
        icon: "diff-multiple",
        isPrimary: true,
        act: () => void host.act("review/open-all", {}),
      }),
      button({
        label: t("Approve All…"),
        icon: "check-all",
        act: () => void host.act("review/decide-all", { verdict: "approve" }),
      }),
      button({
        label: t("Reject All…"),
        icon: LOOKS.rejected.icon,
        act: () => void host.act("review/decide-all", { verdict: "reject" }),
      }),
    );
    this.nothing = stateNote({
      icon: "pass",
      title: t("Nothing waits for your decision."),
      texts: [t("What agents and scripts change appears here, by task and file, to be approved or rejected.")],
      actions: [{ label: t("Go to the Board"), act: () => context.goTo("board") }],
    });
    this.decisions = new Section(t("Decisions"), this.decisionList);
    this.element = el(
      "div",
      { class: "stack review" },
      el("div", { class: "review-head" }, this.summary, this.bulk),
      this.nothing,
      this.list.element,
      this.decisions.element,
    );
  }

  async refresh(): Promise<void> {
    const { host } = this.context;
    const [{ files, counts, left }, { records }] = await Promise.all([
      fetchFiles(host),
      host.read("augment/audit/list", { kind: "review", limit: 4 * decisionLimit }),
    ]);
    const rows = reviewRows(files);
    this.nothing.hidden = rows.length > 0;
    this.list.element.hidden = rows.length === 0;
    this.bulk.hidden = rows.length === 0;
    setText(this.summary, summaryWords(counts, left));
    this.list.show(rows);
    if (this.top !== undefined) this.list.scrollTop = this.top;
    this.top = undefined;
    const made = decisionsIn(records).slice(0, decisionLimit);
    this.decisions.show(made.length > 0);
    showKeyed(this.decisionList, made, decisionRows(host));
  }

  focus(): void {
    this.list.focusRow(0);
  }

  /** Scrolling is not slowed down by what is written down of it. */
  private keepSoon(): void {
    clearTimeout(this.keepTimer);
    this.keepTimer = setTimeout(() => {
      this.context.keep({ current: this.list.currentKey, top: this.top ?? Math.round(this.list.scrollTop) });
    }, keepRestMs);
  }

  private onKey(event: KeyboardEvent, item: ReviewRow): boolean {
    if (event.key !== "Enter" || !(event.target instanceof Element && event.target.matches(".windowed-row")))
      return false;
    open(this.context.host, item);
    return true;
  }
}

async function fetchFiles(host: Host): Promise<{ files: ChangedFile[]; counts: ChangeCounts; left: number }> {
  const files: ChangedFile[] = [];
  for (let after: string | undefined; ; ) {
    const page = await host.read("augment/changes/list", {
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    files.push(...page.files.filter(({ hunks }) => hunks.length > 0));
    if (page.next === null || files.length >= fileLimit)
      return { files, counts: page.counts, left: Math.max(0, page.counts.pendingFiles - files.length) };
    after = page.next;
  }
}

function summaryWords(counts: ChangeCounts, left: number): string {
  if (counts.pendingHunks === 0) return "";
  return `${pendingWords(counts)}${left > 0 ? t("; {0} files are not listed here", left.toLocaleString()) : ""}`;
}

function makeRow(): HTMLElement {
  return el(
    "div",
    { class: "review-row" },
    icon("blank"),
    el("span", { class: "review-title" }),
    el("span", { class: "review-facts quiet" }),
    el("span", { class: "review-remarks" }),
    el("div", { class: "review-buttons" }),
  );
}

function updateRow(host: Host, row: HTMLElement, item: ReviewRow): void {
  const put = (part: string, text: string) => {
    const element = row.querySelector<HTMLElement>(part);
    if (element !== null) setText(element, text);
  };
  shownIn.set(row, item);
  row.classList.toggle("group", item.kind === "group");
  const sign = row.querySelector<HTMLElement>(".codicon");
  if (sign !== null) setIcon(sign, ...rowIcon(item));
  put(".review-title", item.title);
  put(".review-facts", item.facts);
  put(".review-remarks", item.remarks.join(" · "));
  setAttribute(row, "title", item.path ?? item.title);
  setAttribute(row, "aria-label", [item.path ?? item.title, item.facts, ...item.remarks].join(", "));
  const held = row.querySelector<HTMLElement>(".review-buttons");
  if (held !== null && held.childElementCount === 0) held.append(...rowButtons(host, row, item));
}

/** What is shown in each row: whose work in which file never changes, the hunks do. */
const shownIn = new WeakMap<HTMLElement, ReviewRow>();

function rowButtons(host: Host, row: HTMLElement, item: ReviewRow): HTMLElement[] {
  const { path, title } = item;
  const about = path ?? title;
  if (item.what === null) return [];
  const act = (order: (what: PanelSelection) => void) => () => {
    const what = shownIn.get(row)?.what;
    if (what) order(what);
  };
  const decide = (verdict: "approve" | "reject") => act((what) => void host.act("review/decide", { verdict, what }));
  return [
    ...(item.isUnknown
      ? [
          iconButton({
            label: t("Assign {0}…", about),
            icon: "person-add",
            act: act((what) => void host.act("review/assign", { what })),
          }),
        ]
      : []),
    ...(path === null
      ? []
      : [iconButton({ label: t("Open the changes of {0}", about), icon: "diff", act: () => open(host, item) })]),
    iconButton({ label: t("Approve {0}", about), icon: path === null ? "check-all" : "check", act: decide("approve") }),
    iconButton({ label: t("Reject {0}", about), icon: LOOKS.rejected.icon, act: decide("reject") }),
  ];
}

function rowIcon({ kind, isUnknown }: ReviewRow): [icon: string, color: string] {
  if (kind === "file") return ["file", "icon.foreground"];
  const { icon, color } = isUnknown ? LOOKS.unknownAuthor : LOOKS.toReview;
  return [icon, color];
}

function open(host: Host, { path, task }: ReviewRow): void {
  if (path !== null) void host.act("review/open", { file: path, task });
  else if (task !== null) void host.act("task/show", { task });
}
