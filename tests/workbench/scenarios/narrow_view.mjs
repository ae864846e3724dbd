import { edits } from "../model.mjs";
import { until } from "../workbench.mjs";

export default {
  nightly: true,
  title: "in the narrowest side bar every button of the Conversation is within its view, and the field says what it is for in one line",
  files: { "a.py": "a = 1\nb = 2\n" },
  turns: [edits(["a.py", "a = 1\n", "a = 11\n"])],
  async run(w) {
    const beyond = () => w.conversation.locator("body").evaluate(() => {
      const all = [...document.querySelectorAll("button, select, textarea")].filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 0);
      return all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.id || each.textContent);
    });
    const within = async () => {
      let left;
      await until("all to be within the view", async () => (left = await beyond()).length === 0, 20_000).catch(() => {
        throw new Error(`Beyond the edge: ${left.join(" | ")}`);
      });
    };
    await w.page.setViewportSize({ width: 640, height: 600 });
    await w.command("bodkin: Show Conversation");
    await w.conversation.getByText("Three first steps").waitFor();
    await within();
    for (const theme of ["Dark Modern", "Light Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
    await w.command("View: Show Explorer");
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.said("1 change in 1 file");
    await within();
    await w.shot();
    const sash = await w.page.locator(".sidebar").boundingBox();
    await w.page.setViewportSize({ width: 1280, height: 800 });
    await w.page.mouse.move(sash.x + sash.width, 300);
    await w.page.mouse.down();
    await w.page.mouse.move(sash.x + 172, 300, { steps: 5 });
    await w.page.mouse.up();
    await within();
    const rows = await w.conversation.locator("#text").evaluate((field) => [field.scrollHeight, field.clientHeight]);
    if (rows[0] > rows[1]) throw new Error(`The field is ${rows[1]} px high, and what it says ${rows[0]}`);
    const ask = await w.conversation.locator("#send").boundingBox();
    if (!ask || ask.width < 30) throw new Error(`Ask is ${ask?.width} px wide`);
    await w.shot();
  },
};
