import { edits, modelServer } from "../model.mjs";

const { text } = edits(["a.py", "a = 1\n", "a = 2\n"]).reply;
let server, isDown = true;

export default {
  nightly: true,
  title: "after a failure neither the request is lost, which Retry asks again and the list of earlier ones has, nor the conversation",
  files: { "a.py": "a = 1\n" },
  environment: { COMPANY_KEY: "sk-of-another-year" },
  async before() {
    server = await modelServer(() => (isDown ? undefined : text));
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint, "bodkin.model.apiKeyEnv": "COMPANY_KEY" } };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.said("Incorrect API key");
    await w.conversation.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await w.said("The API key is from COMPANY_KEY.");
    await w.shot();
    const told = (await w.told()).filter((words) => words.includes("API key"));
    if (told.length > 0) throw new Error(`It is told beside the conversation, too: ${told}`);
    await w.page.keyboard.press("Escape");
    isDown = false;
    await w.act("Retry");
    await w.proposed("a.py");
    await w.titleAction("Discard");
    await w.noProposal();
    await w.page.keyboard.press("Control+Alt+j");
    await w.page.locator(".review-widget .edit-textarea .monaco-editor.focused").waitFor();
    await w.page.keyboard.press("ArrowUp");
    await w.page.locator(".review-widget .edit-textarea .view-line", { hasText: "Another" }).waitFor();
    await w.page.keyboard.press("Enter");
    await w.proposed("a.py");
    await w.titleAction("Discard");
    await w.noProposal();
    await w.command("Notifications: Clear All Notifications");
    isDown = true;
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Once more");
    await w.conversation.getByRole("button", { name: "Retry", exact: true }).waitFor();
    isDown = false;
    await w.act("Retry");
    await w.proposed("a.py");
    await w.command("bodkin: Focus on Sessions View");
    await w.tree("4 requests").waitFor();
  },
};
