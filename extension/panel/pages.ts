// The pages of the panel in the order of their tabs.

import { agentsPage } from "./agents/agents";
import { analyticsPage } from "./analytics/analytics";
import { boardPage } from "./board/board";
import { historyPage } from "./history/history";
import type { PageKind } from "./page";
import { reviewPage } from "./review/review";
import { sessionPage } from "./session/session";

export const PAGES: readonly PageKind[] = [boardPage, agentsPage, sessionPage, reviewPage, historyPage, analyticsPage];
