import { edits } from "../model.mjs";

const before = "a = 1\nb = 2\n";

export default {
  title: "a file that is read-only in this window stays as it is, and that is said before a request and when it is applied",
  files: { "a.py": before, "b.py": "x = 1\n" },
  turns: [edits(["a.py", "b = 2\n", "b = 22\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("File: Set Active Editor Read-only in Session");
    await w.page.locator(".editor-instance .view-line", { hasText: "b" }).first().click();
    await w.page.keyboard.press("Control+Alt+j");
    await w.page.locator(".review-widget", { hasText: "this file is read-only here" }).waitFor();
    await w.request("Another number");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.notification("a.py is read-only here");
    await w.said("a.py is read-only here");
    await w.shot();
    await w.front("a.py");
    await w.shows("b = 2");
    await w.command("File: Set Active Editor Writeable in Session");
    await w.saved("a.py", before);
  },
};
