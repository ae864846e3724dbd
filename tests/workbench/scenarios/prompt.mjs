import { until } from "../workbench.mjs";

const answer = (text, ...expect) => ({ expect, reply: { text, stop_reason: "end_turn" } });

export default {
  title: "a request is typed below the code that it is about: several lines, earlier ones, completions, and Escape",
  files: { "a.py": Array.from({ length: 60 }, (_, i) => `a${i} = ${i}\n`).join("") },
  turns: [answer("One.", "What is a?"), answer("Two.", "First line\nSecond line", "line 2 of a.py"), answer("Three.", "What is a?", "@selection")],
  async run(w) {
    const here = w.page.locator(".review-widget .edit-textarea");
    const shows = (text) => here.locator(".view-lines", { hasText: text }).waitFor();
    const ask = async () => {
      await w.page.keyboard.press("Control+Alt+j");
      await here.locator(".monaco-editor.focused").waitFor();
    };
    await w.open("a.py", 2);
    await ask();
    // It is between its line and the next, and nothing is covered.
    const box = await here.boundingBox();
    for (const text of ["a1 = 1", "a2 = 2"]) {
      const line = await w.page.locator(".view-line", { hasText: new RegExp(`^${text.replace(/ /g, ".")}$`) }).first().boundingBox();
      if (text === "a1 = 1" ? line.y > box.y : line.y < box.y + box.height) throw new Error(`${text} is at ${line.y}, and the place at ${box.y}`);
    }
    await w.type("What is a?");
    await w.page.keyboard.press("Control+Alt+j"); // once more: it is open
    await w.shot();
    await w.page.keyboard.press("Enter");
    await w.said("One.");
    const told = await w.told();
    if (told.length > 0) throw new Error(`This was told: ${told}`);
    await here.waitFor({ state: "detached" });
    await w.goTo(2); // the focus is in the editor again
    await ask();
    await w.type("First line");
    await w.page.keyboard.press("Shift+Enter");
    await w.type("Second line");
    await shows("Second");
    await w.shot();
    await w.page.keyboard.press("Enter");
    await w.said("Two.");
    await w.goTo(30);
    await ask();
    await w.page.keyboard.press("ArrowUp");
    await shows("Second");
    await w.page.keyboard.press("ArrowUp");
    await shows("What");
    await w.page.keyboard.press("ArrowDown");
    await shows("Second");
    await w.page.keyboard.press("Escape");
    await here.waitFor({ state: "detached" });
    await w.goTo(31);
    await ask();
    await w.type("/expl");
    await w.page.locator(".suggest-widget .monaco-list-row", { hasText: "/explain" }).first().waitFor();
    await w.page.keyboard.press("Enter"); // completes, and sends nothing
    await shows("/explain");
    await w.page.keyboard.press("Control+a");
    await w.type("What is a? @sel");
    await w.page.locator(".suggest-widget .monaco-list-row", { hasText: "@selection" }).first().waitFor();
    await w.shot();
    await w.page.keyboard.press("Tab");
    await shows("@selection");
    await w.page.keyboard.press("Enter");
    await w.said("Three.");
    // Its buttons are seen, also where the lines are at the bottom.
    await w.goTo(20);
    await w.select(12);
    await ask();
    await until("the buttons to be in the window", async () => {
      const button = await w.page.locator(".review-widget .monaco-button", { hasText: "Ask" }).first().boundingBox();
      return button && button.y + button.height < 770;
    });
    await w.shot();
    await w.page.keyboard.press("Escape");
    if (w.read("a.py").includes("What")) throw new Error("it was typed into the file");
  },
};
