export default {
  nightly: true,
  title: "what helps after a failure is offered by what the server says of it, not by its words",
  files: { "model.name.py": "a = 1\n" },
  settings: { "bodkin.agent.maxTurns": 1, "bodkin.agent.profile": "tools" },
  turns: [
    { reply: { text: "See model.endpoint.", tool_calls: [{ id: "1", name: "read_file", arguments: { path: "model.name.py" } }], stop_reason: "tool_use" } },
  ],
  async run(w) {
    await w.open("model.name.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Read it");
    await w.press("Continue for 1 more request?", "Stop");
    await w.said("Stopped after 1 request");
    for (const name of ["Raise the Limit", "Retry"]) await w.conversation.getByRole("button", { name, exact: true }).waitFor();
    await w.shot();
    await w.act("Raise the Limit");
    await w.page.locator(".setting-item-label", { hasText: "Max Turns" }).first().waitFor();
  },
};
