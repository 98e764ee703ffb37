// The part of the language server protocol's edits that is taken from the host: text edits on documents of a known
// version. Anything else is refused as a whole, since half an edit is worse than none.

export interface DocumentEdits {
  uri: string;
  /** Null means any. */
  version: number | null;
  edits: TextEdit[];
}

export interface TextEdit {
  range: { start: Place; end: Place };
  newText: string;
}

/** Line and UTF-16 unit from 0, as editors count. */
interface Place {
  line: number;
  character: number;
}

/** The answer to `workspace/applyEdit`. */
export interface AppliedEdit {
  applied: boolean;
  failureReason?: string;
}

/** The edits in the parameters of `workspace/applyEdit`; nothing when they hold anything else. */
export function documentEditsIn(params: unknown): DocumentEdits[] | undefined {
  const edit = field(params, "edit");
  const changes = field(edit, "documentChanges");
  if (!Array.isArray(changes) || changes.length === 0 || field(edit, "changes") !== undefined) return undefined;
  const all: DocumentEdits[] = [];
  for (const change of changes) {
    const uri = field(field(change, "textDocument"), "uri");
    const version = field(field(change, "textDocument"), "version") ?? null;
    const edits = field(change, "edits");
    const isVersion = version === null || typeof version === "number";
    if (typeof uri !== "string" || !isVersion || !Array.isArray(edits) || !edits.every(isTextEdit)) return undefined;
    all.push({ uri, version, edits });
  }
  return all;
}

function isTextEdit(value: unknown): value is TextEdit {
  const range = field(value, "range");
  return typeof field(value, "newText") === "string" && isPlace(field(range, "start")) && isPlace(field(range, "end"));
}

function isPlace(value: unknown): value is Place {
  return isCount(field(value, "line")) && isCount(field(value, "character"));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
