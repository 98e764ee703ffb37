// Programs that come from the system, installed by name with apt when they are missing. It never removes or upgrades
// anything, and where it may not install it says what to install by hand.

import { findProgram, mustRun, run } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { step } from "./progress.mjs";

/** What we may need, by the program looked for. */
const known = {
  chromium: { programs: ["chromium", "chromium-browser", "google-chrome", "chrome"], apt: "chromium" },
  strace: { programs: ["strace"], apt: "strace" },
  git: { programs: ["git"], apt: "git" },
  cc: { programs: ["cc", "gcc", "clang"], apt: "gcc libc6-dev" },
  "g++": { programs: ["g++"], apt: "g++" },
  make: { programs: ["make"], apt: "make" },
  python3: { programs: ["python3"], apt: "python3" },
  dash: { programs: ["dash"], apt: "dash" },
  busybox: { programs: ["busybox"], apt: "busybox" },
  rg: { programs: ["rg"], apt: "ripgrep" },
  neovim: { programs: ["nvim"], apt: "neovim" },
};

export function findSystemProgram(name) {
  for (const program of known[name].programs) {
    const found = findProgram(program);
    if (found) return found;
  }
  return undefined;
}

/** @param {(keyof typeof known)[]} names */
export async function ensureSystemPackages(names) {
  const missing = names.filter((name) => !findSystemProgram(name));
  if (missing.length === 0) return;
  const packages = missing.flatMap((name) => known[name].apt.split(" "));
  const byHand = `Install ${missing.join(", ")} by hand (Debian or Ubuntu: apt-get install ${packages.join(" ")}), then run this again.`;
  if (!findProgram("apt-get")) {
    throw new StepFailed(`${missing.join(", ")} not found on the PATH, and this system has no apt-get. ${byHand}`);
  }
  const prefix = await rootPrefix();
  if (!prefix)
    throw new StepFailed(
      `${missing.join(", ")} not found, and installing needs root, or a sudo that asks for no password. ${byHand}`,
    );
  await step(`Install ${packages.join(", ")} with apt`, async (note) => {
    const apt = (args, explain) => {
      const [program, ...rest] = [...prefix, "apt-get", ...args];
      return mustRun(program, rest, { log: "apt.log", onLine: note, explain });
    };
    await apt(["update", "-qq"], `apt-get update failed. Check the network, or: ${byHand}`);
    await apt(["install", "-y", "--no-install-recommends", ...packages], `apt-get install failed. ${byHand}`);
  });
}

async function rootPrefix() {
  if (process.getuid?.() === 0) return ["env", "DEBIAN_FRONTEND=noninteractive"];
  const sudo = findProgram("sudo");
  if (!sudo) return undefined;
  const { code } = await run(sudo, ["-n", "true"]);
  return code === 0 ? [sudo, "-n", "env", "DEBIAN_FRONTEND=noninteractive"] : undefined;
}
