// The ledger's newest records as a read-only page of plain text, newest first.

import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { momentText } from "./moments";
import { oneLine, shortened } from "./outside_text";
import type { Record as LedgerRecord } from "./protocol.gen";
import { showText, type TextKind } from "./read_only_text";

const scheme = "augment-ledger";
const limit = 200;
const dataLimit = 400;

export const ledgerText: TextKind = {
  scheme,
  part: "ledger",
  write: async (link: HostLink) => {
    const { records, next } = await link.call("augment/audit/list", { limit });
    const more = next === null ? [] : ["", t("Older records: augment-cli audit list --before {0}", next)];
    return `${[t("The newest {0} records of the ledger, newest first", records.length), "", ...records.map(recordLine), ...more].join("\n")}\n`;
  },
};

export async function showLedger(): Promise<void> {
  await showText(scheme, t("Ledger"), "");
}

export function recordLine({ sequence, time, actor, kind, subject, data }: LedgerRecord): string {
  const facts = [
    momentText(time),
    actor.padEnd(14),
    kind.padEnd(16),
    subject,
    shortened(JSON.stringify(data) ?? "", dataLimit),
  ];
  return `${String(sequence).padEnd(6)}  ${oneLine(facts.join("  "))}`;
}
