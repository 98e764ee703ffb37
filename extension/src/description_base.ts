// What of a task's description the text in an editor was made from, and whether that text may take the place of what is there
// now. Pure.

export interface DescriptionAt {
  description: string;
  /** The task's. It moves with anything of the task, and outlives every window. */
  revision: number;
}

export class DescriptionBase {
  /** What the editor shows or was edited from. Nothing after a reload, which an edited text survives and we do not. */
  private read: DescriptionAt | undefined;
  /** What VS Code has compared with, which it does right before it saves. */
  private compared: DescriptionAt | undefined;
  /** What the person was told that they would replace. */
  private told: string | undefined;
  private isJustWritten = false;

  wasRead(now: DescriptionAt): void {
    this.read = now;
    this.compared = now;
    this.told = undefined;
    this.isJustWritten = false;
  }

  wasCompared(now: DescriptionAt): void {
    this.compared = now;
  }

  wasWritten(now: DescriptionAt): void {
    this.wasRead(now);
    this.isJustWritten = true;
  }

  /**
   * What was written, once: after saving VS Code asks for the time of what it has saved, and what somebody wrote in that
   * moment must not pass for it.
   */
  takeWritten(): DescriptionAt | undefined {
    const written = this.isJustWritten ? this.read : undefined;
    this.isJustWritten = false;
    return written;
  }

  /** Whether nothing would change; then the editor's text is as good as read from what is there. */
  isThere(description: string): boolean {
    if (this.compared?.description !== description) return false;
    this.read = this.compared;
    return true;
  }

  /** The revision that an edit is bound to. */
  get revision(): number | undefined {
    return (this.read ?? this.compared)?.revision;
  }

  /**
   * Whether what is there now may be replaced, where the task is another one than at the revision. Who is told no has been
   * told, and may do it again.
   */
  mayReplace(now: string): boolean {
    const from = (this.read ?? this.compared)?.description;
    // The task has changed, its description has not.
    if (now === from || now === this.told) return true;
    this.told = now;
    // VS Code takes a text of the same size for the same, and asks the person about any other that it compares with.
    return now === this.compared?.description && from !== undefined && sizeOf(now) !== sizeOf(from);
  }
}

export function sizeOf(description: string): number {
  return Buffer.byteLength(description);
}
