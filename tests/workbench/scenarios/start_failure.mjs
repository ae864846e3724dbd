import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "a program that ends at once or hangs is said once, and Restart works from there; an ask while it is down can be retried",
  files: { "a.py": "a = 1\n" },
  turns: [edits(["a.py", "a = 1\n", "a = 2\n"])],
  async run(w) {
    await w.open("a.py");
    const program = join(w.folder, "..", "bodkin");
    const good = readFileSync(program, "utf8");
    const put = (text) => {
      writeFileSync(program, text);
      chmodSync(program, 0o755);
    };
    put("#!/bin/sh\necho 'usage: bodkin' >&2\necho 'unknown option --stdio' >&2\nexit 64\n");
    await w.command("bodkin: Restart");
    const said = await w.notification("exited immediately with 64: unknown option --stdio");
    for (const name of ["Restart", "Choose Program…", "Open the Setting"]) await said.getByRole("button", { name, exact: true }).waitFor();
    const told = await w.told();
    if (told.length !== 1) throw new Error(`More was told than one sentence: ${told.join(" | ")}`);
    await w.shot();
    put("#!/bin/sh\nexec sleep 100000\n");
    await w.command("Notifications: Clear All Notifications");
    await w.command("bodkin: Restart");
    await w.status("bodkin: starting");
    put(good);
    await w.command("bodkin: Restart"); // out of a start that hangs
    await w.idle();
    w.endServer();
    await w.status("bodkin: not running");
    await w.command("Notifications: Clear All Notifications");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.notification("it ended unexpectedly");
    await w.shot();
    await w.press("it ended unexpectedly", "Restart and Retry");
    await w.proposed("a.py");
    put("#!/bin/sh\nexec sleep 100000\n");
    await w.command("bodkin: Restart");
    await w.notification("has not answered for 15 s");
  },
};
