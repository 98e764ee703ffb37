// What a page says, checked before anything is made of it. A message that is not in the map, or whose parameters do not
// have their shape, is refused with a reason; it never becomes a command.

import { ACTIONS, type FromPage, READS } from "../../panel/messages";
import type { Shape } from "../../panel/shape";

export type Checked =
  | { kind: "good"; message: FromPage }
  /** With the id that waits for an answer, where the message has one. */
  | { kind: "refused"; reason: string; id: number | undefined };

export function checkMessage(value: unknown): Checked {
  if (typeof value !== "object" || value === null) return refused("it is not an object");
  const fields = new Map<string, unknown>(Object.entries(value));
  const kind = fields.get("kind");
  if (kind === "hello") return hasOnly(fields, ["kind"]) ? good({ kind }) : refused("a greeting carries nothing");
  const id = fields.get("id");
  if (typeof id !== "number" || !Number.isInteger(id) || id < 0)
    return refused("it has no number to be answered under");
  const params = fields.get("params");
  switch (kind) {
    case "read": {
      const method = keyIn(READS, fields.get("method"));
      if (method === undefined) return refused("no such read is known", id);
      if (!hasOnly(fields, ["kind", "id", "method", "params"]) || !fits(READS[method], params))
        return refused(`the parameters of ${method} have another shape`, id);
      return good({ kind, id, method, params });
    }
    case "act": {
      const action = keyIn(ACTIONS, fields.get("action"));
      if (action === undefined) return refused("no such action is known", id);
      if (!hasOnly(fields, ["kind", "id", "action", "params"]) || !fits(ACTIONS[action], params))
        return refused(`the parameters of ${action} have another shape`, id);
      return good({ kind, id, action, params });
    }
    default:
      return refused("no such kind of message is known", id);
  }
}

function fits(shape: Shape<object>, value: unknown): value is object {
  return shape(value);
}

/** The name if the table has it itself: what every object inherits is no entry. */
function keyIn<T extends { readonly [key: string]: unknown }>(table: T, name: unknown): (keyof T & string) | undefined {
  return typeof name === "string" && Object.hasOwn(table, name) ? name : undefined;
}

function hasOnly(fields: ReadonlyMap<string, unknown>, names: readonly string[]): boolean {
  return [...fields.keys()].every((name) => names.includes(name));
}

function good(message: FromPage): Checked {
  return { kind: "good", message };
}

function refused(reason: string, id?: number): Checked {
  return { kind: "refused", reason, id };
}
