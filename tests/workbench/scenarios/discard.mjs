import { edits } from "../model.mjs";

const before = "a = 1\nb = 2\n";

export default {
  nightly: true,
  title: "a discarded proposal leaves nothing behind, and comes back by a command; another can follow",
  files: { "a.py": before },
  turns: [edits(["a.py", "a = 1\n", "a = 11\n"]), edits(["a.py", "a = 1\n", "a = 12\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.proposed("a.py");
    await w.titleAction("Discard");
    await w.noProposal();
    await w.saved("a.py", before);
    await w.conversation.getByRole("button", { name: "Redo", exact: true }).waitFor();
    if (await w.conversation.locator(".primary").count()) throw new Error("A button is the primary one after the decision.");
    await w.shot();
    await w.command("bodkin: Redo Undone or Discarded Proposal");
    await w.proposed("a.py");
    await w.shot();
    await w.titleAction("Discard");
    await w.noProposal();
    await w.command("bodkin: Ask Agent…");
    await w.request("Once more");
    await w.proposed("a.py");
  },
};
