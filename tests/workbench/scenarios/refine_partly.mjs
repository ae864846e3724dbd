import { edits } from "../model.mjs";

const before = "int f(int a) {\n  return a;\n}\n\n\n\n\n\n\n\nint g() {\n  return f(1);\n}\n";

export default {
  nightly: true,
  title: "a proposal of which a part is applied is refined: nothing of it counts as discarded, and no repair is offered of what the rest mends",
  files: { "f.cpp": before },
  turns: [
    edits(["f.cpp", "int f(int a) {\n", "int f(int a, int b) {\n"], ["f.cpp", "  return f(1);\n", "  return f(1, 2);\n"]),
    { expect: ["Three instead"], ...edits(["f.cpp", "  return f(1, 2);\n", "  return f(1, 3);\n"]) },
  ],
  async run(w) {
    await w.open("f.cpp");
    await w.errors(0);
    await w.command("bodkin: Ask Agent…");
    await w.request("Two numbers");
    await w.drawn("→ int f(int a, int b) {");
    await w.cursor(1);
    await w.page.keyboard.press("Control+Alt+Enter");
    await w.shows("int f(int a, int b) {");
    await w.errors(1);
    await w.command("bodkin: Refine Proposal…");
    await w.answer("Three instead");
    await w.drawn("→ return f(1, 3);");
    await w.said("1 of 2 changes applied; the other goes on in the newer version.");
    await w.command("bodkin: Apply Proposal");
    await w.errors(0);
    await w.noProposal();
    if ((await w.told()).some((words) => /Repair|discarded/.test(words))) throw new Error("A repair was offered.");
    await w.shot();
  },
};
