import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "a proposal is refined: the new one takes its place",
  files: { "a.py": "a = 1\nb = 2\n" },
  turns: [
    edits(["a.py", "a = 1\n", "a = 11\n"]),
    { expect: ["Rather a hundred"], ...edits(["a.py", "a = 11\n", "a = 100\n"]) },
  ],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.proposed("a.py");
    await w.shows("a = 11");
    await w.command("bodkin: Refine Proposal…");
    await w.answer("Rather a hundred");
    await w.drawn("→ a = 100");
    await w.proposed("a.py");
    await w.shows("a = 100");
    await w.status("bodkin: 1 proposal");
    await w.shot();
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 100\nb = 2\n");
  },
};
