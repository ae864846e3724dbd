import { edits, modelServer } from "../model.mjs";

const { text } = edits(["a.py", "b = 2\n", "b = 22\n"]).reply;
let server, goOn;

export default {
  title: "the model's words are seen as they come, rendered but harmless, with time and state; Apply leaves nothing selected",
  files: { "a.py": "a = 1\nb = 2\nc = 3\n" },
  async before() {
    const held = new Promise((resolve) => (goOn = resolve));
    server = await modelServer(async function* () {
      yield "I will **widen** `b` first. <img src=x onerror=alert(1)> [here](command:workbench.action.quit)\n\n";
      await held;
      yield text;
    });
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint } };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py", 2);
    await w.select(1);
    await w.command("bodkin: Ask Agent…");
    await w.request("Wider, please");
    await w.conversation.locator("strong", { hasText: "widen" }).waitFor();
    await w.conversation.locator(".state.running").waitFor();
    await w.status(/thinking, \d+ s/);
    if (await w.conversation.locator("article img, article a").count()) throw new Error("markup of the model's is in the page");
    await w.shot();
    // The focus is where it was: what is typed now is typed into the document.
    await w.page.keyboard.press("Control+End");
    await w.type("# mine");
    await w.shows("# mine");
    goOn();
    await w.press("1 change in 1 file", "Show");
    await w.proposed("a.py");
    await w.said("1 change in 1 file");
    await w.shot();
    await w.act("Apply");
    await w.noProposal();
    await w.cursor(2);
    await w.saved("a.py", "a = 1\nb = 22\nc = 3\n# mine");
  },
};
