import { modelServer } from "../model.mjs";

let server, goOn;

export default {
  nightly: true,
  title: "the conversation is shown once for a request; put away, it stays away, and the answer is told",
  files: { "a.py": "a = 1\n" },
  async before() {
    const held = new Promise((resolve) => (goOn = resolve));
    server = await modelServer(async function* () {
      yield "It is ";
      await held;
      yield "one.";
    });
    return { settings: { "bodkin.model.provider": "openai-compatible", "bodkin.model.name": "m", "bodkin.model.endpoint": server.endpoint } };
  },
  after: () => server.close(),
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("What is a?");
    await w.said("It is");
    await w.page.locator(".activitybar .action-label[aria-label^=Explorer]").first().click();
    await w.page.locator(".explorer-folders-view").waitFor();
    goOn();
    const said = await w.notification("It is one.");
    await w.page.locator(".explorer-folders-view").waitFor();
    await w.shot();
    await said.getByRole("button", { name: "Read", exact: true }).click();
    await w.said("It is one.");
  },
};
