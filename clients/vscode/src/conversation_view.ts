// The view "Conversation": the asks of one session with the model's words as they come, its steps, and what can be
// done; below them the field for the next one (composer.ts).
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { Ask, Conversation } from "./conversation.ts";
import { actions, type Action, htmlOfAsk, htmlOfQuestions, spoken } from "./conversation_html.ts";
import { page } from "./conversation_page.ts";
import { openNamed } from "./named_files.ts";
import type { Questions } from "./questions.ts";
import { widthTold } from "./room.ts";

const kRest = 80; // milliseconds between two drawings: words come faster than anyone reads

// What the page says that is not about an ask: of its field and its switcher.
export interface Said {
  send?: string;
  effort?: string;
  withPlace?: boolean;
  complete?: string;
  number?: number;
  pasted?: { name: string; data: string }; // data: Base64
  dropped?: string[];
  detach?: number;
  does?: "switch" | "new" | "attach" | "model" | "here" | "check" | "copyPrompt" | "applyAnswer";
}

interface FromPage extends Said {
  ready?: true;
  action?: string;
  ask?: string;
  choice?: string;
  question?: string;
  open?: string;
  line?: number;
  copy?: string;
  width?: { window: number; page: number };
}

// Which session is shown. Asks of none, which could not be sent or have just begun, are in every one.
export interface Feed {
  session?: string;
  title: string;
  earlier: string; // HTML: what was said in it before this window was opened
}

export class ConversationView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private readonly due = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private spokenLast = "";
  private feed: Feed = { title: "New session", earlier: "" };
  private composer: object = {};
  private readonly turned = new vscode.EventEmitter<boolean>();
  readonly onDidTurn = this.turned.event; // whether it is visible now
  private readonly saying = new vscode.EventEmitter<Said>();
  readonly onDidSay = this.saying.event;
  private isReady = false;
  private wantsFocus = false; // of the field, once the page is there

  constructor(
    private readonly media: string,
    private readonly conversation: Conversation,
    private readonly isOpen: (ask: Ask) => boolean,
    private readonly act: (action: Action, ask: Ask) => unknown,
    private readonly questions: Questions,
  ) {
    questions.onDidTurn(() => this.ask());
  }

  private post(message: object): void {
    void this.view?.webview.postMessage(message);
  }

  // The questions that wait, below all asks.
  private ask(): void {
    const { waiting } = this.questions;
    const spoken = waiting.length > 0 ? `Question: May the model do this? ${waiting[0].question.title}` : undefined;
    this.post({ questions: htmlOfQuestions(waiting), spoken });
  }

  // Makes it visible without taking the focus from where the user is typing.
  reveal(): void {
    void vscode.commands.executeCommand("bodkin.conversation.focus", { preserveFocus: true });
  }

  // The field has the focus.
  async focus(): Promise<void> {
    this.wantsFocus = !this.isReady;
    await vscode.commands.executeCommand("bodkin.conversation.focus");
    this.post({ focus: true });
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }
  get earlier(): string {
    return this.feed.earlier;
  }
  get session(): string | undefined {
    return this.feed.session;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.description = "opening…"; // which can take VS Code seconds the first time
    view.webview.options = { enableScripts: true, localResourceRoots: [] };
    view.webview.onDidReceiveMessage((message: FromPage) => this.heard(view, message));
    view.onDidChangeVisibility(() => this.turned.fire(view.visible));
    view.onDidDispose(() => {
      this.view = undefined;
      this.isReady = false;
    });
    view.webview.html = page(randomBytes(16).toString("hex"), this.media);
  }

  private heard(view: vscode.WebviewView, message: FromPage): void {
    if (message.ready) {
      view.description = undefined;
      this.isReady = true;
      this.drawAll();
      if (this.wantsFocus) this.post({ focus: true });
      this.wantsFocus = false;
      return;
    }
    if (message.width) return void widthTold(message.width);
    if (message.choice) return void this.questions.chosen(Number(message.question), message.choice);
    if (message.open) return void openNamed(message.open, message.line);
    if (message.copy !== undefined) return void vscode.env.clipboard.writeText(message.copy);
    const ask = this.conversation.byId(String(message.ask));
    if (ask && message.action && message.action in actions) return void this.act(message.action as Action, ask);
    this.saying.fire(message);
  }

  // Another session is shown, or another title of it.
  show(feed: Feed): void {
    const clear = feed.session !== this.feed.session;
    this.feed = feed;
    this.post({ session: feed.title, earlier: feed.earlier, clear });
    if (clear) this.drawFeed();
  }

  // What the field is to know.
  compose(state: object): void {
    this.composer = state;
    this.post({ composer: state });
  }
  completed(completions: object): void {
    this.post({ completions });
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
    this.post({ spoken: words });
  }

  // The focus to the newest ask: the next Tab is at its buttons.
  toNewest(): void {
    this.post({ newest: true });
  }

  private drawAll(): void {
    this.post({ composer: this.composer });
    this.post({ session: this.feed.title, earlier: this.feed.earlier, clear: true });
    this.drawFeed();
    this.ask();
  }

  private drawFeed(): void {
    for (const { id } of this.conversation.all) this.due.add(id);
    this.draw();
  }

  private isShown({ session }: Ask): boolean {
    return session === undefined || session === this.feed.session;
  }

  private draw(): void {
    if (!this.view) return;
    for (const id of this.due) {
      const ask = this.conversation.byId(id);
      if (!ask || !this.isShown(ask)) continue;
      const said = spoken(ask);
      const spokenNow = said === this.spokenLast ? undefined : said;
      this.spokenLast = said;
      this.post({
        id,
        html: htmlOfAsk(ask, this.isOpen(ask), this.conversation.canRestore(ask)),
        spoken: spokenNow,
      });
    }
    this.due.clear();
  }
}
