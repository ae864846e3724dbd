import { edits } from "../model.mjs";

export default {
  title: "without a model, an ask says what to do, and is done once a model is chosen",
  files: { "a.py": "a = 1\n" },
  settings: {
    "bodkin.model.provider": "openai",
    "companion.replies": [edits(["a.py", "a = 1\n", "a = 11\n"]).reply.text],
  },
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.said("OPENAI_API_KEY");
    for (const name of ["Choose Model…", "Set Key…", "Retry", "Copy Prompt"]) {
      await w.conversation.getByRole("button", { name, exact: true }).waitFor();
    }
    await w.noNotification("bodkin: Another number");
    await w.shot();
    await w.act("Choose Model…");
    await w.choose("Companion One");
    await w.proposed("a.py");
    // What failed was asked again: pressing it once more would make a twin.
    if (await w.conversation.getByRole("button", { name: "Retry", exact: true }).count()) throw new Error("Retry is offered after the retry");
  },
};
