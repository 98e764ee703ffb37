// An agent as a row: what it is, what stands in the way of starting it, and the button that does.

import { agentFacts, hindrance, readiness } from "../../src/agents/run_words";
import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { Agent } from "../../src/protocol.gen";
import { el } from "../dom";
import type { Host } from "../host";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";
import type { Keyed } from "../widgets/keyed";

export function agentRows(host: Host): Keyed<Agent> {
  return {
    // What is drawn is made of all of this; an agent that is different is another row.
    key: (agent) => JSON.stringify([agent.name, readiness(agent), agentFacts(agent), hindrance(agent)]),
    make: (agent) => makeAgent(host, agent),
    update: () => {},
  };
}

function makeAgent(host: Host, agent: Agent): HTMLElement {
  const standing = readiness(agent);
  const { name } = agent;
  const why = hindrance(agent);
  const start = button({ label: t("Start…"), icon: "play", act: () => void host.act("agent/start", { agent: name }) });
  const allow = button({
    label: t("Allow…"),
    icon: "shield",
    act: () => void host.act("agent/allow", { agent: name }),
  });
  return el(
    "li",
    { class: "row" },
    icon(
      standing === "needs-yes" ? "shield" : "robot",
      standing === "ready" ? undefined : standing === "needs-yes" ? "list.warningForeground" : "disabledForeground",
    ),
    el(
      "div",
      { class: "row-text" },
      el("p", { class: "row-title", text: oneLine(name) }),
      el("p", { class: "quiet", text: agentFacts(agent) }),
      why === undefined ? undefined : el("p", { text: oneLine(why) }),
    ),
    el("div", { class: "buttons" }, ...(standing === "ready" ? [start] : standing === "needs-yes" ? [allow] : [])),
  );
}
