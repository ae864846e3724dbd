import { edits, modelServer } from "../model.mjs";

const { text } = edits(["a.py", "b = 2\n", "b = 22\n"]).reply;
let server, asked, wasAsked, reply; // asked: resolved when the model was; reply: called when it may answer

export default {
  title: "an edit of lines that were typed in meanwhile is left out: that is told, nothing is called answered, and a retry is offered",
  files: { "a.py": "a = 1\nb = 2\nc = 3\n" },
  async before() {
    asked = new Promise((resolve) => (wasAsked = resolve));
    const replies = [text, text.replace("SEARCH\nb = 2", "SEARCH\nb = 2  # mine")];
    server = await modelServer(() => new Promise((resolve) => {
      reply = () => resolve(replies.shift() ?? "Done.");
      wasAsked();
    }));
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint } };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py", 2);
    await w.command("bodkin: Ask Agent…");
    await w.request("More");
    await asked;
    await w.page.keyboard.press("End");
    await w.type("  # mine");
    await w.shows("# mine");
    reply();
    await w.said("was left out: you have changed the text there");
    await w.conversation.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await w.said("Left out");
    if (await w.conversation.getByText("Answered").count()) throw new Error("It is called answered.");
    await w.shot();
    if (w.read("a.py").includes("22")) throw new Error(`The file has changed: ${w.read("a.py")}`);
  },
};
