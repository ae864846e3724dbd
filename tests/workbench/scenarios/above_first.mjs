import { edits } from "../model.mjs";

const before = "def area(r):\n    return 3.14 * r * r\n";

export default {
  nightly: true,
  title: "of lines that come in above the first line, where nothing can be drawn, it is said that they do",
  files: { "a.py": before },
  turns: [edits(["a.py", "def area(r):\n", "import math\n\n\ndef area(r):\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Import math");
    await w.drawn("↑ 3 new lines come above this line");
    await w.page.locator(".review-widget", { hasText: "+3 above line 1" }).first().waitFor();
    for (const theme of ["Dark Modern", "Light Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
    await w.page.keyboard.press("Control+Alt+Enter");
    await w.saved("a.py", `import math\n\n\n${before}`);
  },
};
