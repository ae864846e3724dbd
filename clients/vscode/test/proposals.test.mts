import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { choicesOf } from "../src/choices.ts";
import { Proposals, apart, besideOf, brief, briefSummary, checked, differs, endMessage, fateOf, filesOf, headed, hunkAt, notesOf, outOfDate, spokenOf, standingOf, standingWords, summary, tabTitle, uriAfter, verdictOf, withCount } from "../src/proposals.ts";
import { fitted, isLong, opening } from "../src/lengths.ts";
import { addressOf } from "../src/address.ts";
import { redacted } from "../src/redacted.ts";
import { statusDetail, statusText } from "../src/status.ts";

const proposal = (id: string, ...uris: string[]) => ({
  proposalId: id,
  title: "",
  hunks: uris.map((uri, index) => hunk(index, index, index + 1, "", uri)),
});
// A hunk of the lines [begin, end), from 0.
const hunk = (index: number, begin: number, end: number, newText: string, uri = "file:///a") => ({
  index,
  uri,
  range: { start: { line: begin, character: 0 }, end: { line: end, character: 0 } },
  newText,
});

test("the newest proposal is the one that commands mean", () => {
  const proposals = new Proposals();
  proposals.add(proposal("p1", "file:///a"));
  proposals.add(proposal("p2", "file:///a"));
  assert.equal(proposals.newest?.proposalId, "p2");
  proposals.add(proposal("p1", "file:///b"));
  assert.equal(proposals.newest?.proposalId, "p1");
  assert.deepEqual(filesOf(proposals.newest!), ["file:///b"]);
});

test("where the newest proposal is over no older one is taken for it, and it is said why", () => {
  const proposals = new Proposals();
  assert.match(proposals.whyNone, /no pending proposal/);
  const titled = (id: string, title: string, uri: string) => ({ ...proposal(id, uri), title });
  for (const [state, why] of [["stale", "changed since"], ["applied", "was applied"], ["discarded", "was discarded"]] as const) {
    proposals.clear();
    proposals.add(titled("p1", "Older", "file:///w/a.c"));
    proposals.add(titled("p2", "Newer", "file:///w/b%20c.c"));
    proposals.change({ proposalId: "p2", state });
    assert.equal(proposals.newest, undefined, state);
    for (const part of ["“Newer” (b c.c)", why, "show it first"]) assert.ok(proposals.whyNone.includes(part), proposals.whyNone);
    assert.equal(proposals.all.at(-1)?.proposalId, "p1");
    proposals.change({ proposalId: "p1", state: "discarded" });
    assert.ok(!proposals.whyNone.includes("show it first"), proposals.whyNone);
  }
});

test("what happens to a file as a whole is said in words", () => {
  const documentChanges = [
    { kind: "rename" as const, oldUri: "file:///w/a.c", newUri: "file:///w/b%20b.c" },
    { kind: "create" as const, uri: "file:///w/n.c" },
    { kind: "delete" as const, uri: "file:///w/d.c" },
  ];
  const made = { ...hunk(1, 0, 0, "x\n", "file:///w/n.c"), kind: "create" as const };
  const all = { proposalId: "p", title: "Move", edit: { documentChanges }, hunks: [hunk(0, 0, 1, "", "file:///w/a.c"), made, hunk(2, 0, 1, "", "file:///w/d.c"), hunk(3, 0, 1, "y\n", "file:///w/e.c")] };
  assert.deepEqual(filesOf(all).map((file) => fateOf(all, file)), ["renamed to b b.c", "new file", "deleted", undefined]);
  assert.equal(fateOf(all, "file:///w/b%20b.c"), "renamed from a.c");
  assert.equal(summary(all), "bodkin: not checked. 4 changes in 4 files (renamed to b b.c, new file, d.c deleted): Move");
});

test("a file that moves is named with the folders that differ, and counts once", () => {
  const move = (oldUri: string, newUri: string) => ({ proposalId: "p", title: "", edit: { documentChanges: [{ kind: "rename" as const, oldUri, newUri }] }, hunks: [hunk(0, 0, 0, "c\n", newUri), hunk(1, 0, 1, "", oldUri)] });
  const all = move("file:///w/a/util.py", "file:///w/b/util.py");
  assert.equal(fateOf(all, "file:///w/a/util.py"), "renamed to b/util.py");
  assert.equal(fateOf(all, "file:///w/b/util.py"), "renamed from a/util.py");
  assert.equal(uriAfter(all, "file:///w/a/util.py"), "file:///w/b/util.py");
  assert.equal(summary(all), "bodkin: not checked. 1 change in 1 file (renamed to b/util.py).");
  assert.equal(fateOf(move("file:///w/from.py", "file:///w/lib/to.py"), "file:///w/from.py"), "renamed to lib/to.py");
});

test("in the proposed text the next change is after the line, with what the ones before bring", () => {
  const hunks = [hunk(0, 2, 3, "a\nb\n"), hunk(1, 10, 12, "c\n")];
  assert.deepEqual([besideOf(hunks, 0, 1), besideOf(hunks, 2, 1), besideOf(hunks, 11, 1), besideOf(hunks, 11, -1), besideOf(hunks, 2, -1)], [2, 11, undefined, 2, undefined]);
});

test("a change is read aloud with its line, its size and its problems", () => {
  assert.equal(spokenOf(hunk(0, 3, 5, "\n  return x;\n"), [{ message: "no x" }]), "Line 4: 2 lines removed, 2 lines added: return x;. Problem: no x");
  assert.equal(spokenOf(hunk(0, 3, 4, ""), []), "Line 4: 1 line removed");
  assert.equal(spokenOf(hunk(0, 3, 3, "\n"), []), "Line 4: 1 line added: blank line");
  assert.equal(spokenOf(hunk(0, 1, 2, "      return 0\n"), [], ["if x:", "  return 0", ""]), "Line 2: 1 line removed, 1 line added: indented by 4 more: return 0");
});

test("a question offers what the server takes, and to look at it first", () => {
  const question = { tool: "edit", title: "Editing a.c" };
  const labels = (more: object) => choicesOf({ ...question, ...more }).map(({ label }) => label);
  const all = { options: ["once", "session", "workspace", "reject"] };
  const why = "Deny, and Say Why…";
  assert.deepEqual(labels(all), ["Allow Once", "Allow for This Session", "Allow in This Workspace", "Deny", why]);
  assert.deepEqual(labels({ options: ["once", "reject"], detail: "+x" }), ["Allow Once", "Deny", why, "Show"]);
  assert.deepEqual(labels({ tool: "limit", options: ["once", "reject"] }), ["Continue", "Stop"]);
});

test("whatever is told goes through the one place that shows all of it", () => {
  for (const file of readdirSync(new URL("../src", import.meta.url))) {
    const text = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
    if (file !== "said.ts") assert.ok(!/window\s*\.(show(Information|Warning|Error)Message|setStatusBarMessage)/.test(text), file);
  }
  assert.equal(fitted("Line 42: 1 line removed", 10), "Line 42:…");
  assert.equal(fitted("Line 42: 1 line removed", 14), "Line 42: 1…");
  assert.equal(fitted("Line 42", 10), "Line 42");
  assert.equal(fitted("a".repeat(20), 10), `${"a".repeat(9)}…`);
});

test("of a chat's edit that was refused the line that differs is told", () => {
  const feedback = "Nothing was changed.\nnot_found: hunk 1: the lines it changes are not in a.py.\nThe first line that differs:\n  yours: b = 3\n  file 2: b = 2\nThe closest lines, 1 to 3:\n";
  assert.equal(differs(feedback), " It has “b = 3” where line 2 of the file is “b = 2”.");
  assert.equal(differs("Nothing was changed."), "");
});

test("no dialog that pops up by itself takes keys", () => {
  for (const file of readdirSync(new URL("../src", import.meta.url))) {
    assert.ok(!/modal:\s*true/.test(readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8")), file);
  }
});

test("what was applied, discarded or became stale cannot be taken again, what was refused can", () => {
  const proposals = new Proposals();
  for (const state of ["applied", "discarded", "stale"] as const) {
    proposals.add(proposal("p", "file:///a"));
    proposals.change({ proposalId: "p", state });
    assert.equal(proposals.byId("p"), undefined, state);
  }
  for (const state of ["refused", "partly", "unknown", "applying", "stale"] as const) {
    proposals.add(proposal("p", "file:///a"));
    proposals.change({ proposalId: "p", state, pending: 1 });
    assert.equal(proposals.byId("p")?.proposalId, "p", state);
  }
});

test("a proposal is summed up with its files counted once", () => {
  assert.equal(summary(proposal("p", "file:///a", "file:///a", "file:///b")), "bodkin: not checked. 3 changes in 2 files.");
  assert.equal(summary(proposal("p", "file:///a"), "? checking…"), "bodkin: ? checking… 1 change in 1 file.");
  const titled = { ...proposal("p", "file:///a"), title: "return early", verification: { state: "verified", by: "make" } as const };
  assert.equal(summary(titled), "bodkin: checked by make. 1 change in 1 file: return early");
  for (const [title, head] of [["Wider, please.", "Wider, please:"], ["Why?", "Why?"], ["Now!", "Now!"], ["And so on…", "And so on…"], ["And so on...", "And so on..."], ["These:", "These:"]]) {
    assert.equal(headed(title, "1 step."), `${head} 1 step.`);
  }
});

test("a proposal has the verdict that came last, and where a part of it is applied, what is wrong with that alone", () => {
  const proposals = new Proposals();
  const clean = { state: "clean", words: "✓ clangd: no new errors" } as const;
  const bad = { state: "problems", words: "✗ clangd: 1 new error", problems: [{ path: "a.c", line: 3, severity: "error", code: "", source: "clangd", message: "no x" }] } as const;
  proposals.add({ ...proposal("p", "file:///a", "file:///a"), verification: { state: "not_checked", words: "? checking…" } });
  const one = proposals.byId("p")!;
  proposals.change({ proposalId: "p", state: "ready", pending: 2, verification: clean });
  assert.equal(verdictOf(one), "✓ clangd: no new errors");
  proposals.change({ proposalId: "p", state: "partly", pending: 1, verification: clean, part: { ...bad, problems: [...bad.problems] } });
  assert.equal(verdictOf(one), "✗ clangd: 1 new error as it is now; ✓ clangd: no new errors with all changes");
  assert.ok(summary(one).startsWith("bodkin: ✗ clangd: 1 new error as it is now"), summary(one));
  assert.deepEqual(notesOf(one), ["✗ a.c:3: clangd: no x"]);
  proposals.change({ proposalId: "p", state: "ready", pending: 2, verification: clean });
  assert.equal(verdictOf(one), "✓ clangd: no new errors");
});

test("what was not checked, or only in part, is never called checked", () => {
  assert.equal(checked(undefined), "not checked");
  assert.equal(checked({ state: "unknown", by: "" }), "not checked");
  assert.equal(checked({ state: "unknown", by: "the syntax" }), "only the syntax was checked");
  assert.equal(checked({ state: "failed", newProblems: 2, by: "the syntax" }), "2 new problems");
  assert.equal(checked({ state: "failed", newProblems: 0, by: "make" }), "has problems");
  assert.equal(checked({ state: "clean", by: "clangd", words: "✓ clangd: no new errors" }), "✓ clangd: no new errors");
});

test("an ask that failed warns, an answer informs, a proposal speaks for itself", () => {
  assert.equal(endMessage({ askId: "a", end: "proposal", proposalId: "p" }), undefined);
  assert.equal(endMessage({ askId: "a", end: "cancelled", message: "Cancelled." }), undefined);
  assert.deepEqual(endMessage({ askId: "a", end: "failed", message: "No model." }), { severity: "warning", text: "bodkin: No model." });
  assert.equal(endMessage({ askId: "a", end: "answer", message: "Fine as it is." })?.severity, "info");
  assert.equal(endMessage({ askId: "a", end: "answer", overtaken: true, message: "Done. 1 edit was left out." })?.severity, "warning");
});

// They are in groups.
function settingsOf(manifest: { contributes: { configuration: { properties: object }[] } }) {
  return Object.assign({}, ...manifest.contributes.configuration.map(({ properties }) => properties));
}

test("every setting has a type, a default and a description, and no workspace may set what receives code", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const settings: Record<string, { type?: string; default?: unknown; description?: string; markdownDescription?: string; scope?: string }> =
    settingsOf(manifest);
  for (const [name, setting] of Object.entries(settings)) {
    assert.ok(setting.type && (setting.description ?? setting.markdownDescription) && setting.default !== undefined && setting.scope, name);
  }
  for (const name of ["server.path", "model.endpoint", "model.provider", "model.apiKeyEnv"]) {
    assert.equal(settings[`bodkin.${name}`].scope, "machine", name);
  }
});

test("in an untrusted folder no setting of the folder reaches the server", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const all = Object.keys(settingsOf(manifest)).filter((key) => key !== "bodkin.trace.server");
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.sort(), all.sort());
});

test("the extension's own commands do not collide with the server's", async () => {
  const { commands } = await import("../src/extensions.ts");
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const own: string[] = manifest.contributes.commands.map((entry: { command: string }) => entry.command);
  for (const id of Object.values(commands)) assert.ok(!own.includes(id), id);
  // Also with those that this client does not use: the language client registers all that the server announces.
  const servers = readFileSync(new URL("../../../lsp/protocol/extensions.h", import.meta.url), "utf8").matchAll(/\[\] = "(bodkin\.\w+)"/g);
  for (const [, id] of servers) assert.ok(!own.includes(id), id);
});

test("the change at the cursor is the one that covers the line, and no other", () => {
  const hunks = [hunk(0, 2, 3, "a\nb\n"), hunk(1, 10, 12, ""), hunk(2, 20, 20, "new\n")];
  const at = (line: number, side: "document" | "proposed") => hunkAt(hunks, line, side)?.index;
  const none = undefined;
  for (const [line, index] of [[0, none], [2, 0], [3, none], [9, none], [10, 1], [11, 1], [12, none], [18, none], [19, 2], [20, 2], [99, none]] as const) {
    assert.equal(at(line, "document"), index, `document, line ${line}`);
  }
  // The first brings a line more, the second takes two away: behind them all is one line up.
  for (const [line, index] of [[1, none], [2, 0], [3, 0], [4, none], [11, 1], [12, none], [18, none], [19, 2], [99, none]] as const) {
    assert.equal(at(line, "proposed"), index, `proposed, line ${line}`);
  }
  assert.equal(hunkAt([], 3, "document"), undefined);
});

test("a change inside a line covers that line on both sides", () => {
  const inside = { ...hunk(0, 4, 4, "x"), range: { start: { line: 4, character: 2 }, end: { line: 4, character: 5 } } };
  const after = hunk(1, 6, 7, "y\n");
  for (const side of ["document", "proposed"] as const) {
    assert.equal(hunkAt([inside, after], 4, side)?.index, 0, side);
    assert.equal(hunkAt([inside, after], 6, side)?.index, 1, side);
  }
});

test("the status bar says what is going on, and how many proposals wait", () => {
  assert.equal(statusText("stopped", { state: "idle" }, 0), "$(error) bodkin: not running");
  assert.equal(statusText("running", { state: "idle" }, 0), "$(sparkle) bodkin");
  assert.equal(statusText("running", { state: "idle" }, 2), "$(diff) bodkin: 2 proposals");
  assert.equal(statusText("running", { state: "thinking", message: "…" }, 2), "$(sync~spin) bodkin: the model is thinking");
  assert.equal(statusText("running", { state: "waiting" }, 0), "$(bell-dot) bodkin: waiting for you");
});

test("the status bar's tooltip says where the code goes", () => {
  const idle = { state: "idle", model: "qwen3-coder", host: "http://127.0.0.1:11434", usage: { input: 10, output: 2 } } as const;
  const detail = statusDetail("running", idle);
  for (const part of ["qwen3-coder", "Your code is sent to http://127.0.0.1:11434", "10 tokens in, 2 out"]) {
    assert.ok(detail.includes(part), part);
  }
  assert.equal(statusDetail("stopped", idle), "bodkin is not running.");
  const predicted = statusDetail("running", { ...idle, nextEdits: "zeta", nextEditsUsage: { input: 300, output: 20 } });
  assert.ok(predicted.includes("Next edits: zeta; 300 tokens in, 20 out"), predicted);
});

test("the status bar says the point, and no sentence that is cut before it", () => {
  assert.equal(brief("bodkin: Applied. Not checked: no language server reported diagnostics for the new text."), "bodkin: Applied, not checked.");
  const unchecked = { state: "not_checked", words: "? not checked: no server for Python" } as const;
  assert.equal(briefSummary({ ...proposal("p", "file:///a"), title: "Move", verification: unchecked }), "bodkin: not checked. 1 change in 1 file: Move");
  const parsed = { state: "not_checked", words: "? only the syntax was checked: no server for Python" } as const;
  assert.equal(briefSummary({ ...proposal("p", "file:///a"), title: "Move", verification: parsed }), "bodkin: only the syntax was checked. 1 change in 1 file: Move");
  assert.equal(brief("bodkin: Applied. ✓ clangd: no new errors"), "bodkin: Applied. ✓ clangd: no new errors");
});

test("a tab has the name first, then what becomes of the file, and last its folder", () => {
  const all = proposal("p", "file:///w/src/a%20b.c", "file:///w/src/n.c");
  const [one, other] = all.hunks;
  assert.equal(tabTitle({ ...all, hunks: [one] }, one.uri, "src/a b.c"), "a b.c (proposed) · src");
  assert.equal(tabTitle({ ...all, hunks: [one, { ...other, kind: "create" }] }, other.uri, "n.c"), "n.c (new file) and 1 more file");
});

test("tabs of two proposals have two labels", () => {
  const long = "Return a Result wherever the parser throws an error";
  assert.equal(apart("a.c (proposed)", "Wider", ["b.c (proposed)"]), "a.c (proposed)");
  assert.equal(apart("a.c (proposed)", "Wider", ["a.c (proposed)"]), "a.c (proposed) · “Wider”");
  assert.equal(apart("a.c (proposed)", "Wider", ["a.c (proposed)", "a.c (proposed) · “Wider”"]), "a.c (proposed) · “Wider” 2");
  assert.equal(apart("a.c (proposed)", "", ["a.c (proposed)"]), "a.c (proposed) · 2");
  assert.equal(apart("a.c (proposed)", `${"🙂".repeat(40)}`, ["a.c (proposed)"]), `a.c (proposed) · “${"🙂".repeat(29)}…”`);
  assert.equal(apart("a.c (proposed)", "a\u202eb", ["a.c (proposed)"]), "a.c (proposed) · “a<U+202E>b”");
  assert.equal(apart("a.c (proposed)", long, ["a.c (proposed)"]), "a.c (proposed) · “Return a Result wherever the…”");
});

test("an address is taken as it is typed, with https where no scheme says otherwise", () => {
  assert.equal(addressOf("proxy.example.com/v1"), "https://proxy.example.com/v1");
  assert.equal(addressOf(" localhost:8080/v1 "), "http://localhost:8080/v1");
  assert.equal(addressOf("http://10.0.0.1:8080"), "http://10.0.0.1:8080");
  for (const wrong of ["", "file:///etc", "http://", "two words"]) assert.equal(addressOf(wrong), undefined, wrong);
});

test("a long answer begins with whole words of its first line", () => {
  assert.equal(isLong("Fine as it is."), false);
  assert.equal(isLong("Two\nlines"), true);
  assert.equal(opening("Two\nlines"), "Two …");
  const words = "word ".repeat(80);
  assert.equal(isLong(words), true);
  assert.match(opening(words), /^(word )+…$/);
});

test("a key that was served is nowhere in the trace", () => {
  const keys = new Set(["sk-1", 'q"uote']);
  assert.equal(redacted('{"value": "sk-1"} sk-1', keys), '{"value": "•••"} •••');
  assert.equal(redacted(JSON.stringify({ value: 'q"uote' }), keys), '{"value":"•••"}');
});

test("every review key works in the diffs, and there is one for each size", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const keys: { command: string; key: string; when: string }[] = manifest.contributes.keybindings;
  for (const name of ["applyChange", "discardChange", "applyFile", "discardFile", "applyAll", "discardAll", "nextChange", "previousChange"]) {
    assert.match(keys.find(({ command }) => command === `bodkin.${name}`)?.when ?? "", /^bodkin\.(isReview|hasProposal) && !terminalFocus$/, name);
  }
  assert.equal(new Set(keys.map(({ key, when }) => key + when)).size, keys.length);
  // VS Code's own, in the text of an editor.
  for (const taken of ["ctrl+alt+backspace", "ctrl+alt+delete", "ctrl+alt+end"]) assert.ok(!keys.some(({ key }) => key.includes(taken)), taken);
});

test("what stands in an editor's menu beside others' entries says whose it is", () => {
  const { commands, menus } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).contributes;
  const titles = new Map(commands.map(({ command, title }: { command: string; title: string }) => [command, title]));
  for (const { command } of menus["editor/context"]) assert.match(String(titles.get(command)), /bodkin/, command);
});

test("every command is in the manifest and in the code, and every menu's command exists", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const declared: string[] = manifest.contributes.commands.map((entry: { command: string }) => entry.command);
  const code = readFileSync(new URL("../src/commands.ts", import.meta.url), "utf8");
  const registered = [...code.matchAll(/^ {4}"(bodkin\.\w+)":/gm)].map((match) => match[1]);
  assert.deepEqual([...declared].sort(), registered.sort());
  for (const entries of Object.values<{ command: string }[]>(manifest.contributes.menus)) {
    for (const { command } of entries) assert.ok(declared.includes(command), command);
  }
});

test("a click on the status bar offers every command that is not for one change, file, session or place", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const menu = readFileSync(new URL("../src/menu.ts", import.meta.url), "utf8");
  const hidden = (manifest.contributes.menus.commandPalette as { command: string; when: string }[]).filter(({ when }) => when === "false").map(({ command }) => command);
  const ofOne = /\.(\w+(Change|File)|(rename|delete|switch)Session|showUnified|proposeEdited|takeNextEdit|focusConversation|menu)$/;
  const all = (manifest.contributes.commands as { command: string; title: string }[]).filter(({ command }) => !hidden.includes(command) && (!ofOne.test(command) || command === "bodkin.fixFile"));
  for (const { command, title } of all) assert.ok(menu.includes(`"${command}"`) && (menu.includes(` ${title}"`) || command === "bodkin.answerQuestion"), title);
});

const program = process.env.BODKIN ?? fileURLToPath(new URL("../../../build/release/bin/bodkin", import.meta.url));

test("the manifest has the server's settings, as the server describes them", async () => {
  assert.ok(existsSync(program), `there is no ${program}: build it (sh tests/run.sh), or name one in BODKIN`);
  const { rowsOf, settingOf } = await import(new URL("../settings.mjs", import.meta.url).href);
  const rows: { key: string; sentence: string; values?: string[]; meanings?: string[] }[] = rowsOf(program);
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.deepEqual(settingsOf(manifest), Object.fromEntries(rows.map((row) => [`bodkin.${row.key}`, settingOf(row)])), "run node settings.mjs PROGRAM");
  for (const { key, values, meanings } of rows) if (meanings) assert.equal(meanings.length, values?.length, key);
  const named = (key: string) => rows.find((row) => row.key === key);
  for (const key of ["model.provider", "agent.profile", "agent.mode", "agent.editFormat", "edits.review"]) assert.ok(named(key)?.meanings, key);
});

test("no other extension's settings are changed", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.equal(manifest.contributes.configurationDefaults, undefined);
});

test("what became of a proposal's changes is counted", () => {
  const standing = (all: number, left: number, applied: number, discarded: number, undone = 0) => ({ all, left, applied, discarded, undone });
  assert.equal(standingWords(standing(2, 2, 0, 0)), "");
  assert.equal(standingWords(standing(2, 0, 2, 0)), "");
  assert.equal(standingWords(standing(2, 1, 0, 0)), "1 of 2 changes out of date, 1 left");
  assert.equal(standingWords(standing(3, 0, 1, 1)), "1 of 3 changes applied, 1 discarded, 1 out of date");
  assert.equal(outOfDate(standing(3, 0, 1, 1)), 1);
  assert.equal(standingWords(standing(3, 1, 0, 1, 1)), "1 of 3 changes undone, 1 discarded, 1 left");
  assert.equal(outOfDate(standing(3, 1, 0, 1, 1)), 0);
  assert.equal(withCount("Applied. Not checked: no.", standing(2, 0, 1, 0)), "1 of 2 changes applied, 1 out of date. Not checked: no.");
  assert.equal(withCount("Applied 1 of 2 changes (the text of 1 has changed). Not checked: no.", standing(2, 0, 1, 0)), "1 of 2 changes applied, 1 out of date. Not checked: no.");
  assert.equal(withCount("Applied.", standing(2, 0, 2, 0)), "Applied.");
  assert.equal(withCount("Undone.", standing(2, 0, 1, 0)), "Undone.");
});

test("a proposal that was over is back once something of it waits again, and only then", () => {
  const all = new Proposals();
  const ids = () => all.all.map(({ proposalId }) => proposalId);
  all.add(proposal("p", "file:///a"));
  all.change({ proposalId: "p", state: "applied", pending: 0 });
  assert.deepEqual([ids(), all.newest, all.whyNone], [[], undefined, "bodkin: the newest proposal, “” (a), was applied."]);
  for (const [state, pending] of [["applying", 1], ["partly", 0], ["unknown", 1]] as const) all.change({ proposalId: "p", state, pending });
  assert.deepEqual(ids(), []);
  all.change({ proposalId: "p", state: "partly", pending: 1 }); // the editor's undo
  assert.deepEqual([ids(), all.newest?.proposalId], [["p"], "p"]);
  all.change({ proposalId: "p", state: "stale", pending: 0 });
  all.change({ proposalId: "p", state: "ready", pending: 1 }); // what was typed there is taken back
  assert.deepEqual(ids(), ["p"]);
  all.change({ proposalId: "other", state: "ready", pending: 1 });
  assert.deepEqual(ids(), ["p"]);
});

test("what became of the changes is what the server sees in the text", () => {
  const content = { text: "", version: 1, hunks: [], hunkCount: 5, pending: 1, applied: 2, discarded: 1, changed: [] };
  assert.equal(standingWords(standingOf(content)), "2 of 5 changes applied, 1 discarded, 1 out of date, 1 left");
});

test("a proposal's cautions and problems are one list, and of a long line the beginning is heard", () => {
  const problem = { path: "a.c", line: 3, severity: "error" as const, code: "", message: "no x\nmore", source: "clangd" };
  assert.deepEqual(notesOf({ ...proposal("p", "file:///a"), notes: ["hidden file", "a.c, line 3: no x (clang)"], verification: { state: "problems", problems: [problem] } }), ["hidden file", "✗ a.c:3: clangd: no x"]);
  assert.ok(spokenOf(hunk(0, 3, 4, `${"x".repeat(400)}\n`), []).length < 200);
});
