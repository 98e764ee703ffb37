// The name that the host knows the person in this window by. The host lets in nobody but its own user, and takes the name
// from the same surroundings; where the two differ, people are told apart by their names.

import { userInfo } from "node:os";

let known: string | undefined;

/** Empty where it is not known. */
export function ownName(): string {
  known ??= process.env.USER || process.env.LOGNAME || listedName();
  return known;
}

function listedName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user that the system's list does not have.
    return "";
  }
}
