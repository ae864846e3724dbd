import { edits, modelServer } from "../model.mjs";

const { text } = edits(["a.py", "a = 1\n", "a = 11\n"]).reply;
let server, asked, reply; // asked: resolved when the model was; reply: called when it may answer

export default {
  title: "who goes on typing is not pulled away: the proposal waits in a notification",
  files: { "a.py": "a = 1\nb = 2\n" },
  async before() {
    asked = new Promise((wasAsked) => {
      server = modelServer(() => (wasAsked(), new Promise((resolve) => (reply = () => resolve(text)))));
    });
    server = await server;
    return {
      settings: {
        "bodkin.model.provider": "openai-compatible",
        "bodkin.model.name": "m",
        "bodkin.model.endpoint": server.endpoint,
      },
    };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py", 3);
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await asked;
    await w.type("c = 3");
    await w.shows("c = 3");
    reply();
    await w.press("1 change in 1 file", "Show");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 11\nb = 2\nc = 3");
  },
};
