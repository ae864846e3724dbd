import { edits } from "../model.mjs";

const a = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n";

export default {
  nightly: true,
  title: "a whole review with keys only, and a screen reader hears each change and what became of it",
  files: { "a.py": a, "b.py": "x = 1\n\ny = 2\n", "c.py": "z = 1\n" },
  turns: [edits(["a.py", "a = 1\n", "a = 11\n"], ["a.py", "c = 3\n", "c = 33\n"], ["a.py", "e = 5\n", ""], ["b.py", "x = 1\n", "x = 11\n"], ["b.py", "y = 2\n", "y = 22\n"], ["c.py", "z = 1\n", "z = 11\n"])],
  async run(w) {
    const press = (key) => w.page.keyboard.press(key);
    const hears = (text) => w.conversation.locator("#spoken p", { hasText: text }).first().waitFor();
    await press("Control+p");
    await w.enter("a.py");
    await w.choosable("a.py");
    await press("Enter");
    await w.tab("a.py");
    await w.cursor(1);
    await press("Control+Alt+j");
    await w.request("Double digits");
    await w.diff("a.py (proposed) and 2 more files");
    await hears("Proposal: Double digits");
    // In the diff.
    await press("Control+Alt+PageDown");
    await w.cursor(3);
    await hears("Line 3: 1 line removed, 1 line added: c = 33");
    await press("Control+Alt+PageUp");
    await w.cursor(1);
    await hears("Line 1: 1 line removed, 1 line added: a = 11");
    await press("Control+Alt+Enter");
    await hears("Applied: line 1 of a.py.");
    await w.cursor(3);
    await press("Shift+Alt+Backspace");
    await hears("Discarded: line 3 of a.py.");
    await hears("Line 5: 1 line removed");
    await w.shot();
    // Behind the last of this file, to the next file.
    await press("Control+Alt+PageDown");
    await w.tab("b.py (proposed)");
    await w.cursor(1);
    await hears("Line 1: 1 line removed, 1 line added: x = 11");
    await press("Control+Alt+Enter");
    await hears("Applied: line 1 of b.py.");
    await w.cursor(3);
    await press("Control+Shift+Alt+Enter"); // all that is left of this file
    await hears("Applied: b.py.");
    await w.tab("c.py (proposed)");
    await w.page.locator(".tab", { hasText: "b.py" }).first().waitFor({ state: "detached" }); // nothing of it is left
    await w.cursor(1);
    await press("Control+k");
    await press("Control+Alt+Enter"); // all that is left
    await w.noProposal();
    await w.saved("a.py", "a = 11\nb = 2\nc = 3\nd = 4\n");
    await w.saved("b.py", "x = 11\n\ny = 22\n");
    await w.saved("c.py", "z = 11\n");
  },
};
