import { edits } from "../model.mjs";

const calls = (...all) => ({ reply: { tool_calls: all.map(([name, args]) => ({ name, arguments: args })), stop_reason: "tool_use" } });

export default {
  nightly: true,
  title: "what the agent did is seen: files that open by a click, a command with its exit code and output, thoughts, an attachment",
  files: { "a.py": "a = 1\nb = 2\n", "lib/b.py": "x = 1\ny = 2\n", "notes.txt": "Always two.\n" },
  settings: { "bodkin.agent.profile": "tools", "bodkin.agent.permissions": { run: "allow" } },
  turns: [
    { expect: ["Always two."], ...calls(["read_file", { path: "lib/b.py" }], ["run_command", { command: "seq 1 20; exit 3" }]) },
    edits(["a.py", "a = 1\n", "a = 2\n"]),
  ],
  async run(w) {
    const { conversation: page } = w;
    await w.open("a.py");
    await w.command("bodkin: Ask in the Conversation");
    // Dropped from the explorer: a list of URIs.
    await page.locator("#composer").evaluate((form, uri) => {
      const given = new DataTransfer();
      given.setData("text/uri-list", uri);
      form.dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
    }, `file://${w.folder}/notes.txt`);
    await page.locator(".chip", { hasText: "notes.txt" }).waitFor();
    await w.compose("Two, please");
    await w.drawn("→ a = 2");
    const ask = page.locator("article", { hasText: "Two, please" });
    await ask.locator(".step", { hasText: "seq 1 20; exit 3" }).locator(".dim", { hasText: "exit 3" }).waitFor();
    await ask.locator(".step pre", { hasText: /18\s+19\s+20/ }).first().waitFor();
    await ask.locator("summary", { hasText: /Last \d+ lines/ }).click();
    await w.shot();
    await ask.locator(".link", { hasText: "lib/b.py" }).click();
    await w.tab("b.py");
    await page.locator(".chip", { hasText: "b.py:1" }).waitFor();
    await ask.locator(".link", { hasText: /^a\.py$/ }).first().click();
    await w.tab("a.py");
    await w.page.setViewportSize({ width: 800, height: 700 });
    await w.shot();
  },
};
