// The panel around its pages: tabs, how the connection stands, what loads and what went wrong. It fetches the page that is
// looked at when the host says that something of it moved, and no other. It holds no data of the workspace.

import { t } from "../src/l10n";
import type { Part } from "../src/protocol.gen";
import { el, focused, setAttribute } from "./dom";
import { Host } from "./host";
import { linkWords } from "./link_words";
import { type Link, PAGE_IDS, type PageId } from "./messages";
import type { Page, PageKind } from "./page";
import { Refetch } from "./refetch";
import type { Transport } from "./transport";
import { button } from "./widgets/button";
import { icon } from "./widgets/icon";
import { LiveText } from "./widgets/live_text";
import { stateNote } from "./widgets/state_note";

const tickMs = 1_000;

interface Tab {
  kind: PageKind;
  tab: HTMLElement;
  /** Holds the page, or what is said instead of it. */
  content: HTMLElement;
  note: HTMLElement;
  page: Page;
  /** Whether it was fetched since the connection came up. */
  isFetched: boolean;
  refetch: Refetch;
}

interface Kept {
  page: PageId;
  pages: { readonly [page: string]: unknown };
}

export class Shell {
  readonly host: Host;
  private readonly tabs: Tab[];
  private readonly live = new LiveText();
  private readonly banner = el("div", { class: "banner", hidden: true });
  private readonly refusal = el("div", { class: "banner", hidden: true });
  private shown: Tab | undefined;
  private link: Link = { kind: "starting", reason: "" };
  private kept: Kept;

  constructor(
    root: HTMLElement,
    private readonly transport: Transport,
    kinds: readonly PageKind[],
  ) {
    this.host = new Host(transport);
    this.kept = keptIn(transport.kept());
    this.tabs = kinds.map((kind) => this.makeTab(kind));
    const list = el(
      "div",
      { class: "tabs", role: "tablist", attributes: { "aria-label": t("Orchestrator") } },
      ...this.tabs.map(({ tab }) => tab),
    );
    list.addEventListener("keydown", (event) => this.onTabKey(event));
    root.append(
      el("header", {}, el("h1", { class: "only-read", text: t("Orchestrator") }), list),
      this.banner,
      this.refusal,
      el("main", {}, ...this.tabs.map(({ content }) => content)),
      this.live.element,
    );
    this.goTo(this.kept.page);
    setInterval(() => this.tick(), tickMs);
    this.host.begin({
      linkChanged: (link) => this.linkChanged(link),
      moved: (parts) => this.moved(parts),
      show: (page, about) => {
        this.goTo(page);
        if (about !== null && this.shown?.kind.id === page) this.shown.page.showAbout?.(about);
      },
      refused: (message) => this.drawRefusal(message),
    });
  }

  private makeTab(kind: PageKind): Tab {
    const refetch = new Refetch(() => this.fetch(made));
    const page = kind.make({
      host: this.host,
      say: (text) => this.live.say(text),
      kept: this.kept.pages[kind.id],
      keep: (state) => this.keep({ pages: { ...this.kept.pages, [kind.id]: state } }),
      goTo: (other) => this.goTo(other),
      refresh: () => refetch.askNow(),
    });
    const note = el("div", { class: "note" });
    const made: Tab = {
      kind,
      tab: el(
        "button",
        {
          class: "tab",
          role: "tab",
          id: `tab-${kind.id}`,
          attributes: { "aria-controls": `page-${kind.id}`, type: "button" },
          onClick: () => this.goTo(kind.id),
        },
        icon(kind.icon),
        el("span", { text: kind.label }),
      ),
      content: el(
        "section",
        {
          class: `page page-${kind.id}`,
          role: "tabpanel",
          id: `page-${kind.id}`,
          hidden: true,
          tabIndex: -1,
          attributes: { "aria-labelledby": `tab-${kind.id}` },
        },
        note,
        page.element,
      ),
      note,
      page,
      isFetched: false,
      refetch,
    };
    return made;
  }

  private goTo(id: PageId): void {
    const next = this.tabs.find(({ kind }) => kind.id === id) ?? this.tabs[0];
    if (next === undefined || next === this.shown) return;
    this.shown = next;
    for (const { tab, content } of this.tabs) {
      const isShown = content === next.content;
      setAttribute(tab, "aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      content.hidden = !isShown;
    }
    this.keep({ page: next.kind.id });
    this.drawLink();
    if (this.link.kind === "connected") next.refetch.askNow();
  }

  private onTabKey(event: KeyboardEvent): void {
    const at = this.shown === undefined ? 0 : this.tabs.indexOf(this.shown);
    const last = this.tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const next = to === undefined ? undefined : this.tabs[to];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.goTo(next.kind.id);
    next.tab.focus();
  }

  private linkChanged(link: Link): void {
    const wasConnected = this.link.kind === "connected";
    const before = linkWords(this.link)?.title;
    this.link = link;
    if (link.kind !== "connected") {
      for (const tab of this.tabs) tab.isFetched &&= linkWords(link)?.keepsContent ?? true;
    }
    this.drawLink();
    // Whether it is told above the page or instead of it; how it is with the same words is told once.
    const title = linkWords(link)?.title;
    if (title !== undefined && title !== before) this.live.say(title);
    if (link.kind === "connected" && !wasConnected) this.shown?.refetch.askNow();
  }

  private moved(parts: readonly Part[]): void {
    const { shown } = this;
    if (shown?.kind.parts.some((part) => parts.includes(part)) === true) shown.refetch.ask();
  }

  private async fetch(tab: Tab): Promise<void> {
    if (this.link.kind !== "connected" || tab !== this.shown) return;
    const hadFocus = tab.content.contains(focused() ?? null);
    try {
      await tab.page.refresh();
      tab.isFetched = true;
      this.drawNote(tab);
      // What had the keyboard may be gone, such as a question that was answered; the page itself takes it then.
      if (hadFocus && (focused() === undefined || focused() === document.body)) tab.content.focus();
    } catch (error) {
      // A connection that is lost meanwhile is told by the banner, and leads to another fetch when it is back.
      if (this.link.kind === "connected") this.drawFailure(tab, error instanceof Error ? error.message : String(error));
    }
  }

  private tick(): void {
    if (this.shown?.isFetched === true && document.visibilityState === "visible") this.shown.page.tick?.();
  }

  /** How the connection stands: above the page where that may stay, else instead of it. */
  private drawLink(): void {
    const words = linkWords(this.link);
    this.banner.hidden = words === undefined || this.shown?.isFetched !== true;
    if (words !== undefined && !this.banner.hidden) {
      this.banner.replaceChildren(
        icon(words.icon),
        el("span", { class: "banner-text", text: `${words.title} ${words.text}`.trim() }),
        ...words.actions.map(({ label, action }) => button({ label, act: () => void this.host.act(action, {}) })),
      );
    }
    if (this.shown !== undefined) this.drawNote(this.shown);
  }

  /** Stays until it was seen. */
  private drawRefusal(message: string): void {
    const close = () => {
      this.refusal.hidden = true;
    };
    this.refusal.replaceChildren(
      icon("error"),
      el("span", { class: "banner-text", text: message }),
      button({ label: t("Close"), act: close }),
    );
    this.refusal.hidden = false;
    this.live.say(message);
  }

  private drawNote({ note, page, isFetched, kind }: Tab): void {
    page.element.hidden = !isFetched;
    const words = linkWords(this.link);
    if (isFetched) note.replaceChildren();
    else if (words === undefined)
      note.replaceChildren(stateNote({ icon: "loading~spin", title: t("Loading {0}…", kind.label.toLowerCase()) }));
    else {
      const { title, text, actions } = words;
      note.replaceChildren(
        stateNote({
          icon: words.icon,
          title,
          texts: text === "" ? [] : [text],
          actions: actions.map(({ label, action }, at) => ({
            label,
            isPrimary: at === 0,
            act: () => void this.host.act(action, {}),
          })),
        }),
      );
    }
  }

  private drawFailure(tab: Tab, message: string): void {
    const { label } = tab.kind;
    tab.page.element.hidden = !tab.isFetched;
    tab.note.replaceChildren(
      stateNote({
        icon: "error",
        title: t("{0} could not be fetched.", label),
        texts: [message],
        actions: [
          { label: t("Try Again"), isPrimary: true, act: () => tab.refetch.askNow() },
          { label: t("Show Log"), act: () => void this.host.act("host/log", {}) },
        ],
      }),
    );
    this.live.say(t("{0} could not be fetched. {1}", label, message));
  }

  private keep(change: Partial<Kept>): void {
    this.kept = { ...this.kept, ...change };
    this.transport.keep(this.kept);
  }
}

/** What another version kept is not trusted to have this one's form. */
function keptIn(value: unknown): Kept {
  const fields = typeof value === "object" && value !== null ? value : {};
  const page = "page" in fields ? PAGE_IDS.find((known) => known === fields.page) : undefined;
  const pages = "pages" in fields && typeof fields.pages === "object" && fields.pages !== null ? fields.pages : {};
  return { page: page ?? "board", pages: { ...pages } };
}
