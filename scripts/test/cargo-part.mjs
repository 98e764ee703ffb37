// Runs Rust tests and counts them from what each test program says at its end.

import { jjPath } from "../steps/jj.mjs";
import { cargo, locked } from "../steps/rust.mjs";

/** @returns {Promise<{ passed: number, failed: number, problems: string[] }>} */
export async function runCargoTests(name, args, { limitMs, show = true }) {
  let text = "";
  const { code, timedOut, output } = await cargo(["test", ...locked, "--no-fail-fast", ...args], {
    show,
    limitMs,
    log: `test-${name}.log`,
    env: { AUGMENT_TEST_JJ: jjPath },
    onText: (chunk) => {
      text += chunk;
    },
  });
  const { passed, failed, failures } = countCargoTests(text);
  const problems = [...failures];
  if (timedOut) problems.push(`${name} was ended after its limit of ${limitMs / 60_000} min`);
  else if (code !== 0 && failed === 0) problems.push("cargo test did not build or a test program crashed");
  if (passed + failed === 0) problems.push(`${name} ran no tests`);
  return { passed, failed, problems, output: show ? "" : output };
}

export function countCargoTests(text) {
  let passed = 0;
  let failed = 0;
  for (const [, ok, bad] of text.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)) {
    passed += Number(ok);
    failed += Number(bad);
  }
  const failures = [...text.matchAll(/^test (.+) \.\.\. FAILED$/gm)].map(([, test]) => test);
  return { passed, failed, failures };
}
