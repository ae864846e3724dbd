import { edits } from "../model.mjs";

const files = { "a.py": "a = 1\n", "b.py": "b = 1\n", "c.py": "c = 1\n" };

export default {
  title: "what was applied in several files is undone in all of them after a reload of the window, and stays undone after the next",
  nightly: true,
  files,
  settings: { "files.autoSave": "off" },
  turns: [edits(["a.py", "a = 1\n", "a = 2\n"], ["b.py", "b = 1\n", "b = 2\n"], ["c.py", "c = 1\n", "c = 2\n"])],
  async run(w) {
    const all = async (save, number) => {
      for (const name of ["a", "b", "c"]) await save(`${name}.py`, `${name} = ${number}\n`);
    };
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Two");
    await w.drawn("→ a = 2");
    await w.command("bodkin: Apply Proposal");
    await w.noProposal();
    await all(w.saved, 2);
    await w.command("Developer: Reload Window");
    await w.idle();
    await w.command("bodkin: Undo Applied Proposal");
    await all(w.saved, 1);
    await w.idle();
    if ((await w.told()).some((words) => words.includes("Undone only"))) throw new Error("It was undone in part.");
    await w.command("Developer: Reload Window");
    await w.idle();
    await w.command("bodkin: Show Conversation");
    await w.said("Two");
    await w.idle(); // nothing is proposed
    await w.shot();
  },
};
