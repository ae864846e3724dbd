import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { edits } from "../model.mjs";
import { until } from "../workbench.mjs";

const call = "    log.write(value)\n", after = "    log.write(value, level)\n";
const lines = Array.from({ length: 190 }, (_, i) => (i % 40 === 4 ? call : `    v${i} = ${i}\n`));

export default {
  nightly: true,
  title: "next edits: a quiet hint, one key that goes there and makes it, nothing without a key or in a review, Tab or off by a setting",
  files: { "a.py": `def f(value):\n${call}    flush()\n\n${call}    flush()\n${lines.join("")}` },
  turns: [edits(["a.py", "    v0 = 0\n", "    v0 = 1\n"])],
  async run(w) {
    const { keyboard } = w.page;
    const take = () => keyboard.press("Control+Alt+Enter");
    const calls = (made) => until(`${made} calls to be changed`, async () => {
      await w.command("File: Save All Files");
      return w.read("a.py").split(after).length - 1 === made;
    });
    const hints = () => w.page.evaluate(() => [...document.querySelectorAll(".view-line span")].map((span) => getComputedStyle(span, "::after").content).filter((text) => text.includes("→")));
    const change = async (line, old, text) => {
      await w.goTo(line);
      await keyboard.press("End");
      for (const _ of old) await keyboard.press("Backspace");
      await w.type(text);
    };
    await w.open("a.py", 1);
    await change(2, ")", ", level)");
    await change(5, ")", ", level)");
    await change(11, ")", ", level)");
    await w.drawn("→ same change at line 51  (Ctrl+Alt+⏎, 3 more)");
    await w.shot();
    if (!(await w.page.locator(".line-numbers.active-line-number", { hasText: /^11$/ }).count())) throw new Error("The cursor has moved.");
    await take();
    await w.page.locator(".ghost-text-decoration, .ghost-text", { hasText: ", level" }).first().waitFor();
    await w.drawn("(Ctrl+Alt+⏎, 3 more)");
    await w.page.locator(".line-numbers.active-line-number", { hasText: /^51$/ }).waitFor();
    await w.shot();
    await take();
    await calls(4);
    // While a change waits in the file, its keys and drawings alone are there.
    await w.command("bodkin: Ask Agent…");
    await w.request("One");
    await w.drawn("→ v0 = 1");
    await change(50, "3", "4");
    await w.shows("v43 = 44");
    await keyboard.press("Control+Home");
    await w.command("bodkin: Discard Proposal");
    await w.noProposal();
    // Off; then with Tab.
    const file = join(w.folder, "../data/Machine/settings.json");
    const set = (value) => writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), "bodkin.suggest.nextEdits": value }));
    set("off");
    await until("the setting to be read", async () => {
      await change(91, ")", ", 3)");
      await w.shows("log.write(value, 3)");
      await w.command("File: Save All Files");
      const isQuiet = !(await hints()).length;
      await change(91, ", 3)", ")");
      return isQuiet;
    });
    set("tab");
    await until("the setting to be read", async () => {
      await change(91, ")", ", level)");
      await w.command("File: Save All Files");
      if ((await hints()).some((text) => text.includes("same change at line 131"))) return true;
      await change(91, ", level)", ")");
    });
    await w.shot();
    await keyboard.press("Tab");
    await w.page.locator(".line-numbers.active-line-number", { hasText: /^131$/ }).waitFor();
    await keyboard.press("Tab");
    await calls(6);
    // With the menu of completions open, Tab is the menu's.
    await w.drawn("→ same change at line 171");
    await keyboard.press("Tab");
    await w.page.locator(".line-numbers.active-line-number", { hasText: /^171$/ }).waitFor();
    await keyboard.press("Home");
    await keyboard.press("Control+ArrowRight");
    await keyboard.press("Control+Space");
    await w.page.locator(".suggest-widget.visible").waitFor();
    await w.shot();
    await keyboard.press("Tab");
    await w.page.locator(".suggest-widget.visible").waitFor({ state: "hidden" });
    await calls(6);
  },
};
