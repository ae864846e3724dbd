import { edits, modelServer } from "../model.mjs";

const key = "sk-planted-7a1c";
const { text } = edits(["a.py", "a = 1\n", "a = 11\n"]).reply;
let server;

export default {
  nightly: true,
  title: "a key is kept in the editor's secret store, sent to the model's server, and written nowhere",
  files: { "a.py": "a = 1\nb = 2\n" },
  async before() {
    server = await modelServer((request) => (request.headers.authorization === `Bearer ${key}` ? text : undefined));
    return {
      settings: {
        "bodkin.model.provider": "openai-compatible",
        "bodkin.model.name": "m",
        "bodkin.model.endpoint": server.endpoint,
        "bodkin.trace.server": "verbose",
        "bodkin.log.level": "debug",
      },
    };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.said("No API key was sent.");
    await w.act("Set Key…");
    await w.page.locator(".quick-input-titlebar", { hasText: /API key for (?!openai-compatible)[^@]+ at http:\/\/127\.0\.0\.1:\d+$/ }).waitFor();
    await w.shot();
    await w.page.keyboard.press("Escape");
    await w.command("bodkin: Set API Key…");
    await w.choose("Another OpenAI-compatible server");
    await w.answer(server.endpoint, server.endpoint);
    await w.answer(key);
    await w.press("secret store", "Choose a Model");
    await w.choose("m2");
    await w.notification(/now using m2, which answers\. Your code goes to http:\/\/127\.0\.0\.1/);
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.proposed("a.py");
    await w.shot();
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 11\nb = 2\n");
    w.nowhereOnDisk(key);
  },
};
