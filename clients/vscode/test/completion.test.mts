// What is typed in the field of a request, and what the log shows of a step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { entries, isIncomplete } from "../src/completion.ts";
import { stepLine } from "../src/steps.ts";

test("the request itself comes first, and a completion replaces the text from its start on", () => {
  const [request, first] = entries("Fix @src/m", { start: 4, items: [{ label: "@src/main.ts", insertText: "@src/main.ts ", kind: "file" }] });
  assert.deepEqual([request.text, request.isRequest], ["Fix @src/m", true]);
  assert.deepEqual([first.text, first.isRequest, first.label], ["Fix @src/main.ts ", false, "$(file) @src/main.ts"]);
});

test("an empty field offers the commands alone, and nothing is sent", () => {
  const all = entries("", { start: 0, items: [{ label: "/fix", insertText: "/fix ", kind: "command", detail: "Fix it" }] });
  assert.deepEqual(all.map(({ text, isRequest }) => [text, isRequest]), [["/fix ", false]]);
});

test("Enter completes a word that is only a beginning, and sends what is complete or nothing", () => {
  const fix = { start: 0, items: [{ label: "/fix", insertText: "/fix ", kind: "command" as const }] };
  assert.equal(isIncomplete("/f", fix), true);
  assert.equal(isIncomplete("/", fix), true);
  assert.equal(isIncomplete("/fix", fix), false);
  assert.equal(isIncomplete("change @", { start: 7, items: [{ label: "@file", insertText: "@file:", kind: "keyword" }] }), true);
  assert.equal(isIncomplete("change @nobody", { start: 7, items: [] }), false);
  assert.equal(isIncomplete("and then", fix), false);
});

test("names from a repository act as nothing in the list", () => {
  const [, first] = entries("@", { start: 0, items: [{ label: "@a\u202Eb", insertText: "@a\u202Eb", kind: "file" }] });
  assert.ok(!first.label.includes("\u202E"), first.label);
});

test("a step has a line if it changed something, failed or took long", () => {
  const step = { tool: "read_file", ms: 3, failed: false, files: [] };
  assert.equal(stepLine(step, "read_file, 0.0 s"), undefined);
  assert.equal(stepLine({ ...step, failed: true }, "read_file failed, 0.0 s"), "  read_file failed, 0.0 s");
  assert.equal(stepLine({ ...step, ms: 1200 }, "read_file, 1.2 s"), "  read_file, 1.2 s");
  const files = [{ path: "a.c", change: "edited" as const, added: 1, removed: 0, diff: "" }];
  assert.equal(stepLine({ ...step, files }, "a.c +1 −0, 0.0 s"), "  a.c +1 −0, 0.0 s");
});
