import { edits } from "../model.mjs";
import { until } from "../workbench.mjs";

const more = Array.from({ length: 9 }, (_, i) => `    if (value > ${i}) total = combine(total, scaled(value, ${i}), options.weights[${i}]); // step ${i}\n`).join("");
const call = "    measured(first, second);\n";

export default {
  nightly: true,
  title: "at 800 pixels nothing of a change is beyond the editor's edge",
  files: { "a.ts": `export function f(first, second) {\n${call}}\n\nexport function g(value, options) {\n    let total = 0;\n    return total;\n}\n` },
  turns: [edits(["a.ts", call, call.replace("second", "second, theThird")], ["a.ts", "    let total = 0;\n", `    let total = 0;\n${more}`])],
  async run(w) {
    await w.page.setViewportSize({ width: 800, height: 700 });
    await w.open("a.ts");
    await w.command("bodkin: Ask Agent…");
    await w.request("Again");
    await w.status("bodkin: 1 proposal");
    await w.said("2 changes in 1 file"); // its page knows the width
    await w.page.locator(".review-widget", { hasText: "theThird" }).first().waitFor();
    await w.page.locator(".review-widget", { hasText: "step 8" }).first().waitFor();
    const beyond = () => w.page.evaluate(() => {
      const edge = document.querySelector(".editor-instance .monaco-editor").getBoundingClientRect().right;
      const texts = [...document.querySelectorAll(".review-widget .comment-body span, .review-widget .action-label, .codelens-decoration a")];
      const drawn = [...document.querySelectorAll(".view-line span")].filter((span) => /[→↓↑←]/.test(getComputedStyle(span, "::after").content));
      const isSeen = (each) => each.checkVisibility({ checkVisibilityCSS: true }) && each.getBoundingClientRect().bottom < innerHeight;
      return [...texts, ...drawn].filter((each) => isSeen(each) && each.getBoundingClientRect().right > edge).map((each) => each.textContent || getComputedStyle(each, "::after").content);
    });
    let left;
    await until("all to be within the editor", async () => (left = await beyond()).length === 0, 20_000).catch(() => {
      throw new Error(`Beyond the edge: ${left.join(" | ")}`);
    });
    for (const theme of ["Dark Modern", "Light Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
  },
};
