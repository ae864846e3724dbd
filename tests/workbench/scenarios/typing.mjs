import { edits } from "../workbench.mjs";

export default {
  title: "who goes on typing is not pulled away: the proposal waits in a notification",
  files: { "a.py": "a = 1\nb = 2\n" },
  turns: [{ ...edits(["a.py", "a = 1\n", "a = 11\n"]), delay_ms: 3000 }],
  async run(w) {
    await w.open("a.py", 3);
    await w.command("Bodkin: Ask Agent…");
    await w.answer("Another number");
    await w.status("bodkin: the model is thinking");
    await w.type("c = 3");
    await w.press("1 change in 1 file", "Show");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 11\nb = 2\nc = 3");
  },
};
