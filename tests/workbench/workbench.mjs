// A real workbench (code-server in Chromium) and what a user does in it: run a command, answer a
// question, press a button, look at a text. Everything waits until the workbench shows it.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const version = process.env.CODE_SERVER ? `-${process.env.CODE_SERVER}` : "";
const tools = resolve(import.meta.dirname, "../../build", `workbench-tools${version}`);
const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");
export const entry = join(tools, "node_modules/code-server/out/node/entry.js");

// Only ends what hangs: a loaded machine is slow.
const patience = 1000 * Number(process.env.PATIENCE ?? 90);

const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../clients/vscode/package.json"), "utf8"));
const machineSettings = new Set(
  [manifest.contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties).filter((name) => properties[name].scope === "machine")),
);

// What the user who runs the tests has set or installed must not change a result.
export function environment(home) {
  mkdirSync(home, { recursive: true });
  const variables = { ...process.env, HOME: home, LC_ALL: "C.UTF-8", EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
  for (const name of Object.keys(variables)) {
    if (/^(XDG_|VSCODE_|CODE_SERVER|PASSWORD$|PORT$)|API_KEY$|^OLLAMA/.test(name)) delete variables[name];
  }
  return variables;
}

export function launchBrowser() {
  return chromium.launch({
    executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync),
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer",
      "--disable-gpu-watchdog", "--disable-hang-monitor", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// Polls until `probe` gives something that is not undefined, null or false.
export async function until(what, probe, limit = patience) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

const defaults = {
  "bodkin.model.provider": "replay",
  "editor.minimap.enabled": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

// scenario: {files: {path: text}, turns: of the replayed model, settings, open: a path to open
// instead of the folder}.
// shots(): the path of the next screenshot.
export async function openWorkbench({ browser, work, extensions, scenario, shots }) {
  const folder = join(work, "workspace");
  const data = join(work, "data");
  const write = (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [path, text] of Object.entries(scenario.files)) write(join(folder, path), text);
  // The server's own words, for who has to find out what went wrong.
  const program = join(work, "bodkin");
  write(program, `#!/bin/sh\necho $$ >'${program}.pid'\nexec '${process.env.BODKIN}' "$@" 2>>'${program}.log'\n`);
  chmodSync(program, 0o755);
  const settings = { ...defaults, "bodkin.server.path": program, ...scenario.settings };
  if (scenario.turns) {
    const recording = join(work, "replay.json");
    write(recording, JSON.stringify({ name: "workbench", turns: scenario.turns }));
    settings["bodkin.model.name"] = recording;
  }
  // A scenario in which language servers of ours check the edits says so.
  write(join(work, "home/.config/bodkin/settings.json"), JSON.stringify({ "bodkin.verify.servers": { "*": { command: [] } }, ...scenario.own }));
  // A window on code-server is a remote one: there the settings of a machine are read from a file of their own, and
  // from the user's only until the extensions have said which ones those are.
  const ofMachine = (wanted) => JSON.stringify(Object.fromEntries(Object.entries(settings).filter(([name]) => machineSettings.has(name) === wanted)));
  write(join(data, "Machine/settings.json"), ofMachine(true));
  write(join(data, "User/settings.json"), ofMachine(false));

  const server = spawn(
    process.execPath,
    [entry, "--auth", "none", "--bind-addr", "127.0.0.1:0", "--user-data-dir", data, "--extensions-dir", extensions,
      "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override"],
    { env: { ...environment(join(work, "home")), ...scenario.environment }, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  // A process group of its own: nothing else is in it.
  const kill = () => {
    try {
      process.kill(-server.pid, "SIGKILL");
    } catch {}
  };
  process.on("exit", kill);
  let said = "", ended = false;
  server.on("exit", () => (ended = true));
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (bytes) => (said += bytes));
  let context;
  const workbench = {};
  workbench.close = async () => {
    await context?.close();
    server.kill("SIGTERM");
    await until("the workbench to end", () => ended).catch(() => {});
    kill();
    process.off("exit", kill);
  };
  try {
    const address = await until("code-server to listen", () => {
      if (ended) throw new Error(`code-server ended:\n${said}`);
      return /listening on (http:\S+?)\/?\s/.exec(said)?.[1];
    });
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => /error|warning/.test(message.type()) && complaints.push(message.text().slice(0, 300)));
    workbench.complaints = complaints;
    const open = join(folder, scenario.open ?? "");
    await page.goto(`${address}/?${scenario.open ? "workspace" : "folder"}=${encodeURIComponent(open)}`);
    Object.assign(workbench, actions(page, work, folder, shots));
    workbench.log = () => (existsSync(`${program}.log`) ? readFileSync(`${program}.log`, "utf8") : "");
    // Of the workbench itself: the first on a machine with other work takes longest.
    await page.locator(".statusbar-item").first().waitFor({ timeout: 3 * patience });
    workbench.endServer = () => process.kill(Number(readFileSync(`${program}.pid`, "utf8")), "SIGKILL");
    await (scenario.begins ?? workbench.idle)(workbench);
    return workbench;
  } catch (error) {
    const seen = [];
    for (const page of context?.pages() ?? []) {
      await page.screenshot({ path: shots() }).catch(() => {});
      const bar = await page.locator(".statusbar-item:visible").allInnerTexts().catch(() => ["(could not be read)"]);
      const told = await workbench.told?.().catch(() => ["(could not be read)"]);
      seen.push(`Status bar: ${bar.join(" | ")}`, `Told: ${(told ?? []).join(" | ")}`);
    }
    await workbench.close();
    const lines = said.split("\n").filter((line) => /^\[.*(info|error|warn|Connection|Extension)/.test(line));
    throw new Error([error.message, ...seen, ...lines.slice(-12), "The page:", ...(workbench.complaints ?? []).slice(-15), ...logged(data), `The server: ${workbench.log?.() ?? ""}`].join("\n"), { cause: error });
  }
}

// The last lines of the extension hosts' own logs.
function logged(data) {
  const logs = join(data, "logs");
  if (!existsSync(logs)) return ["There are no logs."];
  return readdirSync(logs, { recursive: true })
    .filter((path) => /exthost[^/]*\/[^/]*\.log$/.test(path))
    .flatMap((path) => [`${path}:`, ...readFileSync(join(logs, path), "utf8").trimEnd().split("\n").slice(-15)]);
}

function actions(page, work, folder, shots) {
  const input = page.locator(".quick-input-widget input.input").and(page.locator(":visible")).first();
  const rows = page.locator(".quick-input-list .monaco-list-row");
  const exact = (text) => (typeof text === "string" ? new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`) : text);
  const statusItem = (text) => page.locator(".statusbar-item", { hasText: text }).filter({ visible: true }).first();
  // Into the field that has just been opened, which is told from the one before by what is in it.
  const fill = async (isNew, text, timeout = patience) => {
    await until(`the question for "${text}"`, async () => (await input.isVisible()) && isNew(await input.inputValue({ timeout: 1000 }).catch(() => undefined)), timeout);
    await input.fill(text, { timeout });
  };
  const self = {
    page,
    folder,
    screenshot: (path) => page.screenshot({ path }),
    shot: () => self.screenshot(shots()),

    // Runs a command from the palette, by its title. Whatever takes the focus closes the palette: then it is opened again.
    async command(title) {
      const row = rows.filter({ has: page.locator(".label-name", { hasText: exact(title) }) }).first();
      await until(`the command "${title}"`, async () => {
        await page.keyboard.press("F1");
        return fill((value) => value === ">", `>${title}`, 10_000).then(() => row.click({ timeout: 10_000 })).then(() => true, () => false);
      });
    },

    // Into the question that is shown, whose field has this, or something like it, to begin with.
    async enter(text, suggested = "") {
      await fill((value) => (suggested instanceof RegExp ? suggested.test(value) : value === suggested), text);
    },
    async answer(text, suggested = "") {
      await self.enter(text, suggested);
      await input.press("Enter");
    },

    // A request, into whichever is shown: the place at the code, or the field.
    async request(text) {
      const here = page.locator(".review-widget .edit-textarea .monaco-editor.focused");
      // Not the field that takes the keys until the place is there.
      const isField = () => input.evaluate((element) => element.offsetParent !== null && element.value === "" && !element.placeholder.startsWith("Opening"), undefined, { timeout: 1000 }).catch(() => false);
      await until(`the place for "${text}"`, async () => (await here.isVisible()) || isField());
      if (await isField()) return self.answer(text);
      await here.waitFor();
      await page.keyboard.insertText(text);
      const words = text.split(/\s+/)[0];
      await here.filter({ hasText: words }).waitFor();
      await page.keyboard.press("Enter");
      await here.waitFor({ state: "detached" });
    },

    // What is in the field that is shown.
    field: (text) => until(`the field to have ${text}`, async () => {
      const value = (await input.isVisible()) ? await input.inputValue({ timeout: 1000 }).catch(() => undefined) : undefined;
      return value !== undefined && (text instanceof RegExp ? text.test(value) : value === text);
    }),

    // Takes an entry of the list that is shown.
    async choose(text) {
      await rows.filter({ hasText: text }).first().click();
    },

    // It is in the list that is shown.
    choosable: (text) => rows.filter({ hasText: text }).first().waitFor(),

    async open(file, line = 1) {
      const name = file.split("/").at(-1);
      const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: exact(name) });
      await row.first().dblclick();
      await self.tab(name);
      await page.locator(".editor-instance .view-line").first().waitFor();
      await self.goTo(line);
    },

    // Waits for the cursor at the beginning of a line of the editor that has the focus, with nothing selected. The status bar is not
    // asked: it counts in a side of a diff that may not have the focus, and under load it forgets to show the line at all.
    async cursor(line, timeout = patience) {
      const isThere = () =>
        page.evaluate((wanted) => {
          const editor = document.querySelector(".monaco-editor.focused");
          const at = editor?.querySelector(".line-numbers.active-line-number")?.textContent;
          const cursor = editor?.querySelector(".cursors-layer .cursor");
          return at === String(wanted) && cursor && parseFloat(cursor.style.left) === 0 && !editor.querySelector(".selected-text");
        }, line);
      await until(`the cursor at line ${line}`, isThere, timeout);
    },

    // The cursor to the beginning of a line of the active editor.
    // Whatever takes the focus closes the field: then it is opened again, from the editor.
    async goTo(line) {
      let tries = 0;
      await until(`line ${line}`, async () => {
        if (tries++ > 0) {
          await page.keyboard.press("Escape");
          await page.keyboard.press("Control+1");
        }
        await page.keyboard.press("Control+g");
        const isFilled = await fill((value) => value === ":", `:${line}`, 10_000).then(() => input.press("Enter", { timeout: 10_000 })).then(() => true, () => false);
        return isFilled && self.cursor(line, 10_000).then(() => true, () => false);
      });
    },

    // A file of this name in that folder, which is closed as yet.
    async openPath(parent, name) {
      const row = (text) => page.locator(".explorer-folders-view .monaco-list-row", { hasText: exact(text) });
      await row(parent).first().click();
      await self.open(name);
    },

    // To the tab of a file that is open already.
    async front(name) {
      await page.locator(".tab", { hasText: exact(name) }).first().click();
      await self.tab(exact(name));
    },

    // From the cursor on.
    async select(lines) {
      for (let i = 0; i < lines; i++) await page.keyboard.press("Shift+ArrowDown");
      if (lines > 0) await page.locator(".monaco-editor.focused .selected-text").first().waitFor();
    },

    tab: (name) => page.locator(".tab.active", { hasText: name }).first().waitFor(),
    status: (text) => statusItem(text).waitFor(),
    // Waits for a notification. It hides after some seconds: then the bell has it.
    async notification(text) {
      const item = page.locator(".notification-list-item", { hasText: text }).filter({ visible: true }).first();
      await until(`the notification ${text}`, async () => {
        if (await item.waitFor({ timeout: 5000 }).then(() => true, () => false)) return true;
        await self.command("Notifications: Show Notifications");
      });
      return item;
    },
    async press(text, button) {
      const item = await self.notification(text);
      await item.getByRole("button", { name: button, exact: true }).click();
    },
    async noNotification(text) {
      await page.locator(".notification-list-item", { hasText: text }).first().waitFor({ state: "detached" });
    },
    // All that was told and not taken away, also what is hidden again.
    async told() {
      await page.keyboard.press("Escape");
      await self.command("Notifications: Show Notifications");
      return page.locator(".notifications-center .notification-list-item-message").allInnerTexts();
    },

    // For the report of a failure: what is in front, what has the focus, and the status bar.
    seen: () =>
      page.evaluate(() => {
        const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent.trim()).join(" | ");
        const { tagName, className, ariaLabel } = document.activeElement ?? {};
        const question = document.querySelector(".quick-input-widget:not([style*='display: none']) input")?.value;
        return `in front: ${texts(".tab.active")}; focus: ${tagName} ${className} ${ariaLabel}; question: ${question}; status bar: ${texts(".statusbar-item")}`;
      }),

    // A button in the title bar of the active editor.
    async titleAction(label) {
      await page.locator(`.editor-actions .action-label[aria-label^="${label}"]`).first().click();
    },

    // An entry of the lightbulb's menu at the cursor.
    async lightbulb(text) {
      const entry = page.locator(".action-widget .monaco-list-row", { hasText: text }).first();
      await until(`the code action ${text}`, async () => {
        await page.keyboard.press("Control+.");
        return entry.waitFor({ timeout: 3000 }).then(() => true, async () => void (await page.keyboard.press("Escape")));
      });
      await entry.click();
    },

    // A lens over the lines of the document; which: counted from the top. The editor draws lenses anew while
    // others go, and lines move: until they stood still from one look to the next nothing is clicked at.
    async lens(text, which = 0) {
      const found = page.locator(".codelens-decoration a", { hasText: text });
      let last = "";
      await until(`the lens "${text}"`, async () => {
        const boxes = await Promise.all((await found.all()).map((lens) => lens.boundingBox({ timeout: 1000 }).catch(() => null)));
        if (boxes.length <= which || boxes.includes(null)) return false;
        const tops = boxes.map((box) => box.y);
        const before = last;
        if ((last = tops.join()) !== before) return false;
        const index = tops.indexOf(tops.toSorted((one, other) => one - other)[which]);
        return found.nth(index).click({ timeout: 2000 }).then(() => true, () => false);
      });
    },

    async lenses(text, count) {
      const found = page.locator(".codelens-decoration a", { hasText: text });
      await until(`${count} lenses "${text}"`, async () => (await found.count()) === count);
    },

    type: (text) => page.keyboard.type(text),

    // A line of an editor has this text.
    shows: (text) => page.locator(".view-line", { hasText: text }).first().waitFor(),
    nowhereOnDisk(text) {
      for (const path of readdirSync(work, { recursive: true, withFileTypes: true })) {
        const file = join(path.parentPath, path.name);
        if (path.isFile() && readFileSync(file).includes(text)) throw new Error(`${text} is in ${file}.`);
      }
    },

    // What the view "Conversation" shows; its page is two frames deep.
    conversation: page.frameLocator("iframe.webview.ready").frameLocator("#active-frame"),
    // A request into the field below it.
    async compose(text) {
      const field = self.conversation.locator("#text");
      await field.click();
      await field.pressSequentially(text);
      await self.conversation.locator("#list").waitFor({ state: "hidden" });
      await field.press("Enter");
    },
    said: (text) => self.conversation.locator("article", { hasText: text }).last().waitFor(),
    async act(button) {
      await self.conversation.getByRole("button", { name: button, exact: true }).last().click();
    },
    // An element of the page on which an old session is read: the view "Conversation" is another frame.
    async sessionPage(tag, text) {
      await until(`"${text}" on the session's page`, async () => {
        for (const frame of page.frames()) {
          const found = frame.locator(`main ${tag}`, { hasText: text });
          if ((await frame.title().catch(() => "")) !== "Conversation" && (await found.count().catch(() => 0)) > 0) return true;
        }
        return false;
      });
    },
    // An entry of a tree in the side bar.
    tree: (text) => page.locator(".sidebar .monaco-list-row", { hasText: text }).first(),
    // The same, as a screen reader reads it.
    labelled: (text) => page.locator(`.sidebar .monaco-list-row[aria-label^="${text}"]`).first(),
    // Text that decorations add after the lines of a document.
    async drawn(text) {
      await until(`"${text}" to be drawn`, () =>
        page.evaluate((wanted) => [...document.querySelectorAll(".view-line span")].some((span) => getComputedStyle(span, "::after").content.includes(wanted)), text));
    },

    async theme(name) {
      await self.command("Preferences: Color Theme");
      await self.enter(name);
      await rows.filter({ has: page.locator(".label-name", { hasText: exact(name) }) }).first().click();
      await page.locator(`.monaco-workbench.${name.includes("High Contrast") ? "hc-black" : name.includes("Light") ? "vs" : "vs-dark"}`).waitFor();
    },

    idle: () => self.status(/^\s*bodkin\s*$/),

    // The view of a proposal, and its end.
    // It is drawn in its file first: the diff comes when it is asked for.
    async diff(title) {
      await self.status(/bodkin: \d+ proposal/);
      const shown = page.locator(".tab.active", { hasText: title }).first();
      if (!(await shown.isVisible())) await self.command("bodkin: Show Proposal");
      await self.tab(title);
    },
    proposed: (name) => self.diff(`${name} (proposed)`),
    async noProposal() {
      await page.locator(".tab", { hasText: /proposed/i }).first().waitFor({ state: "detached" });
      await self.idle();
    },

    // Saves all until the file has this text: a change may still be on its way to the editor.
    async saved(file, text) {
      await until(`the text of ${file} to be saved`, async () => {
        await self.command("File: Save All Files");
        return until("", () => self.read(file) === text, 10_000).catch(() => false);
      }).catch((error) => {
        throw new Error(`${error.message}\nwanted:\n${text}\nfound:\n${self.read(file)}`);
      });
    },
    async onDisk(file, text) {
      let now;
      await until(`the text of ${file}`, () => (now = self.read(file)) === text).catch((error) => {
        throw new Error(`${error.message}\nwanted:\n${text}\nfound:\n${now}`);
      });
    },
    read: (file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : undefined),

    // What clangd finds in all files, as the status bar counts it.
    errors: (count) => page.locator(`.statusbar-item[id="status.problems"] a[aria-label*="${count ? `Errors: ${count}` : "No Problems"}"]`).first().waitFor(),
  };
  return self;
}
