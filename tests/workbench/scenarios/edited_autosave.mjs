import { edits } from "../model.mjs";

export default {
  title: "autosave keeps what is typed into a proposed text and does not end the editing: Ctrl+S does, and so does the button",
  files: { "a.py": "a = 1\nb = 2\nc = 3\n" },
  settings: { "files.autoSave": "afterDelay", "files.autoSaveDelay": 100 },
  turns: [edits(["a.py", "b = 2\n", "b = 20\n"])],
  async run(w) {
    const tab = "a.py (edit, then save)";
    const edited = w.page.locator(".tab", { hasText: tab }).first();
    const typed = async (text) => {
      await w.type(text);
      await w.page.locator(`.tab.active.dirty[aria-label*="${tab}"]`).first().waitFor({ state: "detached" });
    };
    const proposed = async (text, leave) => {
      await leave();
      await edited.waitFor({ state: "detached" });
      await w.drawn(text);
      if (w.read("a.py") !== "a = 1\nb = 2\nc = 3\n") throw new Error(`The file has changed: ${w.read("a.py")}`);
    };
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Tens");
    await w.lenses("Apply", 1);
    await w.command("bodkin: Edit Proposed Text…");
    await w.tab(tab);
    await w.goTo(2);
    await w.page.keyboard.press("End");
    await typed("1");
    await typed("2");
    await w.shows("b = 2012");
    await w.shot();
    // What was typed is not lost with its tab.
    await w.command("View: Close Editor");
    await edited.waitFor({ state: "detached" });
    await w.command("bodkin: Edit Proposed Text…");
    await w.tab(tab);
    await w.shows("b = 2012");
    await proposed("→ b = 2012", () => w.page.keyboard.press("Control+s"));
    await w.command("bodkin: Edit Proposed Text…");
    await w.tab(tab);
    await w.goTo(2);
    await w.page.keyboard.press("End");
    await typed("3");
    await w.shot();
    await proposed("→ b = 20123", () => w.titleAction("Propose the Edited Text"));
    await w.command("bodkin: Apply Proposal");
    await w.saved("a.py", "a = 1\nb = 20123\nc = 3\n");
  },
};
