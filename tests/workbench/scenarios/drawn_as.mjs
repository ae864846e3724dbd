const patch = `*** Begin Patch
*** Update File: a.py
@@
     if x:
-        y()
-    return 0
+        y()
+        return 0
*** Add File: new.py
+def fresh():
+    return 1
*** Delete File: old.py
*** Update File: from.py
*** Move to: lib/to.py
@@
-f = 1
+f = 2
*** End Patch
`;

export default {
  nightly: true,
  title: "an indentation, a rename, a deletion and a creation are drawn as that, and the keys lead to each",
  files: { "a.py": "def g(x):\n    if x:\n        y()\n    return 0\n", "old.py": "o = 1\np = 2\n", "from.py": "f = 1\ng = 2\n" },
  turns: [{ reply: { text: patch, stop_reason: "end_turn" } }],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Tidy up");
    await w.diff("a.py (proposed) and 3 more files");
    await w.shot();
    const row = (label) => w.page.locator(`.sidebar .monaco-list-row[aria-label*="${label}"]`).first().waitFor();
    await row("indented by 4 more: return 0");
    await row("from.py, renamed to lib/to.py");
    await row("old.py, deleted");
    await row("new.py, new file");
    await w.front("a.py");
    await w.drawn("→ ········return 0");
    const left = new Set(["a.py", "from.py", "new.py", "old.py"]);
    for (let i = 0; i < 8 && left.size > 0; i++) {
      await w.page.keyboard.press("Control+Alt+PageDown");
      await w.page.waitForTimeout(700);
      const tab = await w.page.locator(".tab.active").first().getAttribute("data-resource-name");
      left.delete(tab);
      if (tab !== "from.py") continue;
      await w.lenses("this file will be renamed to lib/to.py", 1);
      await w.shot();
    }
    if (left.size > 0) throw new Error(`The keys do not lead to ${[...left]}`);
    await w.front(/^new.py/);
    await w.shot();
    await w.page.keyboard.press("Control+Alt+Enter");
    await w.saved("new.py", "def fresh():\n    return 1\n");
    await w.front("old.py");
    await w.lenses("this file will be deleted", 1);
    await w.lenses("Apply", 1);
    await w.shot();
  },
};
