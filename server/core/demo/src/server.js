import { createServer } from "node:http";
import { whoIs } from "./auth.js";
import { notesOf } from "./notes.js";

export function serve(port) {
  const server = createServer((request, response) => {
    const owner = whoIs(request.headers.authorization);
    response.statusCode = owner ? 200 : 401;
    response.end(owner ? JSON.stringify(notesOf(owner)) : "Who are you?\n");
  });
  return server.listen(port, "127.0.0.1");
}
