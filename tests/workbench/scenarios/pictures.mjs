import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { until } from "../workbench.mjs";

// The pictures of the project's README, the extension's and its walkthrough: with PICTURES=1 they are taken anew. Those of the
// extension are part of what is downloaded: pngquant --nofs 64 makes them a third as large.
const top = resolve(import.meta.dirname, "../../..");
const places = { ask: "clients/vscode/media/ask.png", review: "clients/vscode/media/review.png", diff: "clients/pictures/vscode.png" };
const demo = (file) => readFileSync(join(top, "clients/demo", file), "utf8");

export default {
  nightly: true,
  title: "what the pictures show: the request at the code, its changes in the document and as a diff, and in the walkthrough",
  files: { "receipt.cpp": demo("receipt.cpp"), "compile_flags.txt": demo("compile_flags.txt") },
  own: { "bodkin.verify.servers": {} },
  turns: JSON.parse(demo("replay.json")).turns,
  async run(w) {
    const { page } = w;
    const take = async (name) => {
      await page.mouse.move(820, 780); // where the status bar is empty
      await page.locator(".workbench-hover-container").filter({ visible: true }).first().waitFor({ state: "detached" });
      await page.locator(".statusbar-item", { hasText: "Activating" }).waitFor({ state: "detached" });
      await w.shot();
      if (process.env.PICTURES) await w.screenshot(join(top, places[name]));
    };
    await w.open("receipt.cpp", 15);
    await w.select(12);
    await page.keyboard.press("Control+Alt+j");
    await page.locator(".review-widget .edit-textarea .monaco-editor.focused").waitFor();
    await page.keyboard.insertText("Return nothing for a malformed line");
    await page.locator(".review-widget .view-line", { hasText: "malformed" }).waitFor();
    await take("ask");
    await page.keyboard.press("Enter");
    await w.proposed("receipt.cpp");
    await w.said("3 changes in 1 file");
    // What can be done is seen, though the proposals have taken room from the conversation.
    const button = w.conversation.getByRole("button", { name: "Apply", exact: true }).last();
    await until("the buttons to be seen", async () => {
      const [box, view] = [await button.boundingBox(), await page.locator("iframe.webview.ready").first().boundingBox()];
      return box && view && box.y + box.height <= view.y + view.height;
    });
    await take("diff");
    await w.front("receipt.cpp");
    await w.goTo(14);
    await page.locator(".codelens-decoration a", { hasText: "Apply" }).first().waitFor();
    await page.locator(".review-widget").filter({ visible: true }).first().waitFor();
    await take("review");
    // The walkthrough has them, from the extension itself.
    await w.command("Welcome: Open Walkthrough...");
    await w.choose("bodkin");
    await page.locator(".getting-started-step", { hasText: "Ask for a change" }).first().click();
    const step = page.frameLocator(".getting-started-media iframe.webview.ready").frameLocator("#active-frame");
    // It is not seen here: what the workbench would load it from is not reachable.
    await step.locator('img[src$="/media/ask.png"]').first().waitFor({ state: "attached" });
    await w.shot();
  },
};
