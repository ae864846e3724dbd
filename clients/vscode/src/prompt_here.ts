// The place at the code in which a request is typed: a comment below the selection that is being written, the only editor that an
// extension can put between two lines. <Enter> sends it, <Shift+Enter> begins another line, <Up> brings earlier requests back, <Escape>
// closes it. Until it has the focus a field at the top takes the keys, which would change the document otherwise; until that is there, a list
// that the key opens by itself, in which each letter is a key of its own (early_keys.ts). Where it cannot be shown, the field of prompt.ts
// takes its place.
import * as vscode from "vscode";
import { quiet } from "./added_lines.ts";
import { afterKey } from "./completion.ts";
import * as early from "./early_keys.ts";
import type * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import type { Prompt } from "./prompt.ts";
import { isReadOnly } from "./read_only.ts";
import { tracked } from "./tracked.ts";

const kPatience = 1500; // milliseconds until the editor must be there
const kSettled = 200; // milliseconds until its text is the one that it begins with
const kTries = 50;
const kTall = 13; // lines of code that it is as high as
const kHolding = "Opening the field at the code…";

interface Open {
  thread: vscode.CommentThread;
  prompt: Prompt;
  range: own.Range;
  inputs: Set<vscode.TextDocument>; // of which the editor makes more than one
  input?: vscode.TextDocument; // what is typed into: the last of them that has changed
  begun: string; // what is in it to begin with
  held: string; // what was typed before it had the focus
  at: number; // which earlier request is in it; -1: none
  end(text: string | undefined): void;
}

const context = (name: string, value: boolean) => void vscode.commands.executeCommand("setContext", `bodkin.${name}`, value);
const kinds: Record<string, vscode.CompletionItemKind> = {
  command: vscode.CompletionItemKind.Event,
  file: vscode.CompletionItemKind.File,
  folder: vscode.CompletionItemKind.Folder,
  symbol: vscode.CompletionItemKind.Function,
  keyword: vscode.CompletionItemKind.Keyword,
};

export class PromptHere implements vscode.CompletionItemProvider, vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController("bodkin-ask", "bodkin");
  private open: Open | undefined;
  private opened: (() => void) | undefined;
  private lost = ""; // what was typed when the editor went away
  private readonly all: vscode.Disposable;

  constructor() {
    this.all = vscode.Disposable.from(
      this.controller,
      vscode.languages.registerCompletionItemProvider({ scheme: "comment" }, this, "@", "/"),
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (!this.open || document.uri.scheme !== "comment") return;
        this.open.inputs.add(document);
        this.opened?.();
        // Its text is set once more after it was opened.
        const now = this.open;
        setTimeout(() => void this.hand(now, [document]), kSettled);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (!this.open) return;
        if (this.open.inputs.has(document)) {
          this.open.input = document;
          return this.turned(this.open);
        }
        if (document.uri.toString() !== this.open.thread.uri.toString()) return;
        for (const change of contentChanges) this.open.range = tracked(this.open.range, change) ?? this.open.range;
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        const typed = this.open ? this.typed(this.open) : "";
        if (!this.open?.inputs.delete(document) || this.open.inputs.size > 0) return;
        this.lost = typed;
        this.leave(); // the focus is elsewhere by now
      }),
    );
  }

  dispose(): void {
    this.close();
    this.all.dispose();
  }

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  // The request and the lines that it is about, or nothing if it was closed; `elsewhere`: it cannot be shown here, and this was begun.
  async ask(prompt: Prompt, editor: vscode.TextEditor): Promise<{ text: string; range: own.Range } | { elsewhere: string } | undefined> {
    const begun = this.open ? this.typed(this.open) : this.lost; // it is gone on with
    this.lost = "";
    if (this.open) this.end(undefined);
    const { selection } = editor;
    const field = vscode.window.createInputBox();
    const done = new Promise<string | undefined>((resolve) => {
      const thread = this.controller.createCommentThread(editor.document.uri, new vscode.Range(selection.start, endOf(selection)), []);
      this.open = { thread, prompt, range: selection, inputs: new Set(), begun, held: "", at: -1, end: resolve };
    });
    const now = this.open as unknown as Open;
    const { thread } = now;
    field.title = plain(`bodkin: ${prompt.title}`);
    void isReadOnly(editor.document.uri).then((is) => {
      if (is && this.open === now) thread.label = plain("bodkin: this file is read-only here. Ask about it; no change can be applied to it.");
    });
    field.placeholder = kHolding;
    field.onDidAccept(() => {
      const text = early.taken() + field.value;
      if (this.open === now && text.trim()) this.close(text);
    });
    const isLeft = new Promise<void>((resolve) => field.onDidHide(resolve));
    field.show();
    early.end();
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    // Its buttons are below it.
    editor.revealRange(new vscode.Range(endOf(selection), new vscode.Position(endOf(selection).line + kTall, 0)));
    for (const name of ["isAskingHere", "canRecallHere"]) context(name, true); // before the first key
    thread.canReply = false;
    thread.label = plain(prompt.title);
    thread.contextValue = "bodkinAsk";
    thread.comments = [{ author: { name: "Enter sends, Shift+Enter begins a line, Up: earlier requests" }, body: begun ? quiet(new vscode.MarkdownString(begun)) : "", mode: vscode.CommentMode.Editing, contextValue: "bodkinAsk" }];
    const isShown = new Promise<boolean>((resolve) => {
      this.opened = () => resolve(true);
      setTimeout(() => resolve(false), kPatience);
    });
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    if (!(await isShown) && this.open === now) {
      this.end(undefined);
      field.dispose();
      return { elsewhere: begun + early.taken() + field.value };
    }
    // The place takes the focus from the field; what was typed by then is put before what is typed from now on.
    void isLeft.then(() => {
      now.held = early.taken() + field.value;
      field.dispose();
      return this.hand(now, now.inputs);
    });
    const text = await done;
    field.dispose();
    return text?.trim() ? { text: text.trim(), range: now.range } : undefined;
  }

  // The button and <Enter>.
  send(comment: vscode.Comment | undefined): void {
    const now = this.open;
    const body = comment?.body;
    const text = typeof body === "string" ? body : (body?.value ?? now?.input?.getText() ?? "");
    this.close(now?.input ? text : (now?.begun ?? "") + (now?.held ?? "") || text);
  }

  // Without a text it is not sent, and what was typed can be brought back.
  close(text?: string): void {
    if (!this.open) return;
    this.leave(text);
    void vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  }

  // The focus stays where it is.
  private leave(text?: string): void {
    const now = this.open;
    if (!now) return;
    const typed = this.typed(now).trim();
    if (text === undefined && typed) now.prompt.keep(typed);
    this.end(text);
  }

  // What was typed before, at the end of what each began with.
  private async hand(now: Open, documents: Iterable<vscode.TextDocument>): Promise<void> {
    if (this.open !== now || !now.held) return;
    // The first is the field for an answer, which is not shown.
    const isWithout = (document: vscode.TextDocument) => !document.isClosed && document.uri.authority === "" && !document.getText().includes(now.held);
    await edited(() => [...documents].filter(isWithout), (document, edit) => edit.insert(document.uri, document.positionAt(now.begun.length), now.held));
  }

  private end(text: string | undefined): void {
    const now = this.open;
    if (!now) return;
    this.open = undefined;
    this.opened = undefined;
    for (const name of ["isAskingHere", "canRecallHere", "hasRecalledHere"]) context(name, false);
    now.thread.dispose();
    now.end(text);
  }

  // To an older request (1) or a newer one (-1).
  async recall(by: 1 | -1): Promise<void> {
    const now = this.open;
    if (!now) return;
    const next = afterKey(by, "", now.at, now.prompt.earlier);
    now.at = next.at;
    const text = next.at >= 0 ? now.prompt.earlier[next.at] : "";
    await edited(() => [...now.inputs].filter(({ uri }) => uri.authority === ""), (document, edit) => edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text));
  }

  private typed({ input, begun, held }: Open): string {
    return input?.getText() ?? begun + held;
  }

  private turned(now: Open): void {
    const text = now.input?.getText() ?? "";
    if (now.at >= 0 && text && text !== now.prompt.earlier[now.at]) now.at = -1;
    context("hasRecalledHere", now.at >= 0);
    context("canRecallHere", text === "" || now.at >= 0);
  }

  async provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionList | undefined> {
    if (!this.open?.inputs.has(document)) return undefined;
    const text = document.getText();
    const at = document.offsetAt(position);
    const found = await this.open.prompt.complete(text.slice(0, at)).catch(() => undefined);
    if (!found) return undefined;
    const range = new vscode.Range(document.positionAt(found.start), position);
    const items = found.items.map(({ label, insertText, kind, detail }) => {
      const item = new vscode.CompletionItem(plain(label), kinds[kind]);
      return Object.assign(item, { insertText, range, detail: plain(detail ?? ""), filterText: insertText.trimEnd() }); // a blank ends the list
    });
    return new vscode.CompletionList(items, true);
  }
}

// Changes the text that is typed, wherever the focus is: no command of an editor can tell into which one it goes. An edit fails if a key
// was pressed meanwhile.
async function edited(documents: () => vscode.TextDocument[], change: (document: vscode.TextDocument, edit: vscode.WorkspaceEdit) => void): Promise<void> {
  for (let tries = 0; tries < kTries; tries++) {
    const edit = new vscode.WorkspaceEdit();
    for (const document of documents()) change(document, edit);
    if (edit.size === 0 || (await vscode.workspace.applyEdit(edit))) return;
  }
}

// Of a selection of whole lines, the last of them, and not the beginning of the next.
function endOf({ start, end }: vscode.Range): vscode.Position {
  return end.character === 0 && end.line > start.line ? new vscode.Position(end.line - 1, 0) : end;
}
