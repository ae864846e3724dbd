import { edits } from "../model.mjs";

const a = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n";

export default {
  nightly: true,
  title: "the review's keys work in the diff of one file and of several, and there are some for files and for all",
  files: { "a.py": a, "b.py": "x = 1\ny = 2\n" },
  turns: [
    edits(["a.py", "b = 2\n", "b = 22\n"], ["a.py", "f = 6\n", "f = 66\n"]),
    edits(["a.py", "c = 3\n", "c = 33\n"], ["a.py", "e = 5\n", "e = 55\n"], ["b.py", "x = 1\n", "x = 11\n"]),
    edits(["a.py", "a = 1\n", "a = 11\n"], ["b.py", "y = 2\n", "y = 22\n"]),
  ],
  async run(w) {
    const press = (key) => w.page.keyboard.press(key);
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Double digits");
    await w.proposed("a.py");
    await w.page.locator(".editor.modified .view-line", { hasText: "a = 1" }).first().click();
    await press("Control+Alt+PageDown");
    await w.cursor(2);
    await press("Control+Alt+Enter");
    await w.saved("a.py", a.replace("b = 2", "b = 22"));
    await w.proposed("a.py"); // still
    await w.cursor(6);
    await w.shot();
    await press("Shift+Alt+Backspace");
    await w.noProposal();
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("More digits");
    await w.diff("a.py (proposed) and 1 more file");
    await w.page.locator(".editor.modified .monaco-editor.focused").first().waitFor();
    await press("Control+Alt+Home");
    await w.tab("Proposed by bodkin (2 files)");
    await w.page.locator(".editor.modified .view-line", { hasText: "c = 33" }).first().click();
    await press("Control+Alt+Enter");
    await w.saved("a.py", a.replace("b = 2", "b = 22").replace("c = 3", "c = 33"));
    await w.page.locator(".editor.modified .view-line", { hasText: "x = 11" }).first().click();
    await press("Control+Shift+Alt+Enter"); // all of this file
    await w.saved("b.py", "x = 11\ny = 2\n");
    await press("Control+k");
    await press("Shift+Alt+Backspace");
    await w.noProposal();
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("The others");
    await w.diff("a.py (proposed) and 1 more file");
    await w.page.locator(".editor.modified .monaco-editor.focused").first().waitFor();
    await press("Control+Alt+Home");
    await w.tab("Proposed by bodkin (2 files)");
    await w.page.locator(".editor.modified .view-line", { hasText: "a = 11" }).first().click();
    await press("Control+k");
    await press("Control+Alt+Enter");
    await w.noProposal();
    await w.saved("b.py", "x = 11\ny = 22\n");
  },
};
