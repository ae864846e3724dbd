import { edits } from "../model.mjs";

const before = "a = 1\nb = 2\nc = 3\n";

export default {
  title: "what the user types in the lines of a proposal stays, and the proposal is over",
  files: { "a.py": before },
  turns: [edits(["a.py", "b = 2\n", "b = 22\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.proposed("a.py");
    await w.front("a.py");
    // Above the change: the proposal moves along.
    await w.goTo(1);
    await w.type("# mine\n");
    await w.lenses("Apply", 1);
    await w.goTo(3);
    await w.type("a");
    // It is said of which proposal, and it can be asked for again.
    const told = await w.notification("The text that “Another number” (a.py) would replace has changed");
    await told.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await w.said("The text that “Another number” (a.py) would replace has changed");
    await w.conversation.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await w.noProposal();
    await w.saved("a.py", "# mine\na = 1\nab = 2\nc = 3\n");
  },
};
