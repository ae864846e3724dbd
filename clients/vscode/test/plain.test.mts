import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { markdown, plain } from "../src/plain.ts";
import { statusDetail } from "../src/status.ts";

const hostile = JSON.parse(readFileSync(new URL("../../../tests/agent/support/hostile_texts.json", import.meta.url), "utf8")) as string[];
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

test("a hostile text is neither a link nor an icon nor a control character", () => {
  for (const text of hostile) {
    assert.doesNotMatch(plain(text), acting);
    assert.ok(!plain(text).includes("](") && !plain(text).includes("$("), text);
    assert.equal(plain(plain(text)), plain(text));
  }
});

test("in Markdown a hostile text is words", () => {
  for (const text of hostile) {
    assert.doesNotMatch(markdown(text), acting);
    assert.doesNotMatch(markdown(text), /(^|[^\\])[[\]()<>*`$]/);
  }
  assert.match(statusDetail("running", { state: "thinking", message: "![x](https://evil.invalid/)" }), /\\!\\\[x\\\]\\\(/);
});

test("no message can have a link: it may be a command", () => {
  const source = new URL("../src/", import.meta.url);
  for (const name of readdirSync(source)) {
    const text = readFileSync(new URL(name, source), "utf8");
    for (const [call, first] of text.matchAll(/\bshow(?:Information|Warning|Error)Message\(\s*([^\s,)]+)/g)) {
      assert.ok(first.startsWith('"') || first.startsWith("plain("), `${name}: ${call}`);
    }
  }
});
