import { edits } from "../model.mjs";

const { text } = edits(["a.py", "a = 1\n", "a = 2\n"]).reply;

export default {
  nightly: true,
  title: "what was said, and a proposal with its explanation, are still there after a reload of the window",
  files: { "a.py": "a = 1\n" },
  turns: [
    { reply: { text: "It is **one**.", stop_reason: "end_turn" } },
    { reply: { text: `Two is the next.\n\n${text}`, stop_reason: "end_turn" } },
  ],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("What is a?");
    await w.said("It is one.");
    await w.command("bodkin: Ask Agent…");
    await w.request("The next number");
    await w.proposed("a.py");
    await w.command("Developer: Reload Window");
    await w.status("bodkin: 1 proposal");
    await w.command("bodkin: Show Conversation");
    await w.said("It is one.");
    await w.said("Two is the next.");
    await w.shot();
    await w.act("Apply");
    await w.noProposal();
    await w.act("Undo");
    await w.saved("a.py", "a = 1\n");
  },
};
