import { edits, modelServer } from "../model.mjs";

const key = "sk-planted-9c3e";
const { text } = edits(["a.py", "a = 1\n", "a = 11\n"]).reply;
let server;

export default {
  title: "from a fresh install: an address is typed, its key asked for with the reason, a model taken, tried, and the first request goes on",
  files: { "a.py": "a = 1\n" },
  settings: { "bodkin.model.provider": "openai" },
  async before() {
    const knows = (request) => request.headers.authorization === `Bearer ${key}`;
    server = await modelServer((request, body) => (knows(request) ? (body.includes("the one word") ? "yes" : text) : undefined), knows);
  },
  after: () => server.close(),
  async run(w) {
    const field = w.page.locator(".quick-input-widget");
    await w.open("a.py");
    await w.command("bodkin: Ask in the Conversation");
    await w.compose("Another number");
    await w.act("Choose Model…");
    await w.answer(server.endpoint);
    await field.locator("input[placeholder='Paste your key']").waitFor();
    await field.getByText("wants an API key").waitFor();
    await w.shot();
    await w.answer("sk-wrong");
    await field.locator("input[placeholder*='refuses the API key']").waitFor();
    await w.shot();
    await w.choose("Give another API key…");
    await w.answer(key);
    await w.choose("m2");
    await w.notification(/now using m2, which answers\. Your code goes to http:\/\/127\.0\.0\.1/);
    await w.drawn("→ a = 11");
    await w.conversation.locator("#model", { hasText: "m2" }).waitFor();
    await w.shot();
    w.nowhereOnDisk(key);
  },
};
