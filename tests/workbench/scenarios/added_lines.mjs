import { edits } from "../model.mjs";

const more = "    if x < 0:\n        return 0\n    if x > 9:\n        return 9\n";

export default {
  nightly: true,
  title: "all added lines of a change are seen in the document, where it is taken, and nothing else opens",
  files: { "a.py": "def f(x):\n    return x\n\n\nprint(f(1))\n" },
  turns: [edits(["a.py", "    return x\n", `${more}    return x\n`], ["a.py", "print(f(1))\n", ""])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Between 0 and 9");
    await w.proposed("a.py");
    await w.front("a.py");
    await w.drawn("↓ 4 new lines");
    const below = w.page.locator(".review-widget").filter({ visible: true });
    for (const each of more.trim().split("\n")) await below.filter({ hasText: each.trim() }).first().waitFor();
    await below.filter({ hasText: "+4" }).first().waitFor();
    if ((await below.count()) !== 1) throw new Error(`They are drawn ${await below.count()} times.`);
    // They look like added code: upright, in the editor's font, on the diff's colour; with a sign where the theme has none.
    const code = below.locator("p code").first();
    const word = code.locator("span", { hasText: /^return\s*$/ }).first();
    const font = await w.page.locator(".editor-instance .view-lines").first().evaluate((lines) => getComputedStyle(lines).fontFamily);
    for (const theme of ["Light Modern", "Dark Modern", "Dark High Contrast"]) {
      await w.theme(theme);
      const { style, family, background } = await word.evaluate((span) => {
        const { fontStyle, fontFamily, backgroundColor } = getComputedStyle(span);
        return { style: fontStyle, family: fontFamily, background: backgroundColor };
      });
      const text = await code.textContent();
      if (style !== "normal" || family !== font || !text.includes("+         return 9")) throw new Error(`In ${theme}: ${style}, ${family}, "${text}".`);
      if ((background === "rgba(0, 0, 0, 0)") !== theme.includes("Contrast")) throw new Error(`In ${theme} its background is ${background}.`);
      await w.shot();
    }
    // The view "Comments" is opened for no text of ours, though nobody has said that it must not be.
    if (await w.page.locator(".part.panel").isVisible()) throw new Error("The panel was opened.");
    await below.locator('.action-label[aria-label^="Apply This Change"]').first().click();
    await below.first().waitFor({ state: "detached" });
    await w.saved("a.py", `def f(x):\n${more}    return x\n\n\nprint(f(1))\n`);
    await w.command("bodkin: Discard Proposal");
    await w.noProposal();
  },
};
