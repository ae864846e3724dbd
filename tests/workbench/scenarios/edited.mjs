import { edits } from "../model.mjs";

export default {
  title: "the proposed text is edited before it is taken: saving it makes a proposal that takes the first one's place",
  nightly: true,
  files: { "a.py": "a = 1\nb = 2\nc = 3\n", "b.py": "x = 1\n" },
  turns: [edits(["a.py", "b = 2\n", "b = 20\n"], ["b.py", "x = 1\n", "x = 10\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Tens");
    await w.diff("a.py (proposed) and 1 more file");
    await w.front("a.py");
    await w.lenses("Apply", 1);
    await w.command("bodkin: Edit Proposed Text…");
    await w.tab("a.py (edit, then save)");
    await w.goTo(2);
    await w.page.keyboard.press("End");
    await w.type("1");
    await w.shows("b = 201");
    await w.shot();
    await w.page.keyboard.press("Control+s");
    await w.page.locator(".tab", { hasText: "edit, then save" }).first().waitFor({ state: "detached" });
    await w.diff("a.py (proposed) and 1 more file");
    await w.shows("b = 201");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 1\nb = 201\nc = 3\n");
    await w.saved("b.py", "x = 10\n");
  },
};
