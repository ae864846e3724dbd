export default {
  nightly: true,
  title: "the log is text that people read: what was asked, what the model said, and how it ended",
  files: { "a.py": "a = 1\n" },
  turns: [{ reply: { text: "It is one.\nAnd stays so.", stop_reason: "end_turn" }, chunk_bytes: 3 }],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("What is a?");
    await w.said("It is one.");
    if (await w.page.locator(".notification-list-item", { hasText: "It is one." }).count()) throw new Error("what is to be seen was told besides");
    await w.command("bodkin: Show Log");
    // In whole lines, and not one for each piece that has come.
    for (const line of ["What is a?", "It is one.", "And stays so."]) {
      await w.page.locator(".output-view-container .view-line, .panel .view-line", { hasText: new RegExp(`\\[info\\].*${line.replace(/[?.]/g, "\\$&").replace(/ /g, ".")}`) }).first().waitFor();
    }
    await w.shot();
    await w.command("bodkin: Check Setup");
    await w.page.locator(".panel .view-line", { hasText: "replay" }).first().waitFor();
  },
};
