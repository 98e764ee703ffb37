// Whether a hunk is before the person's eyes: its marks are drawn, and it is among the lines that are seen. Whoever decides
// by a key means what they see, so a key is heard for such a hunk only. Pure.

/** An editor that is shown, with the hunks that stand in its text. */
export interface Viewed {
  /** Nothing but a name for it. */
  editor: object;
  /** False where the editor itself shows what differs, as the other side of a diff does. */
  isMarked: boolean;
  /** The lines that one among many in a tab shows; nothing for one that has the tab to itself. */
  among?: string;
  placed: ReadonlySet<string>;
  /** Those of them that have a line among the visible ones, as VS Code last told. */
  visible: ReadonlySet<string>;
}

export class HunkSight {
  private readonly drawn = new WeakMap<object, ReadonlySet<string>>();
  /** One that was revealed, of which VS Code has not told yet that its lines are visible. */
  private revealed: string | undefined;
  /** What the editors of many files in a tab showed when somebody last came to a place in them. */
  private settled = "";

  /** The window has drawn the marks of these in an editor, and of no others. */
  drew(editor: object, hunks: Iterable<string>): void {
    this.drawn.set(editor, new Set(hunks));
  }

  /**
   * A hunk was revealed, and the window says that this is done. What it tells of visible lines comes later, and is believed
   * from then on.
   */
  reveal(hunk: string, views: readonly Viewed[]): void {
    this.revealed = hunk;
    this.look(views);
    this.settle(views);
  }

  /** Somebody has come to a place, which is in sight then. */
  settle(views: readonly Viewed[]): void {
    this.settled = shownAmong(views);
  }

  /** Visible lines may be others now. */
  look(views: readonly Viewed[]): void {
    const { revealed } = this;
    if (revealed !== undefined && views.some(({ visible }) => visible.has(revealed))) this.revealed = undefined;
  }

  /**
   * A tab of many files does not tell how far it is scrolled, and one that has the keys tells of its lines as if it were
   * never scrolled away. Other files or other lines than when one came there mean that it may be.
   * @param isWhole it stands in no text, and one was led to what shows it
   */
  isSeen(hunk: string, views: readonly Viewed[], isWhole: boolean): boolean {
    const showing = views.filter(({ placed }) => placed.has(hunk));
    const isDrawn = ({ editor, isMarked }: Viewed) => !isMarked || this.drawn.get(editor)?.has(hunk) === true;
    const isVisible = ({ visible }: Viewed) => visible.has(hunk) || this.revealed === hunk;
    const isThere = ({ among }: Viewed) => among === undefined || this.settled === shownAmong(views);
    if (showing.length === 0) return isWhole;
    return showing.some((view) => isDrawn(view) && isVisible(view) && isThere(view));
  }
}

function shownAmong(views: readonly Viewed[]): string {
  return views
    .flatMap(({ among }) => among ?? [])
    .sort()
    .join("\n");
}
