import { until } from "../workbench.mjs";

const request = "/plan Repair 2 loops, e.g. this";

export default {
  nightly: true,
  title: "of what is typed at once after the key no letter is lost, at 15, 90 and 120 ms a key",
  files: { "a.py": Array.from({ length: 60 }, (_, i) => `a${i} = ${i}\n`).join("") },
  turns: [],
  async run(w) {
    const { keyboard } = w.page;
    const here = w.page.locator(".review-widget .edit-textarea");
    const words = async () => (await here.locator(".view-lines").first().innerText().catch(() => "")).replace(/\s+/g, " ").trim();
    const close = async () => {
      await until("the field to be closed", async () => {
        await keyboard.press("Escape");
        return here.waitFor({ state: "detached", timeout: 2000 }).then(() => true, () => false);
      });
    };
    await w.open("a.py", 3);
    for (const delay of [15, 90, 120]) {
      for (let i = 0; i < 6; i++) {
        await keyboard.press("Control+Alt+j");
        await keyboard.type(request, { delay });
        await here.locator(".monaco-editor.focused").waitFor();
        await until(`all of it at ${delay} ms`, async () => (await words()) === request, 10_000).catch(async () => {
          throw new Error(`At ${delay} ms: "${await words()}"`);
        });
        await keyboard.press("Control+a");
        await keyboard.press("Delete");
        await until("the field to be empty", async () => (await words()) === "");
        await close();
      }
    }
    await w.tab("a.py");
    if (await w.page.locator(".tab.dirty").count()) throw new Error("The file was changed.");
  },
};
