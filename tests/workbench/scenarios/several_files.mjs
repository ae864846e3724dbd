import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "in the diff of several files single changes are taken and discarded, too",
  files: { "a.py": "a = 1\n", "b.py": "x = 1\n" },
  turns: [edits(["a.py", "a = 1\n", "a = 11\n"], ["b.py", "x = 1\n", "x = 11\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Double digits");
    await w.diff("a.py (proposed) and 1 more file");
    await w.titleAction("Show Proposal");
    await w.tab("Proposed by bodkin (2 files)");
    await w.page.locator(".multiDiffEntry .modified .view-line", { hasText: "x = 11" }).first().click();
    await w.titleAction("Apply This Change");
    await w.saved("b.py", "x = 11\n");
    await w.status("bodkin: 1 proposal");
    await w.tree("b.py").waitFor({ state: "hidden" }); // nothing of it waits
    await w.page.locator(".multiDiffEntry .modified .view-line", { hasText: "a = 11" }).first().click();
    await w.shot();
    await w.titleAction("Discard This Change");
    await w.noProposal();
    await w.onDisk("a.py", "a = 1\n");
  },
};
