import { edits } from "../model.mjs";

const before = "x = 1\n\n\n\n\n\ny = 2\n\n\n\n\n\nz = 3\n";

export default {
  nightly: true,
  title: "two proposals for one file have two labels; the one of which something is proposed again is shown, though the other is newer",
  files: { "a.py": before },
  turns: [edits(["a.py", "x = 1\n", "x = 10\n"], ["a.py", "z = 3\n", "z = 30\n"]), edits(["a.py", "y = 2\n", "y = 20\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Larger x");
    await w.diff("a.py (proposed)");
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Larger y");
    await w.diff("a.py (proposed) · “Larger y”");
    await w.shot();
    await w.front("a.py (proposed)");
    await w.command("bodkin: Discard This Change");
    await w.page.locator(".sidebar .monaco-list-row", { hasText: "x = 10" }).waitFor({ state: "detached" });
    await w.front("a.py");
    await w.goTo(7);
    await w.command("bodkin: Redo Undone or Discarded Proposal");
    await w.drawn("→ x = 10");
    await w.cursor(1);
    await w.labelled("Line 1");
    await w.shot();
  },
};
