import { edits } from "../model.mjs";

const before = "int f(int a) {\n  return a;\n}\n\n\n\n\n\nint g() {\n  return f(1);\n}\n\n\n\n\n\nint h() {\n  return f(2);\n}\n";

export default {
  title: "where the part that is applied breaks the file, that is what is said; what is undone counts as undone, and Redo is a button",
  own: { "bodkin.verify.servers": {} },
  files: { "f.cpp": before },
  turns: [edits(["f.cpp", "int f(int a) {\n", "int f(int a, int b) {\n"], ["f.cpp", "  return f(1);\n", "  return f(1, 2);\n"], ["f.cpp", "  return f(2);\n", "  return f(2, 2);\n"])],
  async run(w) {
    const said = (words) => w.conversation.locator(".result", { hasText: words }).waitFor();
    const button = (name) => w.conversation.getByRole("button", { name, exact: true });
    await w.open("f.cpp");
    await w.command("bodkin: Ask Agent…");
    await w.request("Two numbers");
    await said(/✓ clangd/);
    await w.cursor(1);
    await w.page.keyboard.press("Control+Alt+Enter");
    await said(/✗ clangd.* as it is now; ✓ clangd.* with all changes.*1 of 3 changes applied, 2 left/);
    await w.conversation.locator(".notes li", { hasText: /f\.cpp:\d+: clang/ }).first().waitFor();
    for (const theme of ["Dark Modern", "Light Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
    await w.goTo(10);
    await w.page.keyboard.press("Shift+Alt+Backspace");
    await said(/1 of 3 changes applied, 1 discarded, 1 left/);
    await w.act("Undo");
    await said(/1 of 3 changes undone, 1 discarded, 1 left/);
    for (const name of ["Undo", "Review"]) if (await button(name).count()) throw new Error(`${name} is still there`);
    await w.shot();
    await w.act("Redo");
    await said(/1 of 3 changes applied, 1 discarded, 1 left/);
    await w.act("Discard");
    await button("Undo").waitFor();
    await w.act("Undo");
    await said("Undone");
    await w.saved("f.cpp", before);
    await button("Redo").waitFor();
    await w.shot();
  },
};
