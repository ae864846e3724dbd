import { modelServer } from "../model.mjs";
import { until } from "../workbench.mjs";

const more = Array.from({ length: 12 }, (_, i) => `    total += weight(value, ${i})  # step ${i}\n`);
const before = "def f(value):\n    total = 0\n    return total\n\n\nprint(f(1))\n";
let server, goOn;
let waits = new Promise((resolve) => (goOn = resolve));

// The reply stops in the middle of an edit until it is told to go on.
async function* reply() {
  yield "I add the steps.\n\na.py\n<<<<<<< SEARCH\n    total = 0\n=======\n    total = 0\n";
  yield more.slice(0, 5).join("");
  await waits;
  waits = new Promise((resolve) => (goOn = resolve));
  yield more.slice(5).join("");
  await waits;
  yield ">>>>>>> REPLACE\n";
}

export default {
  nightly: true,
  title: "the lines of a change appear in its file while they are written, as drawing, and how many there are so far",
  files: { "a.py": before },
  async before() {
    server = await modelServer(() => reply());
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint, "bodkin.agent.profile": "blocks" } };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Add the steps");
    const below = w.page.locator(".review-widget").filter({ visible: true });
    await below.filter({ hasText: "step 4" }).filter({ hasText: "writing" }).first().waitFor();
    await w.said("a.py: 6 lines so far");
    if (await below.filter({ hasText: "step 5" }).count()) throw new Error("It is ahead.");
    await w.shot();
    goOn();
    await below.filter({ hasText: "step 11" }).filter({ hasText: "writing" }).first().waitFor();
    await w.shot();
    if (await w.page.locator(".tab.dirty").count()) throw new Error("The file was changed.");
    goOn();
    await w.status("bodkin: 1 proposal");
    await below.filter({ hasText: "+12" }).first().waitFor();
    await until("the one drawing of it", async () => (await below.count()) === 1);
    await w.page.locator(".codelens-decoration a", { hasText: "Apply" }).first().waitFor();
    if (await w.page.locator(".notification-list-item", { hasText: "1 change in 1 file" }).count()) throw new Error("It was taken for typing.");
    for (const theme of ["Dark Modern", "Light Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
    if (w.read("a.py") !== before) throw new Error("The file was changed.");
  },
};
