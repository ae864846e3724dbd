import { edits, modelServer } from "../model.mjs";
import { until } from "../workbench.mjs";

const before = Array.from({ length: 60 }, (_, i) => `a${i} = ${i}\n`).join("");
const { text } = edits(["a.py", "a1 = 1\n", "a1 = 11\n"]).reply;
let server, asked, reply; // asked: resolved when the model was; reply: called when it may answer

export default {
  title: "what is typed into a prompt stays: nothing of it comes into the file, and no answer, key or tab takes it away",
  files: { "a.py": before, "b.py": "x = 1\ny = 2\n" },
  async before() {
    asked = new Promise((wasAsked) => {
      server = modelServer(() => (wasAsked(), new Promise((resolve) => (reply = () => resolve(text)))));
    });
    server = await server;
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint, "files.autoSave": "off" } };
  },
  after: () => server.close(),
  async run(w) {
    const here = w.page.locator(".review-widget .edit-textarea");
    const words = async () => ((await here.locator(".view-lines").first().innerText({ timeout: 1000 }).catch(() => "")) ?? "").replace(/\s+/g, " ");
    const has = (wanted) => until(`the prompt to have ${wanted}`, async () => wanted.test(await words()));
    const isOpen = () => here.locator(".monaco-editor.focused").waitFor();
    const isUntouched = async (name) => {
      await w.tab(name);
      if (await w.page.locator(".tab.dirty").count()) throw new Error(`${name} was changed`);
    };
    // Typed at once: it goes on in the box.
    await w.open("b.py", 2);
    await w.page.keyboard.press("Control+Alt+j");
    await w.page.keyboard.type("hello there and everywhere", { delay: 60 });
    await isOpen();
    await has(/^hello there and everywhere\s*$/);
    await isUntouched("b.py");
    // From another place: the text is in the new box.
    await w.page.locator(".view-line", { hasText: "x" }).first().click();
    await w.page.keyboard.press("Control+Alt+j");
    await isOpen();
    await has(/here and everywhere/);
    await w.type(" at last");
    await has(/everywhere at last/);
    await w.shot();
    await isUntouched("b.py");
    // Escape, and Up.
    await w.page.keyboard.press("Escape");
    await here.waitFor({ state: "detached" });
    await w.page.keyboard.press("Control+Alt+j");
    await isOpen();
    await w.page.keyboard.press("ArrowUp");
    await has(/everywhere at last/);
    await w.type(", I say");
    await has(/at last, I say/);
    // Another tab, and back.
    await w.open("a.py", 2);
    await w.front("b.py");
    await w.goTo(1);
    await w.page.keyboard.press("Control+Alt+j");
    await isOpen();
    await has(/at last, I say/);
    await w.page.keyboard.press("Escape");
    await here.waitFor({ state: "detached" });
    // An answer that comes meanwhile.
    await w.front("a.py");
    await w.page.keyboard.press("Control+Alt+j");
    await w.request("Another number");
    await asked;
    await w.goTo(30);
    await w.page.keyboard.press("Control+Alt+j");
    await isOpen();
    await w.type("And then");
    reply();
    await w.notification("1 change in 1 file");
    await w.type(" this");
    await has(/And then this/);
    await w.shot();
    await isUntouched("a.py");
    for (const name of ["a.py", "b.py"]) if (/hello|here|then/.test(w.read(name))) throw new Error(`it was typed into ${name}`);
  },
};
