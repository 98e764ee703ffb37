// What a value from the other side must look like, as functions that both check it and give it its type. A shape lets
// nothing through that it does not name: no unknown field, no text without an end.

export type Shape<T> = (value: unknown) => value is T;

export type Shaped<S> = S extends Shape<infer T> ? T : never;

interface Fields {
  readonly [name: string]: Shape<unknown>;
}

type Needed<F extends Fields> = { [K in keyof F]: Shaped<F[K]> };
type Optional<F extends Fields> = { [K in keyof F]?: Shaped<F[K]> };

/** A text of at most so many characters. */
export function text(most: number): Shape<string> {
  return (value): value is string => typeof value === "string" && value.length <= most;
}

/** A whole number between two others. */
export function whole(least: number, most: number): Shape<number> {
  return (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

export function flag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** For what is either said or left out. */
export function yes(value: unknown): value is true {
  return value === true;
}

export function oneOf<const V extends readonly string[]>(...values: V): Shape<V[number]> {
  return (value): value is V[number] => typeof value === "string" && values.includes(value);
}

export function listOf<T>(shape: Shape<T>, most: number): Shape<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.length <= most && value.every(shape);
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value);
}

export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return (value): value is A | B => one(value) || other(value);
}

/** An object with these fields, and perhaps those, and no others. */
export function record<F extends Fields, O extends Fields = Record<never, never>>(
  needed: F,
  optional?: O,
): Shape<Needed<F> & Optional<O>> {
  return (value): value is Needed<F> & Optional<O> => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const fields = new Map(Object.entries(value));
    const isWhole = Object.keys(needed).every((name) => fields.has(name));
    return (
      isWhole &&
      [...fields].every(([name, field]) => {
        const shape = own(needed, name) ?? own(optional ?? {}, name);
        return shape?.(field) ?? false;
      })
    );
  };
}

/** For what needs no parameters. */
export function nothing(value: unknown): value is Record<string, never> {
  return record({})(value);
}

/** A table's entry, and never one that it inherits. */
function own(fields: Fields, name: string): Shape<unknown> | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
