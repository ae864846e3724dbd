import { edits } from "../model.mjs";

export default {
  nightly: true,
  title: "what a check finds in a proposal is a list in the conversation, and is at its lines in the diff",
  own: { "bodkin.verify.servers": {} },
  files: { "f.cpp": "int f(int a) {\n  return a + 1;\n}\nint g(int b) {\n  return f(b);\n}\n" },
  turns: [edits(["f.cpp", "  return a + 1;\n", "  return nothing_of_this_name + 1;\n"], ["f.cpp", "  return f(b);\n", "  return f(bb);\n"]),
    ...[1, 2, 3].map(() => ({ reply: { text: "It is meant so.", stop_reason: "end_turn" } }))],
  async run(w) {
    await w.open("f.cpp");
    await w.command("bodkin: Ask Agent…");
    await w.request("Break it");
    await w.proposed("f.cpp");
    for (const words of [/f\.cpp:2: clang: .*nothing_of_this_name/, /f\.cpp:5: clang: .*bb/]) await w.conversation.locator(".notes li", { hasText: words }).waitFor();
    await w.drawn("✗ clang: Use of undeclared identifier");
    await w.shot();
    const told = await w.told();
    if (told.some((each) => /caution|undeclared/.test(each))) throw new Error(`There are toasts: ${told.join(" | ")}`);
  },
};
