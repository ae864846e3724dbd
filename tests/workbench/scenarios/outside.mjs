export default {
  title: "a file of no folder of the window is refused before a request is typed, and its folder can be added",
  files: { "in/a.py": "a = 1\n", "out/b.py": "b = 1\n", "x.code-workspace": JSON.stringify({ folders: [{ path: "in" }] }) },
  open: "x.code-workspace",
  turns: [],
  async run(w) {
    await w.command("File: Open File...");
    await w.enter(`${w.folder}/out/b.py`, /\/$/);
    await w.choosable("b.py"); // until the dialog has looked there, Enter goes into a folder
    await w.page.keyboard.press("Enter");
    await w.tab("b.py");
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
