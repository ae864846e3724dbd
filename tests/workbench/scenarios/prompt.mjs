const answer = (text, ...expect) => ({ expect, reply: { text, stop_reason: "end_turn" } });

export default {
  title: "a request has several lines, Up and Down bring earlier ones back, and Escape closes the field",
  files: { "a.py": "a = 1\n" },
  turns: [answer("One.", "What is a?"), answer("Two.", "First line\nSecond line"), answer("Three.", "What is a?")],
  async run(w) {
    const ask = () => w.page.keyboard.press("Control+Alt+j");
    await w.open("a.py");
    await ask();
    await w.answer("What is a?");
    await w.said("One.");
    await ask();
    await w.enter("First line");
    await w.page.keyboard.press("Shift+Enter");
    await w.field(/^First line ⏎ $/);
    await w.type("Second line");
    await w.shot();
    await w.page.keyboard.press("Enter");
    await w.said("Two.");
    await ask();
    await w.field("");
    await w.page.keyboard.press("ArrowUp");
    await w.field("First line ⏎ Second line");
    await w.page.keyboard.press("ArrowUp");
    await w.field("What is a?");
    await w.page.keyboard.press("ArrowDown");
    await w.field("First line ⏎ Second line");
    await w.page.keyboard.press("Escape");
    await ask();
    await w.field("");
    await w.page.keyboard.press("ArrowUp");
    await w.page.keyboard.press("ArrowUp");
    await w.field("What is a?");
    await w.page.keyboard.press("Enter");
    await w.said("Three.");
    await ask();
    await w.enter("/expl");
    await w.choosable("/explain");
    await w.page.keyboard.press("Enter"); // completes, and sends nothing
    await w.field(/^\/explain ?$/);
    await w.enter("what @sel", /^\/explain ?$/);
    await w.choosable("@selection");
    await w.page.keyboard.press("Tab");
    await w.field(/^what @selection ?$/);
    await w.page.keyboard.press("Escape");
  },
};
