import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { modelServer } from "../model.mjs";
import { until } from "../workbench.mjs";

const picture = readFileSync(resolve(import.meta.dirname, "../../../clients/vscode/media/icon.png")).toString("base64");
const bodies = [];
let server;

export default {
  nightly: true,
  title: "pictures that are pasted or dropped into the field, and files of the Explorer, go with the request; one can be taken away",
  files: { "a.py": "a = 1\n", "notes.txt": "Always two.\n" },
  async before() {
    server = await modelServer((_, body) => {
      bodies.push(body);
      return "It is a needle.";
    });
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint } };
  },
  after: () => server.close(),
  async run(w) {
    const { conversation: page } = w;
    const field = page.locator("#text");
    const chips = (count) => until(`${count} attachments`, async () => (await page.locator(".chip[data-detach]").count()) === count);
    await w.open("a.py");
    await w.command("bodkin: Ask in the Conversation");
    await page.locator("#text:focus").waitFor();
    // From the clipboard, by its key.
    await w.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await w.page.evaluate(async (data) => {
      const blob = new Blob([Uint8Array.from(atob(data), (each) => each.charCodeAt(0))], { type: "image/png" });
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    }, picture);
    await field.click();
    await w.page.keyboard.press("Control+v");
    await chips(1);
    // Dropped: a picture, and a file of the workspace.
    const drop = (what) => page.locator("#composer").evaluate((form, { data, uris }) => {
      const given = new DataTransfer();
      if (uris) given.setData("text/uri-list", uris);
      if (data) given.items.add(new File([Uint8Array.from(atob(data), (each) => each.charCodeAt(0))], "dropped picture.png", { type: "image/png" }));
      for (const type of ["dragover", "drop"]) form.dispatchEvent(new DragEvent(type, { dataTransfer: given, bubbles: true, cancelable: true, shiftKey: true }));
    }, what);
    await drop({ data: picture });
    await chips(2);
    await drop({ uris: `file://${w.folder}/notes.txt` });
    await chips(3);
    await w.shot();
    await page.locator(".chip[data-detach]").nth(1).click();
    await chips(2);
    await w.compose("What is it?");
    await w.said("It is a needle.");
    await chips(0);
    const sent = bodies.at(-1);
    if (sent.split("data:image/png;base64,").length !== 2 || !sent.includes("Always two.")) throw new Error(`This was sent: ${sent.slice(0, 3000)}`);
    await w.shot();
  },
};
