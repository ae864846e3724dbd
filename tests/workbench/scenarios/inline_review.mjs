import { edits } from "../model.mjs";

export default {
  title: "changes are drawn in the documents, and taken with keys from one file to the next",
  files: { "a.py": "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n", "b.py": "x = 1\ny = 2\n" },
  turns: [edits(["a.py", "b = 2\n", "b = 22\n"], ["a.py", "f = 6\n", "f = 66\ng = 7\n"], ["b.py", "x = 1\n", ""])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Double digits");
    await w.diff("a.py (proposed) and 1 more file");
    await w.tree("Double digits").waitFor();
    await w.tree("b.py").waitFor();
    await w.front("a.py");
    await w.drawn("→ b = 22");
    await w.drawn("→ f = 66  ↓ g = 7");
    await w.lenses("Apply", 2);
    await w.goTo(1);
    await w.page.keyboard.press("Control+Alt+PageDown");
    await w.cursor(2);
    await w.shot();
    for (const theme of ["Dark Modern", "Dark High Contrast"]) {
      await w.theme(theme);
      await w.drawn("→ b = 22");
      await w.shot();
    }
    await w.page.keyboard.press("Control+Alt+Enter");
    await w.shows("b = 22");
    await w.cursor(6);
    await w.page.keyboard.press("Shift+Alt+Backspace");
    await w.tab("b.py");
    await w.drawn("← deleted");
    await w.shot();
    await w.page.keyboard.press("Control+Alt+Enter");
    await w.noProposal();
    await w.cursor(1);
    await w.saved("a.py", "a = 1\nb = 22\nc = 3\nd = 4\ne = 5\nf = 6\n");
    await w.saved("b.py", "y = 2\n");
  },
};
