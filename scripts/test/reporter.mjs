// What `npm test` counts from a run of `node --test`: one JSON line for each test that passed, failed or was left out.
// A file that holds no test is reported by Node as one that passed; here it counts for nothing.

export default async function* countTests(events) {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details?.type === "suite" && type === "test:pass") continue;
    if (isOnlyAFile(data) && type === "test:pass") continue;
    if (type === "test:fail" && isParentOfFailure(data)) continue;
    const result =
      data.skip !== undefined || data.todo !== undefined ? "skipped" : type === "test:pass" ? "passed" : "failed";
    yield `${JSON.stringify({ result, name: data.name, file: data.file, ms: data.details?.duration_ms })}\n`;
  }
}

function isOnlyAFile({ name, file, nesting }) {
  return nesting === 0 && file !== undefined && (name === file || file.endsWith(name));
}

/** A suite fails because a test in it did, and that one is counted. */
function isParentOfFailure({ details }) {
  return details?.error?.failureType === "subtestsFailed";
}
