import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "the plan of a request is carried out",
  files: { "a.py": "a = 1\n" },
  turns: [
    { expect: ["the number in @a.py"], reply: { text: "1. Make a two.", stop_reason: "end_turn" } },
    { expect: ["Make a two", "Carry out the plan"], ...edits(["a.py", "a = 1\n", "a = 2\n"]) },
    { reply: { text: "Done.", stop_reason: "end_turn" } },
  ],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("/plan the number in @a.py");
    await w.act("Carry It Out");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 2\n");
  },
};
