// Filling a queue through the protocol, many requests at once.

const batch = 1_000;
const priorities = ["high", "medium", "low"];

/** A task like those people write: a title, a sentence, a priority. */
export function exampleTask(number) {
  return {
    title: `Task ${number}: look into the handling of time-outs`,
    description: "The request ends without an answer when the other side is slow. Find out where it waits.",
    priority: priorities[number % priorities.length],
  };
}

export async function fill(connection, count) {
  for (let done = 0; done < count; done += batch) {
    const tasks = Array.from({ length: Math.min(batch, count - done) }, (_, at) => exampleTask(done + at));
    await connection.requestAll("augment/queue/add", tasks);
  }
}
