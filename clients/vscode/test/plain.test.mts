import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { markdown, plain, visible } from "../src/plain.ts";
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

test("what is invisible is named, and what makes an emoji is not", () => {
  assert.equal(visible("a\u3164,\u2800\u200b\u00ad\u200d\ufe0f\u{e0041}"), "a<U+3164>,<U+2800><U+200B><U+00AD><U+200D><U+FE0F><U+E0041>");
  assert.equal(visible("é\ufe0f\ufe0f"), "é\ufe0f<U+FE0F>");
  const usual = "⚠️ ❤️‍🔥 👩‍💻 1️⃣ می‌خواهم";
  assert.equal(visible(usual), usual);
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
