// Saves that could not be told, since there was no connection to the host in that moment. They are told once there is one, so
// that what a person typed meanwhile is still known to be theirs. Of each file the last one, since what was saved over is not
// there any more. Pure.

import type { EditorSaved } from "../protocol.gen";

/** Of more files than these, the saves are not kept; that is told with those that are. */
export const keptLimit = 100;

export class UntoldSaves {
  private readonly kept = new Map<string, { save: EditorSaved; savedAtMs: number }>();
  private missed = 0;

  constructor(private readonly nowMs: () => number) {}

  /** @param save with `agoMs` where it was here before and could still not be told: then a newer save of the file counts */
  keep({ agoMs, ...save }: EditorSaved): void {
    const { path, text, how } = save;
    const known = this.kept.get(path)?.save;
    if (known !== undefined && agoMs !== undefined) return;
    // What was saved once more without a change was made as the first save says.
    if (how === "unchanged" && known?.text === text) return;
    this.kept.delete(path);
    if (how === "unchanged") return;
    if (this.kept.size >= keptLimit) this.missed += 1;
    else this.kept.set(path, { save, savedAtMs: this.nowMs() - (agoMs ?? 0) });
  }

  /** All of them, which nobody else gets then, and how many were not kept. */
  take(): { saves: EditorSaved[]; missed: number } {
    const nowMs = this.nowMs();
    const saves = [...this.kept.values()].map(({ save, savedAtMs }) => ({
      ...save,
      agoMs: Math.max(0, Math.round(nowMs - savedAtMs)),
    }));
    const { missed } = this;
    this.kept.clear();
    this.missed = 0;
    return { saves, missed };
  }
}
