// Runs the scenarios, each in a workbench, a home and a folder of its own. tests/workbench/run.sh
// starts this.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { environment, entry, launchBrowser, openWorkbench } from "./workbench.mjs";

const here = import.meta.dirname;
const out = resolve(here, "../../build/workbench");
const names = readdirSync(join(here, "scenarios"))
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => basename(file, ".mjs"))
  .sort();
const wanted = process.argv.slice(2).filter((word) => word !== "--all");
for (const name of wanted) {
  if (names.includes(name)) continue;
  console.error(`There is no scenario "${name}". There are: ${names.join(", ")}`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), "bodkin-workbench-"));
const extensions = join(work, "extensions");
for (const vsix of ["bodkin.vsix", "companion.vsix"]) {
  const install = spawnSync(
    process.execPath,
    [entry, "--user-data-dir", join(work, "installer"), "--extensions-dir", extensions,
      "--install-extension", join(out, "packages", vsix)],
    { env: environment(join(work, "installer-home")), encoding: "utf8" },
  );
  if (install.status === 0) continue;
  console.error(install.stdout + install.stderr);
  process.exit(1);
}

// Whoever ends this ends the workbench, too.
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

// In a workbench of its own. Returns nothing, or what went wrong.
async function attempt(name, scenario, number) {
  const folder = join(work, `${name}-${number}`);
  mkdirSync(folder);
  let shot = 0;
  const shots = () => join(out, `${name}-${++shot}.png`);
  let workbench, browser;
  try {
    browser = await launchBrowser();
    const prepared = { ...scenario, ...(await scenario.before?.()) };
    workbench = await openWorkbench({ browser, work: folder, extensions, scenario: prepared, shots });
    await scenario.run(workbench);
    await workbench.shot();
  } catch (error) {
    let report = String(error?.stack ?? error);
    if (workbench) {
      await workbench.screenshot(join(out, `${name}.failed-${number}.png`)).catch(() => {});
      report += `\nSeen: ${await workbench.seen().catch(() => "(could not be read)")}`;
      const told = await workbench.told().catch(() => ["(could not be read)"]);
      report += `\nTold: ${told.join(" | ")}\nThe server: ${workbench.log()}`;
    }
    return report.replace(/^/gm, "        ");
  } finally {
    await workbench?.close();
    await browser?.close();
    scenario.after?.();
  }
}

// A workbench on a machine with other work can fail by itself: what failed is tried once more, and
// both are shown.
let passed = 0, failed = 0, retried = 0, skipped = 0;
for (const name of wanted.length ? wanted : names) {
  const { default: scenario } = await import(`./scenarios/${name}.mjs`);
  if (scenario.nightly && !wanted.length && !process.argv.includes("--all")) {
    skipped++;
    continue;
  }
  const started = Date.now();
  let problem = await attempt(name, scenario, 1);
  if (problem && !process.env.PATIENCE) {
    retried++;
    console.log(`again ${name.padEnd(12)} failed the first time:\n${problem}`);
    problem = await attempt(name, scenario, 2);
  }
  if (problem) failed++;
  else passed++;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${problem ? "FAIL " : "ok   "} ${name.padEnd(12)} ${scenario.title}   (${seconds} s)`);
  if (problem) console.log(problem);
}
if (retried) console.log(`${retried} retried`);
if (skipped) console.log(`skip ${skipped} scenarios: only with --all`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed ? 1 : 0);
