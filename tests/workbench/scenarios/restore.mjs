import { edits } from "../model.mjs";

export default {
  title: "all that a request and those after it have changed is undone from the Conversation at once",
  files: { "a.py": "a = 1\n", "b.py": "b = 1\n" },
  turns: [edits(["a.py", "a = 1\n", "a = 2\n"]), edits(["a.py", "a = 2\n", "a = 3\n"], ["b.py", "b = 1\n", "b = 3\n"])],
  async run(w) {
    await w.open("a.py");
    for (const [words, value] of [["Two", 2], ["Three", 3]]) {
      await w.command("bodkin: Ask in the Conversation");
      await w.compose(words);
      await w.drawn(`→ a = ${value}`);
      await w.act("Apply");
      await w.noProposal();
      await w.saved("a.py", `a = ${value}\n`);
    }
    await w.saved("b.py", "b = 3\n");
    const first = w.conversation.locator("article", { hasText: "Two" }).first();
    await first.getByRole("button", { name: "Restore to Before This" }).click();
    await w.status("restored to before “Two”");
    await w.saved("a.py", "a = 1\n");
    await w.saved("b.py", "b = 1\n");
    await first.getByRole("button", { name: "Restore to Before This" }).waitFor({ state: "detached" });
    await w.shot();
  },
};
