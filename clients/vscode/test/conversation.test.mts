import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "../src/choices.ts";
import { Conversation, duration, lastWords, silence } from "../src/conversation.ts";
import { actionsOf, htmlOfAsk, htmlOfQuestions, spoken } from "../src/conversation_html.ts";
import type * as own from "../src/extensions.ts";
import { addedHtml, htmlOf } from "../src/html.ts";
import { LogLines } from "../src/log_lines.ts";


const text = (askId: string, words: string) => ({ askId, kind: "text", text: words }) as const;
const step = { tool: "edit", ms: 1500, failed: false, files: [{ path: "a.c", change: "edited", added: 2, removed: 1, diff: "" }] } as const;
const again = { command: "bodkin.ask", argument: { prompt: "Wider, please" } };

test("an ask collects its words, its steps with files and time, and its end", () => {
  const all = new Conversation();
  all.began("ask-1", "Wider…", 0);
  all.streamed(text("ask-1", "I will "), 1000);
  all.streamed(text("ask-1", "widen it."), 2000);
  all.streamed({ askId: "ask-1", kind: "tool", text: "Editing a.c" }, 3000);
  assert.equal(all.byId("ask-1")?.doing, "Editing a.c");
  all.streamed({ askId: "ask-1", kind: "tool", text: "edit a.c", step: { ...step, files: [...step.files] } }, 4000);
  all.began("ask-1", "Wider, please", 4500, again); // the answer to the command comes late
  all.ended({ askId: "ask-1", end: "answer", message: "Done." }, 65_000);
  const ask = all.byId("ask-1")!;
  assert.equal(ask.request, "Wider, please");
  assert.deepEqual(ask.parts.map(({ text: words }) => words), ["I will widen it.", "edit a.c"]);
  const html = htmlOfAsk(ask, false);
  for (const part of ["Wider, please", "I will widen it.", "a.c", "+2", "−1", "1 min 5 s", "Done.", "ask-1"]) assert.ok(html.includes(part), part);
  assert.match(spoken(ask), /Answered: .*Done\. 1 step\./);
});

test("tokens are those that the server has counted for the ask, whatever else runs", () => {
  const all = new Conversation();
  all.began("ask-1", "One", 0);
  all.began("ask-2", "Two", 0);
  all.ended({ askId: "ask-2", end: "answer", usage: { input: 500, output: 100 } }, 1);
  all.ended({ askId: "ask-1", end: "refused" }, 2);
  assert.equal(all.byId("ask-1")?.tokens, undefined);
  assert.match(htmlOfAsk(all.byId("ask-2")!, false), /500 tokens in, 100 out/);
});

test("a long silence is said while an ask runs", () => {
  const all = new Conversation();
  const ask = all.began("ask-1", "One", 0);
  assert.equal(silence(ask, 19_000), "");
  assert.equal(silence(ask, 65_000), "nothing heard for 1 min 5 s");
  all.streamed(text("ask-1", "x"), 60_000);
  assert.equal(silence(ask, 65_000), "");
  assert.deepEqual(actionsOf(ask, false), ["cancel"]);
  assert.equal(duration(999), "1 s");
});

test("whatever ended it, a request can be asked again; without a model there is what to do", () => {
  for (const end of ["failed", "limit", "refused", "cancelled"] as const) {
    const all = new Conversation();
    all.began("ask-1", "Wider, please", 0, again);
    assert.ok(actionsOf(all.ended({ askId: "ask-1", end, message: "No." }, 1), false).includes("retry"), end);
  }
  const all = new Conversation();
  // By what the server says of it, and not by its words.
  const offered: [own.Cause, string[]][] = [
    [{ reason: "authentication" }, ["setUp", "setKey", "retry", "copyPrompt"]],
    [{ reason: "not_found" }, ["setUp", "retry", "copyPrompt"]],
    [{ reason: "quota" }, ["setUp", "retry"]],
    [{ reason: "setting", setting: "bodkin.model.endpoint" }, ["setting", "retry"]],
    [{ reason: "context_length", setting: "bodkin.agent.contextWindow" }, ["setting", "retry"]],
    [{ reason: "limit", setting: "bodkin.agent.maxTurns" }, ["raise", "retry"]],
    [{ reason: "network" }, ["retry", "setUp", "copyPrompt"]],
    [{}, ["retry"]],
  ];
  for (const [cause, wanted] of offered) {
    all.began("ask-0", "Wider, please", 0, again);
    const ask = all.ended({ askId: "ask-0", end: cause.reason === "limit" ? "limit" : "failed", message: "401: no API key in model.py; see model.endpoint.", ...cause }, 1);
    assert.deepEqual(actionsOf(ask, false), wanted, JSON.stringify(cause));
  }
  all.began("ask-1", "Wider, please", 0, again);
  const [lost] = all.lost("bodkin ended before this was finished.", 1);
  assert.deepEqual(actionsOf(lost, false), ["retry"]);
  assert.equal(lastWords(lost), "bodkin ended before this was finished.");
  all.began("ask-2", "Wider, please", 2, again);
  const none = all.ended({ askId: "ask-2", end: "failed", reason: "no_model", message: "No model. Set model.provider." }, 3);
  assert.deepEqual(actionsOf(none, false), ["setUp", "setKey", "retry", "copyPrompt"]);
});

test("of a request that was never sent there is no time to tell", () => {
  const all = new Conversation();
  const html = htmlOfAsk(all.unsent("unsent-1", "Wider", 0, again, "bodkin was not running.", {}), false);
  assert.match(html, /<p class="dim"><span class="state lost">Not sent<\/span><\/p>/);
  all.began("ask-1", "Two", 0);
  all.ended({ askId: "ask-1", end: "answer" }, 2000);
  assert.match(htmlOfAsk(all.byId("ask-1")!, false), /title="ask-1"><span class="state answer">Answered<\/span> · <span>2 s<\/span><\/p>/);
});

test("what has ended outlives the window, without what is long", () => {
  const all = new Conversation();
  all.began("ask-1", "Why?", 0, again);
  all.streamed(text("ask-1", "y".repeat(50_000)), 1);
  all.streamed({ askId: "ask-1", kind: "tool", text: "edit a.c", step: { ...step, files: [{ ...step.files[0], diff: "+x".repeat(5000) }] } }, 2);
  all.ended({ askId: "ask-1", end: "answer", message: "So." }, 3);
  all.began("ask-2", "And?", 4, again);
  const left = JSON.stringify(all.left());
  assert.ok(left.length < 21_000, String(left.length));
  const next = new Conversation();
  next.restore(JSON.parse(left));
  assert.deepEqual(next.all.map(({ id, state }) => [id, state]), [["ask-1", "answer"]]);
  assert.ok(htmlOfAsk(next.all[0], false).includes("So."));
});

test("an applied proposal can be undone from its ask, and a pending one does not say that it has changed anything", () => {
  const all = new Conversation();
  all.began("ask-1", "Wider", 0, again);
  const ask = all.ended({ askId: "ask-1", end: "proposal", proposalId: "p", message: "Changed a.py." }, 1);
  ask.result = "1 change in 1 file, not checked.";
  assert.ok(!htmlOfAsk(ask, true).includes("Changed a.py"));
  assert.deepEqual(actionsOf(ask, true), ["apply", "show", "discard"]);
  ask.isApplied = true;
  assert.deepEqual(actionsOf(ask, false), ["undo"]);
  Object.assign(ask, { isApplied: false, canRedo: true, result: "Undone." });
  assert.deepEqual(actionsOf(ask, false), ["redo"]);
  assert.doesNotMatch(htmlOfAsk(ask, false), /class="primary"/); // nobody is urged to take back what they chose
});

test("edits that were left out since the user typed there are not called an answer, and can be asked for again", () => {
  const all = new Conversation();
  all.began("ask-1", "Wider", 0, again);
  const ask = all.ended({ askId: "ask-1", end: "answer", overtaken: true, message: "Done. 1 edit of a.py was left out: you have changed the text there." }, 1);
  const html = htmlOfAsk(ask, false);
  assert.ok(html.includes("Left out") && !html.includes("Answered"), html);
  assert.deepEqual(actionsOf(ask, false), ["retry"]);
  assert.match(spoken(ask), /^Left out: /);
});

test("lists keep their numbers across code, and lists in lists, tables, quotes and rules are that", () => {
  assert.equal(htmlOf("See [a.py](a.py), [`b.py`](b.py) and [it](https://x.org/#a): `[a](b)`, a[0](1)."),
    "<p>See a.py, <code>b.py</code> and it (https://x.org/#a): <code>[a](b)</code>, a[0](1).</p>");
  assert.equal(htmlOf("1. One\n\n```py\na = 1\n```\n\n2. Two"), '<ol>\n<li>One</li>\n</ol>\n<pre tabindex="0"><code>a = 1</code></pre>\n<ol start="2">\n<li>Two</li>\n</ol>');
  assert.equal(htmlOf("1. One\n\n2. Two"), "<ol>\n<li>One</li>\n<li>Two</li>\n</ol>");
  assert.equal(htmlOf("1. One\n   ```py\n   a = 1\n     b\n   ```\n2. Two"), '<ol>\n<li>One\n<pre tabindex="0"><code>a = 1\n  b</code></pre></li>\n<li>Two</li>\n</ol>');
  assert.equal(htmlOf("- a\n  - b\n- c"), "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>");
  assert.equal(htmlOf("| a | b |\n|---|:-:|\n| 1 | `<` |"), "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><code>&lt;</code></td></tr></table>");
  assert.equal(htmlOf("> it is\n> so\n\n---\nsnake_case_name and _this_."), "<blockquote><p>it is<br>so</p></blockquote>\n<hr>\n<p>snake_case_name and <em>this</em>.</p>");
  for (const much of [`- a\n${"\n".repeat(200_000)}  b`, "- x\n".repeat(50_000), `- x\n${"  y\n".repeat(150_000)}`, "1. a\n\n".repeat(30_000), `${"> ".repeat(5000)}x`]) {
    const begun = Date.now();
    htmlOf(much);
    assert.ok(Date.now() - begun < 5000, much.slice(0, 8)); // and it ends
  }
  assert.ok(htmlOf(Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}- x`).join("\n")).length < 100_000);
});

test("an edit without a fence is code with the colours of a diff, and its marks are no Markdown", () => {
  const code = '<pre tabindex="0"><code><span class="removed">-  a &lt; 1</span>\n<span class="added">+# b</span>\n<span class="added">+=====</span></code></pre>';
  const block = "a.py\n<<<<<<< SEARCH\n  a < 1\n=======\n# b\n=====\n>>>>>>> REPLACE";
  assert.equal(htmlOf(`${block}\nSo.`), `<p>a.py</p>\n${code}\n<p>So.</p>`);
  assert.equal(htmlOf(block.slice(0, block.indexOf("\n>>>"))), `<p>a.py</p>\n${code}`); // the end is on its way
  const patch = htmlOf("*** Begin Patch\n*** Update File: a.py\n@@\n-a = 1\n+a = 2\n*** End Patch\nSo.");
  assert.match(patch, /^<pre [^>]*><code>\*\*\* Update File: a\.py\n@@\n<span class="removed">-a = 1<\/span>\n<span class="added">\+a = 2<\/span><\/code><\/pre>\n<p>So\.<\/p>$/);
  assert.match(htmlOf("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n\nSo."), /^<pre [^>]*><code>.*\+b<\/span><\/code><\/pre>\n<p>So\.<\/p>$/s);
  assert.equal(htmlOf("a <<<<<<< b\n\n---\n\n> quoted"), "<p>a &lt;&lt;&lt;&lt;&lt;&lt;&lt; b</p>\n<hr>\n<blockquote><p>quoted</p></blockquote>");
});

test("a model's words are rendered, and can do nothing", () => {
  assert.equal(htmlOf("# Two *things*"), "<h4>Two <em>things</em></h4>");
  assert.equal(htmlOf("- `a<b>` is **wide**\n- two"), "<ul>\n<li><code>a&lt;b&gt;</code> is <strong>wide</strong></li>\n<li>two</li>\n</ul>");
  assert.equal(htmlOf("```c\nint x;\n<b>"), '<pre tabindex="0"><code>int x;\n&lt;b&gt;</code></pre>');
  for (const evil of ['<img src=x onerror="a()">', "[x](command:quit)", "![x](http://h/)", "<script>a()</script>", "`</code><script>`", "**<b onclick=a()>**", "```\n</code></pre><script>", "# <svg/onload=a()>"]) {
    assert.doesNotMatch(htmlOf(evil), /<(?!\/?(p|h4|ul|ol|li|code|pre|strong|em|br|table|tr|th|td|blockquote|hr)\b[^<>]*>)/, evil);
    assert.doesNotMatch(htmlOf(evil), /<\w+ (?!tabindex="0">)/, evil);
  }
});

test("the log has lines, not one for each piece that came", () => {
  const lines: string[] = [];
  const log = new LogLines((line) => lines.push(line));
  for (const piece of ["I will ", "widen it.\nThen", " test."]) log.streamed(text("ask-1", piece));
  log.streamed({ askId: "ask-1", kind: "tool", text: "Editing a.c" });
  log.streamed(text("ask-2", "Fine"));
  log.end("ask-2");
  assert.deepEqual(lines, ["ask-1 | I will widen it.", "ask-1 | Then test.", "ask-1: Editing a.c", "ask-2 | Fine"]);
});

test("what an answer says is spoken, with its request, also where it is the last that was streamed", () => {
  const conversation = new Conversation();
  conversation.began("a", "What is a?\nTell me.", 0, { command: "x", argument: {} });
  conversation.streamed({ askId: "a", kind: "text", text: "A number." }, 1);
  const ask = conversation.ended({ askId: "a", end: "answer", message: "A number." }, 2);
  assert.equal(spoken(ask), "Answered: What is a? A number.");
  assert.ok(htmlOfAsk(ask, false).includes('aria-description="What is a?"'));
});

test("after a decision no button is the primary one", () => {
  const conversation = new Conversation();
  conversation.began("a", "Wider", 0, { command: "x", argument: {} });
  const ask = conversation.ended({ askId: "a", end: "proposal", message: "", proposalId: "p" }, 1);
  const primary = (isOpen: boolean) => /class="primary" data-action="(\w+)"/.exec(htmlOfAsk(ask, isOpen))?.[1];
  assert.equal(primary(true), "apply");
  ask.canRedo = true;
  assert.deepEqual([actionsOf(ask, false), primary(false)], [["redo"], undefined]);
  Object.assign(ask, { isApplied: true, canReview: true, canRedo: false });
  assert.deepEqual([actionsOf(ask, false), primary(false)], [["review", "undo"], undefined]);
});

test("while the user is asked nothing is missed, and what was answered stands there", () => {
  const conversation = new Conversation();
  const ask = conversation.began("a", "Go", 0);
  assert.ok(conversation.waits(true, 0));
  assert.ok(!conversation.waits(true, 1));
  assert.equal(silence(ask, 65_000), "");
  assert.ok(!htmlOfAsk(ask, false).includes("hang"));
  assert.ok(htmlOfAsk(ask, false).includes("Waiting for your answer."));
  const question = { tool: "edit", title: "Editing <b>.py", options: ["once", "session", "reject"] };
  const html = htmlOfQuestions([{ id: 3, question }]);
  for (const part of ['data-choice="session" data-question="3"', "Allow for This Session", "Deny, and Say Why…", "Editing &lt;b&gt;.py"]) assert.ok(html.includes(part), part);
  conversation.noted(inWords(question, "reject", "no"), true);
  conversation.waits(false, 60_000);
  assert.equal(silence(ask, 65_000), "");
  assert.ok(htmlOfAsk(ask, false).includes("✗</span> You denied: Editing &lt;b&gt;.py (no)"));
});

test("a proposal of which a part is out of date, or was refused, says so and can be asked for again", () => {
  const conversation = new Conversation();
  conversation.began("a", "Go", 0, { command: "x", argument: {} });
  const ask = conversation.ended({ askId: "a", end: "proposal", proposalId: "p" }, 1);
  assert.ok(!actionsOf(ask, true).includes("retry"));
  Object.assign(ask, { isStale: true, refusal: "a.py is read-only here", notes: ["✗ a.py:3: clangd: Use of undeclared identifier <x>"] });
  assert.ok(htmlOfAsk(ask, true).includes("Use of undeclared identifier &lt;x&gt;"));
  assert.ok(actionsOf(ask, true).includes("retry"));
  assert.ok(htmlOfAsk(ask, true).includes("a.py is read-only here"));
});

test("what was asked again offers nothing more than to be copied", () => {
  const conversation = new Conversation();
  conversation.began("a", "Go", 0, { command: "x", argument: {} });
  const ask = conversation.ended({ askId: "a", end: "failed", message: "No such model.", reason: "not_found" }, 1);
  assert.deepEqual(actionsOf(ask, false), ["setUp", "retry", "copyPrompt"]);
  ask.isRetried = true;
  assert.deepEqual(actionsOf(ask, false), []);
});

test("new lines are one block of code that is escaped, and an old session keeps its headings and the colours of its diffs", () => {
  const html = addedHtml("\ta <b>\n</code></pre><img src=x>");
  assert.equal(html.match(/<(?!\/?(?:p|code|span|br|wbr)\b)/), null);
  assert.ok(html.startsWith("<p><code><span") && />\+ <\/span><span [^>]*> {4}<\/span><wbr><span [^>]*>a <\/span><wbr><span [^>]*>&lt;b&gt;<\/span>/.test(html));
  const lines = html.replaceAll("<br>", "\n").replace(/<[^>]*>/g, "").replace(/&[a-z]+;|&#39;/g, "x").split("\n");
  assert.equal(lines[0].length, lines[1].length); // one block
  assert.equal(htmlOf("# A\n## B\nc", true), "<h1>A</h1>\n<h2>B</h2>\n<p>c</p>");
  assert.equal(htmlOf("```diff\n-a\n+<b>\n c\n```"), '<pre tabindex="0"><code><span class="removed">-a</span>\n<span class="added">+&lt;b&gt;</span>\n c</code></pre>');
});
