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

/**
 * Lets things happen until the ledger has so many events: five hundred tasks are taken and fail and are put back, again and again. In
 * the end four hundred of them are done and a hundred have failed.
 */
export async function happen(connection, events) {
  const { tasks } = await connection.request("augment/queue/list", { limit: 500 });
  const ids = tasks.map(({ id }) => id);
  const agents = ["goose", "codex", "gemini"];
  const take = async (agent) => {
    const claims = ids.map((task) => ({ task, agent, leaseMs: 86_400_000 }));
    const taken = await connection.requestAll("augment/queue/claim", claims);
    return taken.map(({ task: { id, attempt } }) => ({ task: id, attempt }));
  };
  const fail = (held) =>
    connection.requestAll(
      "augment/queue/fail",
      held.map((one) => ({ ...one, reason: "The other side did not answer." })),
    );
  for (let round = 0; (await eventCount(connection)) < events; round += 1) {
    await fail(await take(agents[round % agents.length]));
    const again = ids.map((task) => ({ task }));
    await connection.requestAll("augment/queue/retry", again);
  }
  const held = await take("goose");
  await connection.requestAll("augment/queue/complete", held.slice(0, 400));
  await fail(held.slice(400));
}

async function eventCount(connection) {
  const { records } = await connection.request("augment/audit/list", { limit: 1 });
  return records[0]?.sequence ?? 0;
}
