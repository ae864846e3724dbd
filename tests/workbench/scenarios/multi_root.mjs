import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "of two folders with a file of the same name, the one that was meant is changed",
  files: {
    "one/util.py": "x = 1\n",
    "two/util.py": "x = 1\n",
    "both.code-workspace": JSON.stringify({ folders: [{ path: "one" }, { path: "two" }] }),
  },
  open: "both.code-workspace",
  turns: [edits(["two/util.py", "x = 1\n", "x = 2\n"])],
  async run(w) {
    await w.openPath("two", "util.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.proposed("util.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("two/util.py", "x = 2\n");
    await w.onDisk("one/util.py", "x = 1\n");
  },
};
