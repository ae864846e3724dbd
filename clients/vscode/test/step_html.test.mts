import assert from "node:assert/strict";
import { test } from "node:test";
import { coloured } from "../src/code_html.ts";
import { Conversation } from "../src/conversation.ts";
import { actionsOf, htmlOfAsk } from "../src/conversation_html.ts";
import { htmlOf } from "../src/html.ts";
import { goesOn, isReplaced } from "../src/proposals.ts";
import { htmlOfStep } from "../src/step_html.ts";

const step = { tool: "read_file", ms: 3, failed: false, files: [] };

test("a step says what was read, searched and edited, and each path opens the file at its first change", () => {
  assert.match(htmlOfStep({ ...step, path: "src/a.c" }, "read_file", 0), /✓<\/span> Read <button class="link" data-open="src\/a\.c" data-line="0">src\/a\.c<\/button>/);
  assert.match(htmlOfStep({ ...step, tool: "grep_search", subject: "<b>" }, "grep_search", 0), /Searched <code>&lt;b&gt;<\/code>/);
  const diff = "--- a/a.c\n+++ b/a.c\n@@ -3,2 +3,3 @@\n one\n-two\n+three\n";
  const files = [{ path: "a.c", change: "edited" as const, added: 1, removed: 1, diff }];
  const html = htmlOfStep({ ...step, tool: "edit", files }, "a.c +1 −1", 4);
  assert.match(html, /data-open="a\.c" data-line="4"/);
  assert.match(html, /<details data-key="4-0"><summary>Diff<\/summary>.*class="added">\+three/s);
});

test("a command has its exit code, the last lines of its output, and all of them folded", () => {
  const command = { exitCode: 2, output: "one\ntwo\nthree\nfour <x>\n" };
  const html = htmlOfStep({ ...step, tool: "run_command", ms: 2100, subject: "make -j2", command, why: "to see" }, "run_command", 1);
  assert.match(html, /class="step failed"><span class="sign" aria-label="Failed">✗<\/span> Ran <code>make -j2<\/code> <span class="dim">exit 2 · 2 s<\/span>/);
  assert.match(html, /<pre tabindex="0">two\nthree\nfour &lt;x&gt;<\/pre><details data-key="1-output"><summary>Last 4 lines/);
  assert.match(htmlOfStep({ ...step, tool: "bash", subject: "true", command: { exitCode: 0, output: "" } }, "bash", 1), /✓.*exit 0/);
});

test("why the model went round again stands between its steps", () => {
  const all = new Conversation();
  all.streamed({ askId: "a", kind: "tool", text: "clangd: 1 new error. Asking for a repair", note: true }, 1);
  const ask = all.ended({ askId: "a", end: "answer", message: "Done.", sessionId: "s" }, 2);
  assert.equal(ask.session, "s");
  assert.match(htmlOfAsk(ask, false), /<div class="note">.*clangd: 1 new error/);
});

test("code has colours and a copy button in the conversation, and nothing of it is markup", () => {
  assert.equal(coloured("if x == '<b>':  # so\n  return 1", "py"),
    '<span class="keyword">if</span> x == <span class="string">&#39;&lt;b&gt;&#39;</span>:  <span class="comment"># so</span>\n  <span class="keyword">return</span> <span class="number">1</span>');
  assert.equal(coloured("/* a\nb */ x // c", "cpp"), '<span class="comment">/* a\nb */</span> x <span class="comment">// c</span>');
  assert.equal(coloured("<if>", ""), "&lt;if&gt;");
  assert.match(htmlOf("```js\nlet a;\n```", false, true), /^<div class="code"><pre tabindex="0"><code><span class="keyword">let<\/span> a;<\/code><\/pre><button data-copy>Copy<\/button><\/div>$/);
  for (const evil of ["'".repeat(60_000), "/*".repeat(20_000), "`".repeat(49_999), "\"\\".repeat(20_000)]) {
    const begun = Date.now();
    coloured(evil, "js");
    assert.ok(Date.now() - begun < 5000, evil.slice(0, 4));
  }
});

test("what is out of date as a whole is asked for again first, and a refinement discards nothing", () => {
  const all = new Conversation();
  all.began("a", "Go", 0, { command: "x", argument: {} });
  const ask = all.ended({ askId: "a", end: "proposal", proposalId: "p" }, 1);
  Object.assign(ask, { isStale: true, isSpent: true });
  assert.deepEqual(actionsOf(ask, true), ["retry", "show", "discard"]);
  assert.match(htmlOfAsk(ask, true), /class="primary" data-action="retry"/);
  assert.ok(isReplaced({ message: "Replaced by a newer version." }));
  assert.equal(goesOn({ all: 3, left: 0, applied: 1, undone: 0, discarded: 2 }), "1 of 3 changes applied; the others go on in the newer version.");
});

test("a request before others that have changed files can be restored to, newest first", () => {
  const all = new Conversation();
  for (const id of ["a", "b", "c", "d"]) {
    all.began(id, id, 0, { command: "x", argument: {} });
    all.ended({ askId: id, end: "proposal", proposalId: `p-${id}`, sessionId: id === "b" ? "other" : "s" }, 1).isApplied = true;
  }
  const [a, , , d] = all.all;
  assert.deepEqual(all.appliedSince(a).map(({ id }) => id), ["d", "c", "a"]);
  assert.deepEqual([all.canRestore(a), all.canRestore(d)], [true, false]);
  assert.deepEqual(actionsOf(a, false, true), ["undo", "restore"]);
});
