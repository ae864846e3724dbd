import { edits } from "../workbench.mjs";

export default {
  title: "the editor's own model answers, once the person has allowed it",
  files: { "a.py": "a = 1\n" },
  settings: {
    "bodkin.model.provider": "editor",
    "bodkin.model.name": "companion-1",
    "companion.replies": [edits(["a.py", "a = 1\n", "a = 2\n"]).reply.text],
  },
  async run(w) {
    await w.open("a.py");
    await w.command("Bodkin: Ask Agent…");
    await w.answer("Another number");
    await w.dialog("Allow");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 2\n");
  },
};
