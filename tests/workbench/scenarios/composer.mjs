import { edits } from "../model.mjs";
import { until } from "../workbench.mjs";

const answer = (text, ...expect) => ({ expect, reply: { text, stop_reason: "end_turn" } });

export default {
  title: "the field of the Conversation: steps, completion, history, lines, a place, attachments, sessions, at every width",
  files: { "a.py": "a = 1\nb = 2\n", "notes.txt": "Always two.\n" },
  turns: [
    answer("It is **one**:\n\n```py\n# the first\na = 1  # here\n```", "What is a?", "line 2 of a.py"),
    answer("Two.", "First line\nSecond line", "It is **one**"),
    edits(["a.py", "a = 1\n", "a = 11\n"]),
  ],
  async run(w) {
    const { conversation: page, page: { keyboard } } = w;
    const field = page.locator("#text");
    const has = (text) => until(`the field to have ${text}`, async () => (await field.inputValue()) === text);
    await w.open("a.py", 2);
    await w.command("bodkin: Ask in the Conversation");
    await page.locator("#text:focus").waitFor();
    for (const name of ["1. Choose a model…", "2. Ask for a change", "3. See what checks"]) await page.getByRole("button", { name }).waitFor();
    await w.shot();
    await page.locator(".chip", { hasText: "a.py:2" }).waitFor();
    // Completion: Tab takes, Escape closes the list alone, Enter sends what is complete.
    await field.click();
    await field.pressSequentially("/expl");
    await page.locator("#list li[aria-selected=true]", { hasText: "/explain" }).waitFor();
    await w.shot();
    await keyboard.press("Tab");
    await has("/explain ");
    await field.fill("");
    await field.pressSequentially("What is a? @sel");
    await page.locator("#list li", { hasText: "@selection" }).waitFor();
    await keyboard.press("Enter");
    await has("What is a? @selection");
    await keyboard.press("Enter");
    await has("");
    await page.locator("article pre .number", { hasText: "1" }).waitFor();
    await page.locator("#switch", { hasText: "What is a?" }).waitFor();
    // Several lines, in the same session, without the place.
    await page.locator(".chip", { hasText: "a.py:2" }).click();
    await field.click();
    await keyboard.type("First line");
    await keyboard.press("Shift+Enter");
    await keyboard.type("Second line");
    await w.shot();
    await keyboard.press("Enter");
    await w.said("Two.");
    await page.locator("article").nth(1).waitFor();
    // Up and Down.
    await keyboard.press("ArrowUp");
    await has("First line\nSecond line");
    await keyboard.press("ArrowUp");
    await has("What is a? @selection");
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowDown");
    await has("");
    // Another session, and back.
    await page.locator("#new").click();
    await page.locator("article").first().waitFor({ state: "detached" });
    await page.locator("#switch", { hasText: "New session" }).waitFor();
    await page.locator("#switch").click();
    await w.choose("What is a?");
    await page.locator("article").nth(1).waitFor();
    for (const theme of ["Light Modern", "Dark High Contrast", "Dark Modern"]) {
      await w.theme(theme);
      await w.shot();
    }
    await w.page.setViewportSize({ width: 800, height: 700 });
    await w.shot();
    await w.compose("Eleven");
    await w.status("bodkin: 1 proposal");
    await w.shot();
    if (w.read("a.py") !== "a = 1\nb = 2\n") throw new Error("the file was changed");
  },
};
