import { edits } from "../model.mjs";

const lines = Array.from({ length: 60 }, (_, i) => `v${i + 1} = ${i + 1}\n`);
const turned = (...which) => lines.map((line, i) => (which.includes(i + 1) ? `v${i + 1} = ${(i + 1) * 10}\n` : line)).join("");

export default {
  nightly: true,
  title: "a key takes the change at the cursor only; what became of each is said, also of one whose text was changed",
  files: { "a.py": lines.join("") },
  turns: [edits(["a.py", "v5 = 5\n", "v5 = 50\n"], ["a.py", "v20 = 20\n", "v20 = 200\n"], ["a.py", "v51 = 51\n", "v51 = 510\n"])],
  async run(w) {
    const apply = () => w.page.keyboard.press("Control+Alt+Enter");
    await w.open("a.py");
    await w.command("bodkin: Ask Agent…");
    await w.request("Ten times as much");
    await w.proposed("a.py");
    await w.front("a.py");
    await w.drawn("→ v5 = 50");
    // None is at the cursor: the next one is gone to.
    await w.goTo(35);
    await apply();
    await w.notification("nothing applied: no change at line 35; now at the next.");
    await w.cursor(51);
    await w.saved("a.py", lines.join(""));
    await apply();
    await w.saved("a.py", turned(51));
    // One whose text is changed is out of date, and that is said.
    await w.goTo(20);
    await w.type("x");
    await w.said("1 of 3 changes applied, 1 out of date, 1 left.");
    await w.tree("1 change left, 1 out of date").waitFor();
    await w.conversation.getByRole("button", { name: "Retry", exact: true }).waitFor();
    await w.shot();
    await w.page.keyboard.press("Control+Alt+PageDown");
    await w.cursor(5);
    await apply();
    await w.said("2 of 3 changes applied, 1 out of date");
    await w.noProposal();
    await w.saved("a.py", turned(5, 51).replace("v20", "xv20"));
  },
};
