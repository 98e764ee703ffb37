// A run as a row: how it stands and why, on which task, when it was last heard, and what can be done about it.

import { runFacts, runLabel } from "../../src/agents/run_words";
import { t } from "../../src/l10n";
import { capitalized, oneLine, shortened } from "../../src/outside_text";
import type { RunInfo } from "../../src/protocol.gen";
import { RUN_LOOKS } from "../../src/state_look";
import { el, setText } from "../dom";
import type { Host } from "../host";
import { type ButtonMade, button } from "../widgets/button";
import { icon, setIcon } from "../widgets/icon";
import type { Keyed } from "../widgets/keyed";
import { setSince, since } from "../widgets/since";

const messageLimit = 240;

export function runRows(host: Host): Keyed<RunInfo> {
  return {
    key: ({ run, ended }) => `${run}/${ended ? "ended" : "active"}`,
    make: (run) => makeRun(host, run),
    update: (row, run) => updateRun(row, run, host.now()),
  };
}

function makeRun(host: Host, { run, task, ended }: RunInfo): HTMLElement {
  const act = (label: string, name: string, action: "run/stop" | "run/output" | "run/show"): ButtonMade => ({
    label,
    icon: name,
    act: () => void host.act(action, { run }),
  });
  const buttons = [
    ...(ended ? [] : [act(t("Stop"), "debug-stop", "run/stop")]),
    act(t("Output"), "terminal", "run/output"),
    act(t("Details"), "open-preview", "run/show"),
    { label: t("Task"), icon: "checklist", act: () => void host.act("task/show", { task }) },
  ];
  return el(
    "li",
    { class: "row" },
    icon("blank"),
    el(
      "div",
      { class: "row-text" },
      el("p", { class: "row-title" }),
      el("p", { class: "row-because quiet" }),
      el("p", { class: "row-facts quiet" }),
      ended ? undefined : el("p", { class: "row-sign" }, el("span", { class: "row-sign-kind" }), since()),
      el("p", { class: "row-message quiet" }),
    ),
    el("div", { class: "buttons" }, ...buttons.map(button)),
  );
}

function updateRun(row: HTMLElement, run: RunInfo, now: number): void {
  const put = (part: string, text: string) => {
    const element = row.querySelector<HTMLElement>(part);
    if (element !== null) {
      setText(element, text);
      element.hidden = text === "";
    }
  };
  const sign = row.querySelector<HTMLElement>(".codicon");
  const look = RUN_LOOKS[run.state];
  if (sign !== null) setIcon(sign, look.icon, look.color);
  put(".row-title", runLabel(run));
  put(".row-because", capitalized(`${oneLine(run.because)}.`));
  put(".row-facts", runFacts(run, now));
  put(".row-message", run.message === null ? "" : t("Last said: {0}", shortened(oneLine(run.message), messageLimit)));
  put(".row-sign-kind", t("Last sign of life ({0}): ", oneLine(run.lastSign)));
  const heard = row.querySelector<HTMLElement>(".since");
  if (heard !== null) setSince(heard, run.lastSignAt, now);
}
