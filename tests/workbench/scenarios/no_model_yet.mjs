export default {
  title: "where there is no model at all, the first ask says what can be done before anything is typed, and any chat does",
  files: { "a.py": "a = 1\nb = 2\n" },
  settings: { "bodkin.model.provider": "auto", "companion.hasModel": false },
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Show Conversation");
    await w.conversation.getByText("No model? Any chat will do").waitFor();
    await w.conversation.locator("#model", { hasText: "No model" }).waitFor();
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    const said = await w.notification("no model yet");
    for (const name of ["Choose Model…", "Set API Key…", "Copy Prompt…"]) await said.getByRole("button", { name, exact: true }).waitFor();
    for (const theme of ["Dark Modern", "Light Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
    await w.page.keyboard.press("Escape");
    // A key is for the provider that the user names: that of none was missing more than another's.
    await w.compose("Another number");
    await w.act("Set Key…");
    await w.choose("OpenAI");
    await w.page.locator(".quick-input-widget", { hasText: "API key for OpenAI" }).waitFor();
    await w.page.keyboard.press("Escape");
    const told = await w.told();
    if (told.some((text) => text.includes("OPENAI_API_KEY"))) throw new Error(`What the conversation says lies over the code, too: ${told}`);
    // An answer whose lines are not in the file: which one differs is told, and what to send back is copied.
    await w.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copy = (text) => w.page.evaluate((its) => navigator.clipboard.writeText(its), text);
    await copy("a.py\n<<<<<<< SEARCH\na = 1\nb = 3\n=======\na = 11\nb = 2\n>>>>>>> REPLACE\n");
    await w.command("bodkin: Apply a Chat Answer from the Clipboard");
    await w.notification("It has “b = 3” where line 2 of the file is “b = 2”.");
    await w.shot();
    await w.press("It has “b = 3”", "Copy for the Chat");
    await w.page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("yours: b = 3"));
    // So is how it is to be written, for an answer that only shows code.
    await copy("Here it is:\n\n```python\na = 11\n```\n");
    await w.command("bodkin: Apply a Chat Answer from the Clipboard");
    await w.press("The text contains code, but no edit", "Copy for the Chat");
    await w.page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("<<<<<<< SEARCH"));
    await copy("a.py\n<<<<<<< SEARCH\na = 1\nb = 2\n=======\na = 11\nb = 2\n>>>>>>> REPLACE\n");
    await w.command("bodkin: Apply a Chat Answer from the Clipboard");
    await w.drawn("→ a = 11");
    await w.page.keyboard.press("Control+Alt+Enter");
    await w.saved("a.py", "a = 11\nb = 2\n");
  },
};
