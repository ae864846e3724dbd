
export default {
  nightly: true,
  title: "asks of a file go on in its session, which is listed, read, renamed and deleted; a new one begins when it is wished",
  files: { "a.py": "a = 1\n" },
  turns: [
    { reply: { text: "It is one.", stop_reason: "end_turn" } },
    { expect: ["What is a?", "It is one.", "And why?"], reply: { text: "Nobody knows.", stop_reason: "end_turn" } },
  ],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("What is a?");
    await w.said("It is one.");
    await w.command("bodkin: Ask Agent…");
    await w.request("And why?");
    await w.said("Nobody knows.");
    await w.command("bodkin: Focus on Sessions View"); // which is folded: the switcher is above the Conversation
    await w.tree("current, 2 requests").waitFor();
    await w.shot();
    // What is answered is spoken, and the keyboard begins at the newest.
    await w.conversation.locator("#spoken p", { hasText: "Answered: And why? Nobody knows." }).waitFor();
    await w.command("bodkin: Show Conversation");
    await w.conversation.locator("article:focus", { hasText: "And why?" }).waitFor();
    await w.page.keyboard.press("Tab");
    await w.conversation.locator("article", { hasText: "And why?" }).locator("button:focus").waitFor();
    // It is read as a page with headings, not as Markdown.
    await w.tree("current, 2 requests").click();
    await w.tab("What is a?");
    await w.sessionPage("h2", "And why?");
    await w.sessionPage("p", "Nobody knows.");
    await w.shot();
    await w.theme("Dark High Contrast");
    await w.shot();
    await w.front("a.py");
    await w.command("bodkin: New Session");
    await w.tree("current, 2 requests").waitFor({ state: "detached" });
    await w.command("bodkin: Rename Session…");
    await w.choose("What is a?");
    await w.answer("All about a", "What is a?");
    await w.tree("All about a").waitFor();
    // The same with keys.
    await w.command("bodkin: Focus on Sessions View");
    await w.page.keyboard.press("Home");
    await w.page.keyboard.press("F2");
    await w.answer("All about a, at last", "All about a");
    await w.tree("All about a, at last").waitFor();
    await w.page.keyboard.press("Delete");
    await w.press("delete the session “All about a, at last”", "Keep");
    await w.command("bodkin: Ask Agent…");
    await w.request("What else?"); // the replayed model begins anew with each session
    await w.tree("current, 1 request").waitFor();
    await w.command("bodkin: Delete Session…");
    await w.choose("All about a");
    await w.press("delete the session “All about a, at last”", "Delete");
    await w.tree("All about a").waitFor({ state: "detached" });
    await w.shot();
  },
};
