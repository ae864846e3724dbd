import { edits, modelServer } from "../model.mjs";
import { until } from "../workbench.mjs";

const replies = [edits(["a.py", "a = 1\n", "a = 2\n"], ["b.py", "b = 1\n", "b = 2\n"]), edits(["a.py", "a = 1\n", "a = 3\n"]), edits(["a.py", "a = 1\n", "a = 4\n"])].map(({ reply: { text } }) => text);
let server, asked, nextAsk, reply; // asked: resolved when the model was; reply: called when it may answer
const waitForAsk = () => (asked = new Promise((wasAsked) => (nextAsk = wasAsked)));

export default {
  nightly: true,
  title: "a change that is drawn while something is typed into a search box or an old terminal leaves it the keys; one key takes it from the document",
  files: { "a.py": "a = 1\n", "b.py": "b = 1\n" },
  async before() {
    server = await modelServer(() => new Promise((resolve) => {
      reply = () => resolve(replies.shift());
      nextAsk();
    }));
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint } };
  },
  after: () => server.close(),
  async run(w) {
    const { page } = w;
    const ask = async (words) => {
      waitForAsk();
      await w.command("bodkin: Ask Agent…");
      await w.request(words);
      await asked;
    };
    await w.open("a.py");
    await w.command("Terminal: Create New Terminal");
    const terminal = page.locator(".terminal-wrapper.active .xterm-helper-textarea");
    await page.locator(".terminal-wrapper.active .xterm-helper-textarea:focus").waitFor();
    await w.type("touch before\n");
    await w.onDisk("before", "");
    await w.front("a.py");

    await ask("Two");
    await page.keyboard.press("Control+Shift+f");
    const box = page.locator(".search-view .search-widget textarea").first();
    await page.locator(".search-view .search-widget textarea:focus").first().waitFor();
    await w.type("so");
    reply();
    await w.drawn("→ a = 2");
    await w.type("meone");
    await until("all to be in the search box", async () => (await box.inputValue()) === "someone");
    await w.shot();
    await w.command("bodkin: Discard Proposal");
    await w.noProposal();

    await w.front("a.py");
    await ask("Three");
    await terminal.focus();
    reply();
    await w.drawn("→ a = 3");
    await w.type("touch after\n");
    await w.onDisk("after", "");
    await w.command("bodkin: Discard Proposal");
    await w.noProposal();

    // Who waits for it has it under the keys, and what was undone before stays so.
    await w.front("a.py");
    await w.goTo(2);
    await w.type("b");
    await page.keyboard.press("Control+z");
    await ask("Four");
    reply();
    await w.drawn("→ a = 4");
    await w.cursor(1);
    await page.keyboard.press("Control+Alt+Enter");
    await w.noProposal();
    await w.saved("a.py", "a = 4\n");
  },
};
