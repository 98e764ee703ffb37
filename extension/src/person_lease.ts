// How long what a person takes is theirs.

/** A person has no pulse to send, so what they take stays theirs for a working day. */
export const PERSON_LEASE_MS = 12 * 60 * 60_000;
