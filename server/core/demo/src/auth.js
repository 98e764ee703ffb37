import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

const users = new Map();
const sessions = new Map();

export function register(name, password) {
  const salt = randomBytes(16);
  users.set(name, { salt, hash: scryptSync(password, salt, 32) });
}

export function logIn(name, password) {
  const user = users.get(name);
  if (!user) return undefined;
  if (!timingSafeEqual(scryptSync(password, user.salt, 32), user.hash)) return undefined;
  const token = randomBytes(16).toString("hex");
  sessions.set(token, name);
  return token;
}

export function whoIs(token) {
  return sessions.get(token);
}
