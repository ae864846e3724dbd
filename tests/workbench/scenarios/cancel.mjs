const before = "a = 1\n";

export default {
  title: "Cancel in the notification ends an ask",
  files: { "a.py": before },
  turns: [{ reply: { text: "Never said.", stop_reason: "end_turn" }, delay_ms: 600_000 }],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Think about it");
    await w.status("bodkin: the model is thinking");
    await w.shot();
    await w.press("bodkin: Think about it", "Cancel");
    await w.idle();
    await w.noNotification("bodkin: Think about it");
    await w.saved("a.py", before);
  },
};
