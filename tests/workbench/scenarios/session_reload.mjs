export default {
  nightly: true,
  title: "the page of a session is there again after a reload of the window, grows with it, and goes with it",
  files: { "a.py": "a = 1\n" },
  turns: [{ reply: { text: "It is one.", stop_reason: "end_turn" } }], // a reload begins the recording anew
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("What is a?");
    await w.said("It is one.");
    await w.command("bodkin: Focus on Sessions View");
    await w.tree("current, 1 request").click();
    await w.tab("What is a?");
    await w.sessionPage("p", "It is one.");
    await w.command("Developer: Reload Window");
    await w.idle();
    await w.sessionPage("p", "It is one.");
    await w.shot();
    await w.front("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("And why?");
    await w.tree("current, 2 requests").waitFor();
    await w.page.locator(".tab", { hasText: "What is a?" }).first().click();
    await w.sessionPage("h2", "And why?");
    await w.command("bodkin: Delete Session…");
    await w.choose("What is a?");
    await w.press("delete the session “What is a?”", "Delete");
    await w.page.locator(".tab", { hasText: "What is a?" }).first().waitFor({ state: "detached" });
  },
};
