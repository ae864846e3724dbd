import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "an ask that a reload of the window ends is said to be gone, and can be asked again",
  files: { "a.py": "a = 1\n" },
  turns: [{ ...edits(["a.py", "a = 1\n", "a = 2\n"]), delay_ms: 8000 }],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Another number");
    await w.status("bodkin: the model is thinking");
    await w.command("Developer: Reload Window");
    await w.idle();
    await w.notification("“Another number” was not finished: the window was reloaded.");
    await w.shot();
    await w.press("was not finished", "Retry");
    await w.proposed("a.py");
  },
};
