// What is known of the point that is looked at, with the diff where it changed a file. A diff that arrives after another point
// was chosen is not shown.

import { t } from "../../src/l10n";
import { durationText, momentText } from "../../src/moments";
import { evidenceSentence } from "../../src/review/change_words";
import { el, setText } from "../dom";
import type { PageContext } from "../page";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";
import { diffView } from "./diff_view";
import { type Moment, stepMeant } from "./moment";

export class Details {
  readonly element = el("div", { class: "history-details" });
  private readonly facts = el("p", { class: "quiet" });
  private shown: Moment | undefined;
  /** The newest diff that is to be shown, until it is asked for. */
  private wanted: { moment: Moment; place: HTMLElement } | undefined;
  private isReading = false;

  constructor(
    private readonly context: PageContext,
    private readonly showFile: (file: string) => void,
  ) {}

  show(moment: Moment | undefined, isFileStory: boolean): void {
    if (moment?.key === this.shown?.key && moment?.told === this.shown?.told) return;
    this.shown = moment;
    if (moment === undefined) {
      this.wanted = undefined;
      this.element.replaceChildren();
      return;
    }
    const place = el("div", { class: "history-diff" });
    this.tick();
    this.element.replaceChildren(
      el("h2", { class: "moment-title" }, icon(moment.icon), el("span", { text: title(moment) })),
      this.facts,
      this.buttons(moment, isFileStory),
      place,
    );
    this.wanted = stepMeant(moment) !== undefined ? { moment, place } : undefined;
    if (this.wanted === undefined) return;
    place.replaceChildren(el("p", { class: "quiet", text: t("Fetching the diff…") }));
    void this.drawWanted();
  }

  /** How long ago it was. */
  tick(): void {
    if (this.shown !== undefined) setText(this.facts, facts(this.shown, this.context.host.now()));
  }

  private buttons(moment: Moment, isFileStory: boolean): HTMLElement {
    const { file } = moment;
    const { host } = this.context;
    const buttons = el("div", { class: "buttons" });
    const step = stepMeant(moment);
    if (step !== undefined) {
      const act = () => void host.act("history/open-diff", step);
      buttons.append(button({ label: t("Open Diff"), icon: "diff", act }));
    }
    if (file !== null && !isFileStory)
      buttons.append(button({ label: t("File History"), icon: "history", act: () => this.showFile(file) }));
    if (file !== null)
      buttons.append(
        button({ label: t("Open File"), icon: "go-to-file", act: () => void host.act("file/open", { path: file }) }),
      );
    return buttons;
  }

  /** One at a time: of the points that are passed by meanwhile only the last is asked for. */
  private async drawWanted(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    for (let next = this.wanted; next !== undefined; next = this.wanted) {
      this.wanted = undefined;
      await this.drawDiff(next.moment, next.place);
    }
    this.isReading = false;
  }

  private async drawDiff(moment: Moment, place: HTMLElement): Promise<void> {
    const { key } = moment;
    const step = stepMeant(moment);
    if (step === undefined) return;
    try {
      const { diff, cut } = await this.context.host.read("augment/timeline/diff", step);
      if (this.shown?.key === key) place.replaceChildren(diffView(diff, cut));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.shown?.key === key)
        place.replaceChildren(el("p", { class: "quiet", text: t("No diff can be shown. {0}", reason) }));
    }
  }
}

function title({ what, where, told, file }: Moment): string {
  const about = file ?? where;
  return [what, about, told].filter((part) => part !== "").join(" · ");
}

function facts({ who, time, where, file, evidence }: Moment, nowMs: number): string {
  const when = time === null ? t("when is not known") : t("{0}, {1} ago", momentText(time), durationText(nowMs - time));
  const task = file !== null && where !== file && where !== "" ? t("for {0}", where) : "";
  const known = evidence === null ? "" : evidenceSentence(evidence, who);
  return [[who.name, task].filter((part) => part !== "").join(" "), when, known]
    .filter((part) => part !== "")
    .join(" · ");
}
