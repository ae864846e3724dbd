import assert from "node:assert/strict";
import { test } from "node:test";
import { afterKey, earlier, inField, inText, withRequest } from "../src/completion.ts";
import { changedIn, diffOf, drawingOf, neighbour } from "../src/drawing.ts";
import { spokenOf, wordsOf } from "../src/proposals.ts";

const lines = ["a = 1", "  b = 2", "c = 3", ""];
const drawn = (begin: [number, number], end: [number, number], newText: string) => {
  const range = { start: { line: begin[0], character: begin[1] }, end: { line: end[0], character: end[1] } };
  const drawing = drawingOf({ index: 0, uri: "file:///a", range, newText }, lines.length, (index) => lines[index]);
  const { removed, ghosts, addedBelow } = drawing;
  return { removed, ghosts: ghosts.map(({ line, text }) => `${line} ${text}`), diff: diffOf(drawing), ...(addedBelow === undefined ? {} : { addedBelow }) };
};

test("of a change only the lines that differ are drawn, with the new ones beside them", () => {
  assert.deepEqual(drawn([1, 0], [2, 0], "  b = 22\n"), { removed: [1], ghosts: ["1 → b = 22"], diff: "-  b = 2\n+  b = 22" });
  assert.deepEqual(drawn([0, 0], [3, 0], "a = 1\n  b = 22\nc = 3\n").removed, [1]);
  assert.deepEqual(drawn([1, 6], [1, 7], "22").ghosts, ["1 → b = 22"]); // inside a line
});

test("only the words of a line that change are struck through, and all of it where little stays", () => {
  const struck = (old: string, added: string) => {
    const { begin, end } = changedIn(old, added);
    return old.slice(begin, end);
  };
  assert.equal(struck("    return total(items, tax)", "    return total(items, rate)"), "tax");
  assert.equal(struck("let größe = 1;", "let größen = 1;"), "größe");
  assert.equal(struck("call(a)", "call(a, b)"), "");
  assert.equal(struck("f(a, a)", "f(a)"), ", a");
  assert.equal(struck("  b = 2", "    b = 2"), "  ");
  assert.equal(struck("  return 0", "  raise Missing(name)"), "return 0");
  const at = (line: number, end: number) => ({ start: { line, character: 0 }, end: { line: end, character: 0 } });
  const of = (range: ReturnType<typeof at>, newText: string) => drawingOf({ index: 0, uri: "", range, newText }, lines.length, (index) => lines[index]).struck;
  assert.deepEqual(of(at(1, 2), "  b = 22\n"), [{ line: 1, begin: 6, end: 7 }]);
  assert.deepEqual(of(at(1, 2), ""), [{ line: 1, begin: 2, end: 7 }]);
  assert.deepEqual(of(at(1, 2), `${"  b = 2".repeat(30)}\n`), [{ line: 1, begin: 2, end: 7 }]); // the new one is below
});

test("an indentation that changes is seen, whatever else changes in the line", () => {
  assert.deepEqual(drawn([1, 0], [2, 0], "    b = 22\n").ghosts, ["1 → ····b = 22"]);
  assert.deepEqual(drawn([1, 0], [2, 0], "b = 22\n").ghosts, ["1 → ⇤b = 22"]);
  assert.deepEqual(drawn([1, 0], [2, 0], "\treturn b\n").ghosts, ["1 → ⇥return b"]);
  assert.deepEqual(drawn([0, 0], [2, 0], "a = 11\n    b = 2\n").ghosts, ["0 → a = 11", "1 → ····b = 2"]);
  assert.deepEqual(drawn([1, 0], [2, 0], "  if b:\n    c()\n").ghosts, ["1 → if b:  ↓ ····c()"]); // deeper than the line before it
  assert.deepEqual(drawn([2, 0], [2, 0], "x = 0\n").ghosts, ["1 ↓ ⇤x = 0"]); // than the line above it
  assert.deepEqual(drawn([2, 0], [2, 0], "  x = 0\n").ghosts, ["1 ↓ x = 0"]);
  const change = { index: 0, uri: "", range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, newText: "      b = 22\n" };
  assert.equal(wordsOf(change, lines), "−1 +1  ······b = 22");
  assert.equal(spokenOf(change, [], lines), "Line 2: 1 line removed, 1 line added: indented by 4 more: b = 22");
});

test("deletions and insertions are said", () => {
  assert.deepEqual(drawn([0, 0], [1, 0], ""), { removed: [0], ghosts: ["0 ← deleted"], diff: "-a = 1" });
  assert.deepEqual(drawn([0, 0], [2, 0], "").ghosts, ["0 ← 2 lines deleted"]);
  assert.deepEqual(drawn([2, 0], [2, 0], "x = 0\n").ghosts, ["1 ↓ ⇤x = 0"]);
  assert.deepEqual(drawn([0, 0], [0, 0], "x = 0\n").ghosts, ["0 ↑ x = 0"]);
  assert.deepEqual(drawn([2, 0], [3, 0], "c = 33\nd = 4\n").ghosts, ["2 → c = 33  ↓ d = 4"]);
});

test("added lines for which there is no room beside others are shown below", () => {
  assert.deepEqual(drawn([2, 0], [2, 0], "x = 0\ny = 0\n"), { removed: [], ghosts: ["1 ↓ 2 new lines"], diff: "+x = 0\n+y = 0", addedBelow: 1 });
  assert.deepEqual(drawn([0, 0], [0, 0], "x = 0\ny = 0\n"), { removed: [], ghosts: ["0 ↑ 2 new lines come above this line"], diff: "+x = 0\n+y = 0", addedBelow: 0 });
  const replaced = drawn([1, 0], [3, 0], "b\nc\nd\ne\n");
  assert.deepEqual([replaced.ghosts, replaced.addedBelow], [["1 → 4 new lines"], 2]);
  assert.equal(drawn([2, 0], [3, 0], `${"c".repeat(200)}\n`).addedBelow, 2);
});

test("where only blanks change they are seen, and what is too long for a line is below", () => {
  assert.deepEqual(drawn([1, 0], [2, 0], "    b = 2\n").ghosts, ["1 → ····b = 2"]);
  assert.deepEqual(drawn([1, 0], [2, 0], "\tb = 2 \n").ghosts, ["1 → ⇥b = 2·"]);
  const long = `c = ${"3".repeat(80)}`;
  assert.deepEqual([drawn([2, 0], [3, 0], `${long}\n`).addedBelow, drawn([2, 0], [3, 0], "c = 33\n").addedBelow], [2, undefined]);
  const deletion = drawingOf({ index: 0, uri: "", range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, newText: "" }, 4, (index) => lines[index]);
  assert.deepEqual(deletion.ghosts, [{ line: 0, text: "← deleted", isDeletion: true }]);
});

test("the next change is the one below, then that of the next file, then the first again", () => {
  const all = [{ file: "a", begin: 2 }, { file: "a", begin: 9 }, { file: "b", begin: 0 }];
  assert.equal(neighbour(all, ["a", "done", "b"], "a", 0, 1), all[0]);
  assert.equal(neighbour(all, ["a", "done", "b"], "a", 2, 1), all[1]);
  assert.equal(neighbour(all, ["a", "done", "b"], "a", 9, 1), all[2]);
  assert.equal(neighbour(all, ["a", "done", "b"], "b", 0, 1), all[0]);
  assert.equal(neighbour(all, ["a", "done", "b"], "b", 0, -1), all[1]);
  assert.equal(neighbour(all, ["a", "done", "b"], "elsewhere", 5, 1), all[0]);
  assert.equal(neighbour(all, ["a", "done", "b"], "done", 5, 1), all[2]); // nothing of it waits any more
  assert.equal(neighbour(all, ["a", "done", "b"], "done", 5, -1), all[1]);
  assert.equal(neighbour([], [], "a", 0, 1), undefined);
});

test("a change is named by its size and its first line", () => {
  const hunk = (begin: number, end: number, newText: string) => ({ index: 0, uri: "", range: { start: { line: begin, character: 0 }, end: { line: end, character: 0 } }, newText });
  assert.equal(wordsOf(hunk(1, 3, "\n  return x;\n")), "−2 +2  return x;");
  assert.equal(wordsOf(hunk(1, 2, "")), "−1  deleted");
  assert.equal(wordsOf({ ...hunk(0, 0, "x"), kind: "create" }), "new file");
  assert.equal(wordsOf(hunk(3, 3, "\n")), "+1  blank line");
  assert.equal(wordsOf(hunk(0, 0, "\n\n")), "+2  blank lines");
  assert.equal(wordsOf({ ...hunk(2, 2, "a = 2"), range: { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } } }), "−1 +1  a = 2"); // at an end without a line break
  assert.equal(wordsOf(hunk(1, 2, "    b = 2\n"), lines), "−1 +1  ····b = 2");
  assert.equal(wordsOf(hunk(0, 3, "a = 1\n  b = 22\nc = 3\n"), lines), "−1 +1  b = 22");
});

test("earlier requests are offered newest first, each once", () => {
  const kept = withRequest(withRequest(withRequest([], "one"), "two\nlines"), "one");
  assert.deepEqual(kept, ["one", "two\nlines"]);
  assert.deepEqual(earlier(kept).map(({ label, isRequest }) => [label, isRequest]), [["$(history) one", false], ["$(history) two lines", false]]);
});

test("up and down go through earlier requests, and a request of several lines stays one", () => {
  const before = ["newest\nof two lines", "oldest"];
  const first = afterKey(1, "", -1, before);
  assert.deepEqual(first, { text: "newest ⏎ of two lines", at: 0 });
  assert.equal(inText(first.text), before[0]);
  assert.deepEqual(afterKey(1, first.text, 0, before), { text: "oldest", at: 1 });
  assert.deepEqual(afterKey(1, "oldest", 1, before), { text: "oldest", at: 1 });
  assert.deepEqual(afterKey(-1, first.text, 0, before), { text: "", at: -1 });
  assert.deepEqual(afterKey(1, "", -1, []), { text: "", at: -1 });
  assert.equal(inText(afterKey(0, "one", -1, before).text + "two"), "one\ntwo");
  assert.equal(inField("one"), "one");
});
