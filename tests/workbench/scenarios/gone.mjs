import { renameSync } from "node:fs";
import { join } from "node:path";
import { edits } from "../model.mjs";
import { until } from "../workbench.mjs";

export default {
  nightly: true,
  title: "a file that is renamed while a proposal for it waits is nothing new: its change is out of date, and the others can be taken",
  files: { "a.py": "a = 1\n", "b.py": "x = 1\n" },
  turns: [edits(["b.py", "x = 1\n", "x = 11\n"], ["a.py", "a = 1\n", "a = 11\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Double digits");
    await w.diff("a.py (proposed) and 1 more file");
    // The workbench begins to watch the folder some time after it was opened, and tells nobody when.
    const [old, now] = ["b.py", "c.py"].map((name) => join(w.folder, name));
    await until("the change to be out of date", async () => {
      renameSync(old, now);
      const isSeen = await w.tree("out of date: the file is gone").waitFor({ timeout: 8000 }).then(() => true, () => false);
      if (!isSeen) renameSync(now, old);
      return isSeen;
    });
    await w.shot();
    await w.tree("out of date: the file is gone").click();
    await w.notification("b.py is gone.");
    await w.command("bodkin: Show Proposal");
    await w.tab("a.py (proposed)");
    await w.command("bodkin: Apply Proposal");
    await w.notification("b.py, which is gone");
    await w.shot();
    await w.front("a.py");
    await w.lens("Apply");
    await w.saved("a.py", "a = 11\n");
    if (w.read("b.py") !== undefined || w.read("c.py") !== "x = 1\n") throw new Error("the renamed file was changed");
  },
};
