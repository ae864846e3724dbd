import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "a model that the editor brings along is chosen and asked, without a key",
  files: { "a.py": "a = 1\nb = 2\n" },
  settings: {
    "bodkin.model.provider": "openai",
    "companion.replies": [edits(["a.py", "a = 1\n", "a = 11\n"]).reply.text],
  },
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Choose Model…");
    await w.choose("Companion One");
    await w.notification("now using editor: companion-1. Your code goes to the editor's own models.");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.proposed("a.py");
    await w.shot();
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 11\nb = 2\n");
  },
};
