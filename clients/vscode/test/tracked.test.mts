import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, Conversation } from "../src/conversation.ts";
import { Told } from "../src/program.ts";
import { found, tracked } from "../src/tracked.ts";

const range = (a: number, b: number, c: number, d: number) => ({ start: { line: a, character: b }, end: { line: c, character: d } });
const rangeOf = ({ again }: Ask) => (again?.argument as { range?: object } | undefined)?.range;
const third = range(2, 0, 3, 0); // the third line

test("a request follows its lines through changes around them", () => {
  const rows: [string, ReturnType<typeof range>, string, ReturnType<typeof range> | undefined][] = [
    ["lines above", range(0, 0, 0, 0), "# one\n# two\n# three\n", range(5, 0, 6, 0)],
    ["a line directly above", range(2, 0, 2, 0), "# one\n", range(3, 0, 4, 0)],
    ["a line directly below", range(3, 0, 3, 0), "x\n", third],
    ["a line far below", range(9, 0, 9, 0), "x\n", third],
    ["fewer lines above", range(0, 0, 2, 0), "", range(0, 0, 1, 0)],
    ["a word in it", range(2, 4, 2, 5), "33", third],
    ["a line more in it", range(2, 5, 2, 5), "\nx", range(2, 0, 4, 0)],
    ["its beginning with what is above", range(1, 0, 2, 3), "", range(1, 0, 2, 0)],
    ["all of it", third, "", undefined],
    ["all of it, by something else", range(0, 0, 9, 0), "x\n", undefined],
  ];
  for (const [what, at, text, expected] of rows) assert.deepEqual(tracked(third, { range: at, text }), expected, what);
  assert.deepEqual(tracked(range(2, 3, 2, 3), { range: range(2, 0, 2, 0), text: "ab" }), range(2, 5, 2, 5)); // a cursor
  assert.deepEqual(tracked(range(2, 3, 2, 3), { range: range(2, 4, 2, 4), text: "ab" }), range(2, 3, 2, 3));
});

test("lines of a document that was replaced as a whole are found by their text, if that is there once", () => {
  assert.deepEqual(found("# x\nc = 3\nd = 4\n", "c = 3\n"), range(1, 0, 2, 0));
  assert.equal(found("c = 3\nc = 3\n", "c = 3\n"), undefined);
  assert.equal(found("a\n\nb\n", "\n"), undefined);
});

test("what is asked again is asked about the lines as they are now, or is said to be about none", () => {
  const all = new Conversation();
  const again = { command: "bodkin.ask", argument: { textDocument: { uri: "file:///a.py" }, range: third }, selected: "c = 3\n" };
  const ask = all.began("ask-1", "Double this", 0, again);
  assert.equal(all.moved("file:///b.py", [{ range: range(0, 0, 0, 0), text: "#\n" }], () => ""), false);
  assert.equal(all.moved("file:///a.py", [{ range: range(0, 0, 0, 0), text: "#\n" }], () => ""), true);
  assert.deepEqual(rangeOf(ask), range(3, 0, 4, 0));
  all.moved("file:///a.py", [{ range: range(0, 0, 9, 0), text: "c = 3\n" }], () => "c = 3\n"); // a formatter
  assert.deepEqual(rangeOf(ask), range(0, 0, 1, 0));
  all.moved("file:///a.py", [{ range: range(0, 0, 1, 0), text: "" }], () => "");
  assert.equal(ask.again?.isGone, true);
});

test("the end of a program is told with the last line that it said", () => {
  const told = new Told();
  assert.equal(told.ending(1, null), "exited immediately with 1");
  for (const piece of ["usage: bodkin\nunknown ", "option --stdio.\n"]) told.add(piece);
  assert.equal(told.ending(64, null), "exited immediately with 64: unknown option --stdio");
  assert.equal(told.ending(null, "SIGSEGV"), "was ended by SIGSEGV: unknown option --stdio");
});
