import { edits } from "../model.mjs";

export default {
  title: "the user is asked for what the settings say, and the edit waits for the answer",
  files: { "a.py": "a = 1\n" },
  settings: { "bodkin.agent.permissions": { edit: "ask" } },
  turns: [edits(["a.py", "a = 1\n", "a = 2\n"]), edits(["a.py", "a = 2\n", "a = 3\n"])],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.status("bodkin: waiting for you");
    await w.shot();
    await w.press("Editing a.py", "Allow Once");
    await w.proposed("a.py");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.saved("a.py", "a = 2\n");
    // The question stands in the conversation, with all that can be answered; so does the answer, and no toast is left.
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("One more");
    const question = w.conversation.locator(".question", { hasText: "Editing a.py" });
    await question.waitFor();
    await w.said("Waiting for permission");
    if (await w.conversation.locator("article", { hasText: "Nothing heard" }).count()) throw new Error("bodkin waits for the user, and says that it hears nothing");
    await w.shot();
    await question.getByRole("button", { name: "Show: " }).click();
    await w.tab(/^Question \d+\.diff/);
    if (await w.page.locator(".tab.dirty").count()) throw new Error("the question is a document to be saved");
    await question.getByRole("button", { name: "Deny, and Say Why…" }).click();
    await w.answer("not that line");
    await w.said(/You denied: Editing a\.py.*\(not that line\)/);
    await question.waitFor({ state: "detached" });
    await w.page.locator(".notification-toast", { hasText: "Editing a.py" }).waitFor({ state: "detached" });
  },
};
