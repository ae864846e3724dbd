import { edits } from "../model.mjs";

export default {
  title: "the user is asked for what the settings say, and the edit waits for the answer",
  files: { "a.py": "a = 1\n" },
  settings: { "bodkin.agent.permissions": { edit: "ask" } },
  turns: [edits(["a.py", "a = 1\n", "a = 2\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.status("bodkin: waiting for you");
    await w.shot();
    await w.press("Editing a.py", "Allow Once");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 2\n");
  },
};
