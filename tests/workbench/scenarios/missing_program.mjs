import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder;

export default {
  nightly: true,
  title: "a missing program is said, with what can be done; Restart starts it once it is there",
  files: { "a.py": "a = 1\n" },
  before() {
    folder = mkdtempSync(join(tmpdir(), "bodkin-missing-"));
    return { settings: { "bodkin.server.path": join(folder, "bodkin") } };
  },
  after: () => rmSync(folder, { recursive: true }),
  begins: (w) => w.status("bodkin: not running"),
  async run(w) {
    const said = await w.notification("not found");
    for (const name of ["Restart", "Choose Program…", "Open the Setting"]) await said.getByRole("button", { name, exact: true }).waitFor();
    await w.shot();
    await w.press("not found", "Open the Setting");
    await w.page.locator(".settings-editor .setting-item-label", { hasText: "Path" }).waitFor();
    await w.shot();
    await w.page.keyboard.press("Escape");
    await w.command("bodkin: Restart"); // says it again; only then is the program put there
    await w.notification("not found");
    const program = join(folder, "bodkin");
    writeFileSync(program, `#!/bin/sh\nexec '${process.env.BODKIN}' "$@"\n`);
    chmodSync(program, 0o755);
    await w.press("not found", "Restart");
    await w.idle();
    await w.command("bodkin: Restart"); // from a server that runs, too
    await w.idle();
  },
};
