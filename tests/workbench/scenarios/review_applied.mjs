import { edits } from "../model.mjs";

const before = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n";

export default {
  nightly: true,
  title: "what was applied by itself is looked through afterwards, and a part of it is taken back",
  files: { "a.py": before, "b.py": "x = 1\n" },
  settings: { "bodkin.agent.mode": "auto" },
  begins: (w) => w.status("bodkin (auto)"),
  turns: [edits(["a.py", "b = 2\n", "b = 22\n"], ["a.py", "f = 6\n", "f = 66\n"], ["b.py", "x = 1\n", "x = 11\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Double digits");
    await w.saved("a.py", before.replace("b = 2", "b = 22").replace("f = 6", "f = 66"));
    await w.act("Review");
    await w.tab("a.py (before ↔ now)");
    await w.page.locator(".tab", { hasText: "b.py (before ↔ now)" }).first().waitFor();
    await w.page.locator(".modified .view-line", { hasText: "b = 22" }).first().waitFor();
    await w.page.locator(".original .view-line", { hasText: /b.=.2$/ }).first().waitFor();
    await w.shot();
    // The editor's own arrow beside the first change.
    await w.page.locator(".modified .view-line", { hasText: "b = 22" }).first().click();
    await w.page.locator(".revertButton, .codicon-arrow-right").and(w.page.locator(":visible")).first().click();
    await w.saved("a.py", before.replace("f = 6", "f = 66"));
    await w.shot();
  },
};
