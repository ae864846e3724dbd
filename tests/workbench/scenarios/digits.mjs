const answer = (text, ...expect) => ({ expect, reply: { text, stop_reason: "end_turn" } });
export default {
  nightly: true,
  title: "Enter sends a request in which digits follow a slash command, the next one begins anew, and their session is called what was typed",
  files: { "a.py": "a = 1\nb = 429\n" },
  turns: [answer("One."), answer("Two."), answer("Three."), answer("Four.")],
  async run(w) {
    const here = w.page.locator(".review-widget .edit-textarea");
    await w.open("a.py", 2);
    for (const text of ["/explain 429", "/explain 42 b 9", "@selection 12", "/fix 9"]) {
      await w.page.keyboard.press("Control+Alt+j");
      await here.locator(".monaco-editor.focused").waitFor();
      await w.page.keyboard.type(text, { delay: 90 });
      await w.page.keyboard.press("Enter");
      await w.said(text);
      await here.waitFor({ state: "detached" });
    }
    await w.command("bodkin: Focus on Sessions View");
    await w.tree(/^\s*\/explain 429/).waitFor(); // and not what the model is told for it
  },
};
