// What is known of prompts as of about one moment: the one that is under way, and the `session:` commits of the history,
// which are read only when somebody looks at them.

import type { Call } from "../agents/agents_snapshot";
import type { PromptStatus, SessionCommit } from "../protocol.gen";
import { Refused } from "../refusal";

export interface History {
  /** The newest first. */
  sessions: SessionCommit[];
  /** There may be older ones. */
  isCut: boolean;
  /** Why it could not be read, in the host's words. */
  problem: string | undefined;
}

export interface PromptsSnapshot {
  status: PromptStatus;
  /** Nothing as long as nobody has looked. */
  history: History | undefined;
}

export async function fetchHistory(call: Call, limit: number): Promise<History> {
  try {
    const { sessions } = await call("augment/prompt/list", { limit, branch: null });
    return { sessions, isCut: sessions.length >= limit, problem: undefined };
  } catch (error) {
    // A folder without a history is no trouble of the view: it says so in a row.
    if (!(error instanceof Refused)) throw error;
    return { sessions: [], isCut: false, problem: error.message };
  }
}
