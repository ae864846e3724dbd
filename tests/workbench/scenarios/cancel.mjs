const before = "a = 1\n";

export default {
  title: "nothing lies over the code while the conversation is seen; Cancel there ends an ask, and in the notification otherwise",
  files: { "a.py": before },
  turns: [{ reply: { text: "Never said.", stop_reason: "end_turn" }, delay_ms: 600_000 }],
  async run(w) {
    const progress = w.page.locator(".notification-list-item", { hasText: "Think" });
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Think about it.");
    await w.status("bodkin: the model is thinking");
    await w.said("Think about it.");
    await w.shot();
    // It comes when the view goes, and goes when the view comes.
    await w.page.locator(".activitybar .action-label[aria-label^=Explorer]").first().click();
    await w.notification(/bodkin: Think about it:\s/);
    await w.command("bodkin: Show Conversation");
    await w.said("Think about it.");
    await progress.waitFor({ state: "detached" });
    await w.act("Cancel");
    await w.said("Cancelled");
    await w.idle();
    await w.page.locator(".activitybar .action-label[aria-label^=Explorer]").first().click();
    await w.command("bodkin: New Session");
    await w.command("bodkin: Ask Agent…");
    await w.request("Think again?");
    await w.status("bodkin: the model is thinking");
    await w.said("Think again?"); // the view was put away with nothing running: the request brings it
    await progress.waitFor({ state: "detached" });
    await w.shot();
    await w.page.locator(".activitybar .action-label[aria-label^=Explorer]").first().click();
    await w.press(/bodkin: Think again\?\s/, "Cancel");
    await w.idle();
    await w.noNotification("Think again");
    await w.saved("a.py", before);
  },
};
