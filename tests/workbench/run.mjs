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
const wanted = process.argv.slice(2);
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
let workbench;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, async () => {
    await workbench?.close();
    await browser.close();
    rmSync(work, { recursive: true, force: true });
    process.exit(1);
  });
}

let passed = 0, failed = 0;
const browser = await launchBrowser();
for (const name of wanted.length ? wanted : names) {
  const { default: scenario } = await import(`./scenarios/${name}.mjs`);
  const started = Date.now();
  const folder = join(work, name);
  mkdirSync(folder);
  let shot = 0;
  workbench = undefined;
  const shots = () => join(out, `${name}-${++shot}.png`);
  try {
    const prepared = { ...scenario, ...(await scenario.before?.()) };
    workbench = await openWorkbench({ browser, work: folder, extensions, scenario: prepared, shots });
    await scenario.run(workbench);
    await workbench.shot();
    passed++;
    console.log(`ok    ${name.padEnd(22)} ${scenario.title}   (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name.padEnd(22)} ${scenario.title}`);
    console.log(String(error?.stack ?? error).replace(/^/gm, "        "));
    if (workbench) {
      await workbench.screenshot(join(out, `${name}.failed.png`)).catch(() => {});
      const told = await workbench.told().catch(() => ["(could not be read)"]);
      console.log(`Told: ${told.join(" | ")}\nThe server: ${workbench.log()}`.replace(/^/gm, "        | "));
    }
  } finally {
    await workbench?.close();
    scenario.after?.();
  }
}
await browser.close();
rmSync(work, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
