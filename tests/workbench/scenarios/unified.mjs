import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "a key shows the proposal as one diff below the model's words, changes are taken there, and a key goes back",
  files: { "a.py": "a = 1\nb = 2\n", "b.py": "x = 1\n" },
  turns: [{ reply: { text: `Because tens are better.\n\n${edits(["a.py", "b = 2\n", "b = 20\n"], ["b.py", "x = 1\n", "x = 10\n"]).reply.text}`, stop_reason: "end_turn" } }],
  async run(w) {
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Tens");
    await w.diff("a.py (proposed) and 1 more file");
    await w.front("a.py");
    await w.lenses("Apply", 1);
    await w.goTo(1);
    await w.page.keyboard.press("Control+Shift+Alt+Home");
    await w.tab("Proposal.diff");
    for (const line of ["Tens", "Because tens are better.", "-b = 2", "+b = 20", "diff b.py", "+x = 10"]) await w.shows(line);
    await w.lenses("Apply", 2);
    await w.shot();
    await w.page.keyboard.press("Control+Alt+PageDown");
    await w.page.keyboard.press("Control+Alt+PageDown");
    await w.page.keyboard.press("Control+Alt+Enter");
    await w.lenses("Apply", 1);
    await w.saved("b.py", "x = 10\n");
    await w.page.keyboard.press("Control+Alt+Home");
    await w.tab("Proposed by bodkin (2 files)");
    await w.front("Proposal.diff");
    await w.titleAction("Apply");
    await w.noProposal();
    await w.page.locator(".tab", { hasText: "Proposal.diff" }).first().waitFor({ state: "detached" });
    await w.saved("a.py", "a = 1\nb = 20\n");
  },
};
