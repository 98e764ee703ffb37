// How every state looks and is called, wherever it appears: status bar, trees, quick picks, badges and notifications. One
// word, one codicon and one colour for a state, and no two tables of them. Pure; it decides nothing about states.

import type { LinkState } from "./host_link";
import { t } from "./l10n";
import type {
  FlagKind,
  HandOffState,
  PromptState,
  RunState,
  SessionState,
  Standing,
  Status,
  StepOutcome,
} from "./protocol.gen";

export interface Look {
  /** In the editor's language, which is not known yet where this is made. */
  readonly word: string;
  /** A codicon, with `~spin` where it turns. */
  icon: string;
  /** A colour of VS Code's, or one that the manifest contributes. */
  color: string;
}

const colors = {
  calm: "icon.foreground",
  active: "charts.blue",
  good: "testing.iconPassed",
  bad: "testing.iconFailed",
  look: "list.warningForeground",
  off: "disabledForeground",
  pending: "augmentOrchestrator.pendingChange",
  unknown: "augmentOrchestrator.unknownChange",
} as const;

function look(word: () => string, icon: string, color: keyof typeof colors): Look {
  return called(word, { icon, color: colors[color] });
}

/** As another looks, under its own word. */
function called(word: () => string, { icon, color }: Pick<Look, "icon" | "color">): Look {
  return {
    get word() {
      return word();
    },
    icon,
    color,
  };
}

/** What is true of several kinds of things, and of what no protocol type names. */
export const LOOKS = {
  pending: look(() => t("pending"), "circle-large-outline", "calm"),
  /** It waits for others to be done. */
  later: look(() => t("pending"), "clockface", "off"),
  inProgress: look(() => t("in progress"), "play-circle", "active"),
  starting: look(() => t("starting"), "loading~spin", "active"),
  running: look(() => t("running"), "play-circle", "active"),
  waiting: look(() => t("waiting for you"), "question", "look"),
  disconnected: look(() => t("disconnected"), "debug-disconnect", "look"),
  completed: look(() => t("completed"), "pass", "good"),
  partial: look(() => t("partial"), "warning", "look"),
  blocked: look(() => t("blocked"), "lock", "look"),
  failed: look(() => t("failed"), "error", "bad"),
  timedOut: look(() => t("timed out"), "watch", "bad"),
  cancelled: look(() => t("cancelled"), "circle-slash", "off"),
  skipped: look(() => t("skipped"), "arrow-right", "off"),
  /** Changes that wait for a decision. */
  toReview: look(() => t("to review"), "git-compare", "pending"),
  approved: look(() => t("approved"), "check", "good"),
  rejected: look(() => t("rejected"), "discard", "look"),
  halfApproved: look(() => t("needs a second approver"), "person-add", "look"),
  unknownAuthor: look(() => t("unknown author"), "unverified", "unknown"),
  outOfScope: look(() => t("out of scope"), "warning", "look"),
  unauthorised: look(() => t("unauthorised"), "shield", "look"),
  entangled: look(() => t("entangled"), "git-merge", "look"),
  flagged: look(() => t("flagged"), "warning", "look"),
  finding: look(() => t("finding"), "key", "look"),
  /** Something is wrong that has no state of its own. */
  problem: look(() => t("needs a look"), "warning", "look"),
  /** A person has to say yes before it runs. */
  needsYes: look(() => t("needs your yes"), "shield", "look"),
  notReady: look(() => t("cannot be started"), "robot", "off"),
  ready: look(() => t("ready"), "robot", "calm"),
  queue: look(() => t("queue"), "checklist", "calm"),
} as const satisfies Record<string, Look>;

export const STATUS_LOOKS: Record<Status, Look> = {
  pending: LOOKS.pending,
  "in-progress": LOOKS.inProgress,
  completed: LOOKS.completed,
  failed: LOOKS.failed,
  partial: LOOKS.partial,
  blocked: LOOKS.blocked,
  cancelled: LOOKS.cancelled,
};

export const RUN_LOOKS: Record<RunState, Look> = {
  starting: LOOKS.starting,
  running: LOOKS.running,
  waiting: LOOKS.waiting,
  completed: LOOKS.completed,
  partial: LOOKS.partial,
  blocked: LOOKS.blocked,
  failed: LOOKS.failed,
  cancelled: LOOKS.cancelled,
  "timed-out": LOOKS.timedOut,
  disconnected: LOOKS.disconnected,
};

export const STANDING_LOOKS: Record<Standing, Look> = {
  pending: called(() => t("pending"), LOOKS.toReview),
  "half-approved": LOOKS.halfApproved,
  approved: LOOKS.approved,
  rejected: LOOKS.rejected,
};

export const FLAG_LOOKS: Record<FlagKind, Look> = {
  "out-of-scope": LOOKS.outOfScope,
  unauthorised: LOOKS.unauthorised,
};

export const SESSION_LOOKS: Record<SessionState, Look> = {
  planned: called(() => t("scope to confirm"), LOOKS.waiting),
  confirmed: look(() => t("scope confirmed"), "checklist", "calm"),
  working: called(() => t("working"), LOOKS.running),
  checkpoint: look(() => t("checkpoint"), "debug-pause", "look"),
  ending: look(() => t("ending"), "loading~spin", "calm"),
  ended: called(() => t("ended"), LOOKS.completed),
  abandoned: called(() => t("abandoned"), LOOKS.cancelled),
};

export const STEP_LOOKS: Record<StepOutcome, Look> = {
  waiting: called(() => t("waiting"), LOOKS.pending),
  done: called(() => t("done"), LOOKS.completed),
  failed: LOOKS.failed,
  skipped: LOOKS.skipped,
};

export const PROMPT_LOOKS: Record<PromptState, Look> = {
  open: look(() => t("under way"), "comment-discussion", "active"),
  finished: look(() => t("finished, to be pushed"), "cloud-upload", "look"),
  closed: called(() => t("pushed"), LOOKS.completed),
  dropped: called(() => t("given up"), LOOKS.cancelled),
};

export const HAND_OFF_LOOKS: Record<HandOffState, Look> = {
  proposed: look(() => t("proposed"), "arrow-swap", "active"),
  accepted: called(() => t("accepted"), LOOKS.completed),
  dismissed: called(() => t("dismissed"), LOOKS.cancelled),
  stopped: called(() => t("stopped"), LOOKS.cancelled),
};

export const LINK_LOOKS: Record<LinkState["kind"], Look> = {
  "no-folder": look(() => t("no folder"), "checklist", "calm"),
  restricted: look(() => t("restricted"), "shield", "calm"),
  resting: look(() => t("resting"), "checklist", "calm"),
  starting: LOOKS.starting,
  connected: look(() => t("connected"), "checklist", "calm"),
  reconnecting: look(() => t("reconnecting"), "loading~spin", "look"),
  stopped: called(() => t("stopped"), LOOKS.cancelled),
  down: look(() => LOOKS.disconnected.word, LOOKS.disconnected.icon, "bad"),
};
