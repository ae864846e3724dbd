import { edits, modelServer } from "../model.mjs";

const replies = [edits(["a.py", "a = 1\n", "a = 11\n"]), edits(["a.py", "a = 11\n", "a = 1\n"])].map(({ reply: { text } }) => text);
let server, asked, nextAsk, reply; // asked: resolved when the model was; reply: called when it may answer

export default {
  title: "who goes on typing is not pulled away: the proposal waits in a notification",
  files: { "a.py": "a = 1\nb = 2\n", "b.py": "x = 1\n" },
  async before() {
    asked = new Promise((wasAsked) => (nextAsk = wasAsked));
    server = await modelServer(() => new Promise((resolve) => {
      reply = () => resolve(replies.shift());
      nextAsk();
    }));
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
    // Who has gone on to another file stays there.
    asked = new Promise((wasAsked) => (nextAsk = wasAsked));
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("And back");
    await asked;
    await w.command("View: Show Explorer");
    await w.open("b.py");
    reply();
    await w.notification("1 change in 1 file");
    await w.tab("b.py");
    await w.type("y");
    await w.shows("yx = 1");
  },
};
