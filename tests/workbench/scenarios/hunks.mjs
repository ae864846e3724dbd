import { edits } from "../model.mjs";

const lines = Array.from({ length: 40 }, (_, i) => `v${i + 1} = ${i + 1}\n`);
const before = lines.join("");
const turned = (...which) => lines.map((line, i) => (which.includes(i + 1) ? `v${i + 1} = ${(i + 1) * 10}\n` : line)).join("");

export default {
  title: "the changes of a proposal are taken and discarded one by one",
  files: { "a.py": before },
  turns: [
    edits(["a.py", "v3 = 3\n", "v3 = 30\n"], ["a.py", "v12 = 12\n", "v12 = 120\n"], ["a.py", "v20 = 20\n", "v20 = 200\n"],
      ["a.py", "v37 = 37\n", "v37 = 370\n"]),
  ],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Ten times as much");
    await w.proposed("a.py");
    // In the diff: the change at the cursor, which stands in the proposed text.
    await w.goTo(37);
    await w.titleAction("Apply This Change");
    await w.front("a.py");
    await w.saved("a.py", turned(37));
    // In the document: the lenses over the changed lines. The second is that of line 12.
    await w.goTo(1);
    await w.lenses("Apply", 3);
    await w.lens("Discard", 1);
    await w.lenses("Apply", 2);
    await w.shot();
    await w.lens("Apply", 1);
    await w.lenses("Apply", 1);
    await w.saved("a.py", turned(20, 37));
    await w.command("bodkin: Apply Proposal");
    await w.noProposal();
    await w.saved("a.py", turned(3, 20, 37));
  },
};
