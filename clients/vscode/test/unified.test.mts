import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { drawingOf } from "../src/drawing.ts";
import { placeAt, unifiedOf } from "../src/unified_text.ts";
import { wholeDiff } from "../src/whole_diff.ts";

const lines = ["a", "b", "c", "d", "e", "f", "g", "h", "i", ""];
const change = (index: number, begin: number, end: number, newText: string) =>
  drawingOf({ index, uri: "", range: { start: { line: begin, character: 0 }, end: { line: end, character: 0 } }, newText }, lines.length, (at) => lines[at]);

test("one diff has the words of the model, every change with its lines around it, and the place of each", () => {
  const changes = [
    { drawing: change(0, 1, 2, "B\n"), problems: [] },
    { drawing: change(1, 9, 9, "j\n"), problems: ["clangd: no j"] },
  ];
  const { text, places } = unifiedOf(["Capitals", "not checked"], "Because:\n- so", [{ uri: "file:///a", words: "a.c", lines, changes }]);
  const wanted = ["Capitals", "not checked", "", "  Because:", "  - so", "", "diff a.c", "@@ line 2 @@", " a", "-b", "+B", " c", " d", " e",
    "@@ line 10 @@", " g", " h", " i", "+j", "✗ clangd: no j", ""];
  assert.deepEqual(text.split("\n"), wanted);
  assert.deepEqual(places.map(({ hunk, first, last }) => [hunk, first, last]), [[0, 7, 13], [1, 14, 19]]);
  assert.deepEqual([0, 10, 14, 99].map((line) => placeAt(places, line)?.hunk), [0, 0, 1, 1]);
  assert.equal(placeAt([], 0), undefined);
  const old = unifiedOf(["A"], "", [{ uri: "file:///a", words: "a.c", lines, changes: [], outOfDate: [3] }]);
  assert.deepEqual([old.text.split("\n").at(-2), old.places], ["⚠ line 4: out of date: the text here has changed", []]);
});

test("what the model said is not taken for lines of the diff, and is as wide as a window", () => {
  const words = `${"long ".repeat(30).trim()}\n\n- ${"item ".repeat(20).trim()}\n\n\`\`\`\n+ ${"code ".repeat(30)}\n\`\`\`\n${"x".repeat(200)}`;
  const text = unifiedOf(["T"], words, []).text.split("\n");
  assert.ok(text.slice(2).every((line) => line === "" || line.startsWith("  ")), text.join("\n"));
  assert.deepEqual(text.filter((line) => line.length > 80).map((line) => line.trim().slice(0, 6)), ["+ code", "xxxxxx"]);
  assert.ok(text.includes(`    ${"item ".repeat(5).trim()}`), text.join("\n"));
  assert.equal(text.join(" ").match(/long/g)?.length, 30);
  assert.equal(text.join(" ").match(/item/g)?.length, 20);
});

test("an edited text is a diff that git takes, also without a line end, of a new and of a deleted file", () => {
  const folder = mkdtempSync(join(tmpdir(), "bodkin-diff-"));
  try {
    for (const [old, made] of [["a\nb\n", "a\nc\n"], ["a", "b"], ["a\n", "b"], [undefined, "x\n-y\n"], ["a\n", ""]] as const) {
      const file = join(folder, "f.txt");
      rmSync(file, { force: true });
      if (old !== undefined) writeFileSync(file, old);
      execFileSync("git", ["apply", "-"], { cwd: folder, input: wholeDiff("f.txt", old, made) });
      assert.equal(readFileSync(file, "utf8"), made);
    }
    writeFileSync(join(folder, "f.txt"), "a\n");
    execFileSync("git", ["apply", "-"], { cwd: folder, input: wholeDiff("f.txt", "a\n", undefined) });
    assert.throws(() => readFileSync(join(folder, "f.txt")));
    assert.equal(wholeDiff("f.txt", "a\n", "a\n"), "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
