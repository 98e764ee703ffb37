// Figures for unit tests: of one day, in which so many runs were completed.

import type { Analytics, CostFigures, Figures } from "../../src/protocol.gen";

interface Made {
  completed: number;
  tokens?: number;
  costs?: CostFigures[];
}

export function figuresFor(made: Made): Analytics {
  const total = figuresOf(made);
  return {
    from: 0,
    to: 86_400_000,
    bucket: "day",
    total,
    byAgent: [{ name: "goose", figures: total }],
    byType: [],
    byBucket: [{ start: 0, figures: total }],
    more: false,
    revision: 1,
  };
}

function figuresOf({ completed, tokens = 0, costs = [] }: Made): Figures {
  const all = { part: completed, of: completed };
  const none = { part: 0, of: completed };
  const ends = { ended: completed, completed, partial: 0, blocked: 0, failed: 0, cancelled: 0 };
  return {
    tasks: { ...ends, success: all, failure: none },
    runs: { ...ends, timedOut: 0, disconnected: 0, success: all, failure: none },
    times: { runs: completed, medianMs: 1_000, p90Ms: 2_000, totalMs: 1_000 * completed },
    hunks: { approved: 0, rejected: 0, undone: 0, redone: 0, approval: none, rejection: none },
    tokens: { runs: tokens > 0 ? completed : 0, input: tokens, output: 0 },
    costs,
    resources: { runs: 0, cpuTotalMs: 0, cpuMedianMs: null, peakMemoryBytes: null },
  };
}
