import { edits, modelServer } from "../model.mjs";

const { text } = edits(["a.py", "c = 3\n", "c = 33\n"]).reply;
let server;
const asked = [];

export default {
  nightly: true,
  title: "Retry asks about the lines that were selected, wherever they are by then",
  files: { "a.py": "a = 1\nb = 2\nc = 3\nd = 4\n" },
  environment: { COMPANY_KEY: "sk-of-another-year" },
  async before() {
    asked.length = 0;
    server = await modelServer((_, body) => {
      asked.push(body);
      return asked.length === 1 ? undefined : text;
    });
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint, "bodkin.model.apiKeyEnv": "COMPANY_KEY" } };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py", 3);
    await w.select(1);
    await w.page.keyboard.press("Control+Alt+j");
    await w.request("Double this");
    await w.said("Incorrect API key");
    await w.front("a.py");
    await w.goTo(1);
    await w.page.keyboard.type("# one\n# two\n# three\n");
    await w.shows("# three");
    await w.act("Retry");
    await w.proposed("a.py");
    if (!/selected line 6 of a\.py[^]*Selected:[^]{0,20}c = 3/.test(asked[1])) throw new Error(`It was asked about other lines: ${asked[1]}`);
  },
};
