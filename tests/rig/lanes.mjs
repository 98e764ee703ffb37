// The same check at many places, two at a time: the machines that run this have two cores.

const atOnce = 2;

/**
 * @template T
 * @param {T[]} places
 * @param {(place: T, at: number) => Promise<unknown>} check what fails names its place
 */
export async function eachPlace(places, check) {
  let next = 0;
  const lane = async () => {
    while (next < places.length) {
      const at = next;
      next += 1;
      try {
        await check(places[at], at);
      } catch (error) {
        next = places.length;
        throw new Error(`at place ${at}, ${JSON.stringify(places[at])}: ${error.message}`, { cause: error });
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  const failed = lanes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}
