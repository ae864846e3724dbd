import { until } from "../workbench.mjs";

export default {
  nightly: true,
  title: "a file of no folder of the window is refused before a request is typed, and its folder can be added",
  files: { "in/a.py": "a = 1\n", "out/b.py": "b = 1\n", "x.code-workspace": JSON.stringify({ folders: [{ path: "in" }] }) },
  open: "x.code-workspace",
  turns: [],
  async run(w) {
    await w.command("File: Open File...");
    await w.field(/\/$/);
    // While the dialog is still looking into its first folder it loses Enter, or what was typed.
    const soon = (locator) => locator.first().waitFor({ timeout: 3000 }).then(() => true, () => false);
    const row = w.page.locator(".quick-input-list .monaco-list-row", { hasText: "b.py" });
    const dialog = w.page.locator(".quick-input-widget").filter({ visible: true });
    await until("b.py to be opened", async () => {
      if (await dialog.isVisible()) {
        await w.enter(`${w.folder}/out/b.py`, /./);
        if (await soon(row)) await w.page.keyboard.press("Enter");
      }
      return soon(w.page.locator(".tab.active", { hasText: "b.py" }));
    });
    await w.goTo(1);
    await w.page.keyboard.press("Control+Alt+j");
    await w.press("b.py is in none of this window's folders", "Add Its Folder");
    await w.shot();
    await w.page.locator(".explorer-folders-view .monaco-list-row", { hasText: /^\s*out\s*$/ }).first().waitFor();
    await w.idle();
    await w.front("b.py");
    await w.goTo(1);
    await w.page.keyboard.press("Control+Alt+j");
    await w.page.locator(".review-widget .edit-textarea .monaco-editor.focused").waitFor();
  },
};
