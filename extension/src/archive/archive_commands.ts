// The commands on archived sessions and on what was learnt in them. Reading and approving is the host's; this room shows.

import type * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { ours } from "../ours";
import type { ReviewContext } from "../review/review_commands";
import { SHOW_KNOWLEDGE } from "../sessions/sessions_row_drawn";
import { searchArchives } from "./archive_search";
import { showKnowledge } from "./knowledge_pick";

export interface ArchiveContext {
  link: HostLink;
  review: ReviewContext | undefined;
  log: vscode.LogOutputChannel;
}

type Command = (context: ArchiveContext) => Promise<void>;

export const archiveCommands: { readonly [id: string]: Command } = {
  [ours("searchArchives")]: searchArchives,
  [SHOW_KNOWLEDGE]: showKnowledge,
};
