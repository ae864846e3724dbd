import { edits } from "../model.mjs";

export default {
  title: "when the server dies it is said, its progress ends, and Restart and Retry bring the ask to its end",
  nightly: true,
  files: { "a.py": "a = 1\n" },
  turns: [{ ...edits(["a.py", "a = 1\n", "a = 2\n"]), delay_ms: 6000 }],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.status("bodkin: the model is thinking");
    w.endServer();
    await w.notification("1 request was not finished");
    await w.status("bodkin: not running");
    await w.noNotification("bodkin: Another number");
    await w.said("bodkin ended before this was finished");
    await w.shot();
    await w.press("bodkin ended unexpectedly", "Restart");
    await w.idle();
    await w.act("Retry");
    await w.proposed("a.py");
  },
};
