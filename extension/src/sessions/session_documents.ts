// Read-only pages of plain text: what a session has told, the plan as it is understood, and a commit that is proposed.

import type { HostLink } from "../host_link";
import { t } from "../l10n";
import type { EndedSession, SessionReport } from "../protocol.gen";
import { showText, type TextKind } from "../read_only_text";
import { commitPage, earlierPage, plainText } from "./report_text";
import { numberText, planPage, reportWords } from "./session_words";

/** A report by its session and number: `s3/12`. */
export const reportText: TextKind = {
  scheme: "augment-session-report",
  part: "sessions",
  write: async (link: HostLink, query: string) => {
    const [session = "", number = ""] = query.split("/");
    const { reports } = await link.call("augment/session/reports", { session, after: Number(number) - 1 });
    const report = reports.find((known) => String(known.number) === number);
    return report === undefined ? t("This report is not there any more.\n") : plainText(report.text);
  },
};

/** How things stand, as a terminal would be told. */
export const sessionText: TextKind = {
  scheme: "augment-session",
  part: "sessions",
  write: async (link: HostLink) => plainText((await link.call("augment/session/status", {})).text),
};

export const planText: TextKind = {
  scheme: "augment-plan",
  part: "sessions",
  write: async (link: HostLink) => planPage(await link.call("augment/plan/show", {})),
};

/** What was learnt earlier and matches the session that is under way. */
export const earlierText: TextKind = {
  scheme: "augment-session-earlier",
  part: "sessions",
  write: async (link: HostLink) => earlierPage((await link.call("augment/session/status", {})).fromEarlier),
};

/** What was proposed when a session ended; it is not asked for again, so it is kept until the window closes. */
export class CommitPages {
  private readonly pages = new Map<string, string>();

  readonly kind: TextKind = {
    scheme: "augment-session-commit",
    part: "sessions",
    write: async (_, session) => this.pages.get(session) ?? t("This proposal is not known any more.\n"),
  };

  async show(ended: EndedSession): Promise<void> {
    const { session } = ended;
    this.pages.set(session.id, commitPage(ended));
    await showText(this.kind.scheme, t("Commit of session {0}", numberText(session.number)), session.id);
  }
}

export async function showReportPage({ session, number, level, task }: SessionReport): Promise<void> {
  const name = `${reportWords(level)}${task === null ? "" : t(" of {0}", task)} (${session})`;
  await showText(reportText.scheme, name, `${session}/${number}`);
}

export const showSessionPage = () => showText(sessionText.scheme, t("Session"), "");
export const showEarlierPage = () => showText(earlierText.scheme, t("From earlier sessions"), "");
export const showPlanPage = () => showText(planText.scheme, t("Plan"), "");
