// Closes a union: a new variant that is not handled is a type error where this is called.

export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
