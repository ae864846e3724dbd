import { until } from "../workbench.mjs";

export default {
  nightly: true,
  title: "the extension's page begins with a change as it is drawn, then says in five lines what bodkin does",
  files: { "a.py": "a = 1\n" },
  turns: [],
  async run(w) {
    await w.command("Extensions: Show Installed Extensions");
    await w.page.locator(".extensions-list .monaco-list-row", { hasText: "bodkin" }).first().click();
    let page;
    await until("the page", async () => {
      for (const frame of w.page.frames()) {
        if (await frame.locator("h1", { hasText: "bodkin for VS Code" }).count().catch(() => 0)) page = frame;
      }
      return page;
    });
    const begins = await page.locator("h1, pre, ul").evaluateAll((all) => all.slice(0, 3).map(({ tagName, childElementCount }) => `${tagName} ${childElementCount}`));
    if (!/^H1 \d,PRE \d,UL 5$/.test(begins.join())) throw new Error(`It begins with ${begins.join()}`);
    const colours = await page.locator("pre span").evaluateAll((all) => new Set(all.map((each) => getComputedStyle(each).color)).size);
    if (colours < 3) throw new Error("What comes and goes has no colours.");
    for (const theme of ["Dark Modern", "Light Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
    await w.shot();
  },
};
