// The view "Conversation": every ask with the model's words as they come, its steps, and what can be done.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Ask, Conversation } from "./conversation.ts";
import { actions, type Action, htmlOfAsk, htmlOfQuestions, spoken } from "./conversation_html.ts";
import { kStyle } from "./html.ts";
import type { Questions } from "./questions.ts";

const kRest = 80; // milliseconds between two drawings: words come faster than anyone reads

export class ConversationView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private readonly due = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private spokenLast = "";
  private readonly turned = new vscode.EventEmitter<boolean>();
  readonly onDidTurn = this.turned.event; // whether it is visible now

  constructor(
    private readonly conversation: Conversation,
    private readonly isOpen: (ask: Ask) => boolean,
    private readonly act: (action: Action, ask: Ask) => unknown,
    private readonly questions: Questions,
  ) {
    questions.onDidTurn(() => this.ask());
  }

  // The questions that wait, below all asks.
  private ask(): void {
    const { waiting } = this.questions;
    const spoken = waiting.length > 0 ? `Question: May the model do this? ${waiting[0].question.title}` : undefined;
    void this.view?.webview.postMessage({ questions: htmlOfQuestions(waiting), spoken });
  }

  // Makes it visible without taking the focus from where the user is typing.
  reveal(): void {
    void vscode.commands.executeCommand("bodkin.conversation.focus", { preserveFocus: true });
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.description = "opening…"; // which can take VS Code seconds the first time
    view.webview.options = { enableScripts: true, localResourceRoots: [] };
    view.webview.onDidReceiveMessage((message: { ready?: true; action?: string; ask?: string; choice?: string; question?: string }) => {
      if (message.ready) {
        view.description = undefined;
        return this.drawAll();
      }
      if (message.choice) return void this.questions.chosen(Number(message.question), message.choice);
      const ask = this.conversation.byId(String(message.ask));
      if (ask && message.action && message.action in actions) void this.act(message.action as Action, ask);
    });
    view.onDidChangeVisibility(() => this.turned.fire(view.visible));
    view.onDidDispose(() => (this.view = undefined));
    view.webview.html = page(randomBytes(16).toString("hex"));
  }

  // An ask has changed.
  changed(ask: Ask): void {
    this.due.add(ask.id);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.draw();
    }, kRest);
  }

  // For a screen reader, where the view is shown.
  say(words: string): void {
    void this.view?.webview.postMessage({ spoken: words });
  }

  // The focus to the newest ask: the next Tab is at its buttons.
  toNewest(): void {
    void this.view?.webview.postMessage({ newest: true });
  }

  private drawAll(): void {
    for (const { id } of this.conversation.all) this.due.add(id);
    this.draw();
    this.ask();
  }

  private draw(): void {
    if (!this.view) return;
    for (const id of this.due) {
      const ask = this.conversation.byId(id);
      if (!ask) continue;
      const said = spoken(ask);
      const spokenNow = said === this.spokenLast ? undefined : said;
      this.spokenLast = said;
      void this.view.webview.postMessage({ id, html: htmlOfAsk(ask, this.isOpen(ask)), spoken: spokenNow });
    }
    this.due.clear();
  }
}

// All colours are the theme's. The policy lets nothing be fetched: what a model wrote can only be read.
function page(nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Conversation</title>
<style nonce="${nonce}">
${kStyle}.notes { color: var(--vscode-editorWarning-foreground, var(--vscode-foreground)); }
article { padding: 10px 0; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
h3 { margin: 0; font-size: 1.05em; white-space: pre-wrap; }
header p { font-size: 0.9em; }
.step { padding: 1px 0; }
.step ul { list-style: none; padding-left: 16px; }
.step.failed, .end.failed, .end.lost, .hang { color: var(--vscode-errorForeground); }
.doing::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 6px; border-radius: 50%; background: var(--vscode-progressBar-background); }
.question { margin: 10px 0; padding: 8px 10px; border: 1px solid var(--vscode-focusBorder); }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
button { padding: 3px 10px; border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); border-radius: 2px; cursor: pointer;
  font: inherit; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
button:first-child:not([data-action="copy"]) { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
button:first-child:not([data-action="copy"]):hover { background: var(--vscode-button-hoverBackground); }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
#spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style></head>
<body><div id="none" class="dim"><p>Nothing was asked yet. Put the cursor into some code and press Ctrl+Alt+J (⌘⌥J on a Mac).</p></div>
<main id="asks"></main><div id="questions"></div><div id="spoken" role="status" aria-live="polite"></div>
<script nonce="${nonce}">
const host = acquireVsCodeApi(), asks = document.getElementById("asks");
const time = (ms) => { const s = Math.max(0, Math.round(ms / 1000)); return s < 60 ? s + " s" : Math.floor(s / 60) + " min " + s % 60 + " s"; };
const tick = () => {
  for (const span of asks.querySelectorAll(".time")) {
    span.textContent = time(Date.now() - span.dataset.begun);
    const quiet = Date.now() - span.dataset.heard, hang = span.closest("article").querySelector(".hang");
    if (hang) hang.hidden = quiet < 20000;
    if (hang && !hang.hidden) hang.textContent = "Nothing heard for " + time(quiet) + ". You can wait, or cancel.";
  }
};
const renew = (old, made) => {
  const olds = [...old.childNodes], news = [...made.childNodes];
  news.forEach((each, index) => {
    const before = olds[index];
    if (!before) return old.append(each);
    if (before.isEqualNode(each)) return;
    const isSame = before.nodeType === 1 && each.nodeType === 1 && before.cloneNode().isEqualNode(each.cloneNode());
    if (isSame) renew(before, each);
    else if (before.nodeType === 3 && each.nodeType === 3 && each.data.startsWith(before.data)) before.appendData(each.data.slice(before.data.length));
    else before.replaceWith(each);
  });
  olds.slice(news.length).forEach((each) => each.remove());
};
// What is said at once is all read: each is a line of its own.
const speak = (words) => {
  const box = document.getElementById("spoken");
  if (!words) return;
  box.append(Object.assign(document.createElement("p"), { textContent: words }));
  while (box.childElementCount > 5) box.firstElementChild.remove();
};
// Also when the view gets smaller: another one comes up below it with a proposal.
let staysAtEnd = true;
const toEnd = () => scrollTo(0, document.documentElement.scrollHeight);
addEventListener("scroll", () => { staysAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 40; });
addEventListener("resize", () => { if (staysAtEnd) toEnd(); });
addEventListener("message", ({ data }) => {
  if (data.questions !== undefined) {
    document.getElementById("questions").innerHTML = data.questions;
    speak(data.spoken);
    if (data.questions) toEnd();
    return;
  }
  if (data.newest) return void (asks.lastElementChild ?? document.body).focus();
  if (data.id === undefined) return speak(data.spoken);
  let block = document.getElementById("ask-" + data.id);
  const isNew = !block;
  if (isNew) {
    block = document.createElement("article");
    block.id = "ask-" + data.id;
    block.dataset.ask = data.id;
    block.tabIndex = -1;
    asks.append(block);
    document.getElementById("none").hidden = true;
  }
  const focused = block.contains(document.activeElement) ? document.activeElement.dataset.action : undefined;
  const open = [...block.querySelectorAll("details")].map((each) => each.open);
  // What is selected stays so: of a text that grows, what has been drawn is not drawn again.
  const drawn = document.createElement("div");
  drawn.innerHTML = data.html;
  renew(block, drawn);
  block.querySelectorAll("details").forEach((each, index) => { each.open = open[index] ?? false; });
  if (focused) block.querySelector('[data-action="' + focused + '"]')?.focus();
  speak(data.spoken);
  tick();
  if (isNew || staysAtEnd) toEnd();
});
asks.addEventListener("click", ({ target }) => {
  if (target.dataset.action) host.postMessage({ action: target.dataset.action, ask: target.closest("article").dataset.ask });
});
document.getElementById("questions").addEventListener("click", ({ target }) => {
  if (target.dataset.choice) host.postMessage({ choice: target.dataset.choice, question: target.dataset.question });
});
setInterval(tick, 1000);
host.postMessage({ ready: true });
</script></body></html>`;
}
