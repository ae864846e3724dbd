// The place at the code in which a request is typed: a comment below the selection that is being written, the only editor that an
// extension can put between two lines. <Enter> sends it, <Shift+Enter> begins another line, <Up> brings earlier requests back, <Escape>
// closes it. Where it cannot be shown, the field of prompt.ts takes its place.
import * as vscode from "vscode";
import { afterKey } from "./completion.ts";
import type * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import type { Prompt } from "./prompt.ts";
import { tracked } from "./tracked.ts";

const kPatience = 1500; // milliseconds until the editor must be there

interface Open {
  thread: vscode.CommentThread;
  prompt: Prompt;
  range: own.Range;
  inputs: Set<vscode.TextDocument>; // of which the editor makes more than one
  input?: vscode.TextDocument; // what is typed into: the last of them that has changed
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
  private readonly all: vscode.Disposable;

  constructor() {
    this.all = vscode.Disposable.from(
      this.controller,
      vscode.languages.registerCompletionItemProvider({ scheme: "comment" }, this, "@", "/"),
      vscode.workspace.onDidOpenTextDocument((document) => {
        if (!this.open || document.uri.scheme !== "comment") return;
        this.open.inputs.add(document);
        this.opened?.();
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
        if (this.open?.inputs.delete(document) && this.open.inputs.size === 0) this.close();
      }),
    );
  }

  dispose(): void {
    this.close();
    this.all.dispose();
  }

  // The request and the lines that it is about, or nothing if it was closed; "elsewhere": it cannot be shown here.
  async ask(prompt: Prompt, editor: vscode.TextEditor): Promise<{ text: string; range: own.Range } | "elsewhere" | undefined> {
    const typed = this.open?.input?.getText() ?? ""; // what was begun is gone on with
    this.close();
    const { selection } = editor;
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    for (const name of ["isAskingHere", "canRecallHere"]) context(name, true); // before the first key
    const thread = this.controller.createCommentThread(editor.document.uri, new vscode.Range(selection.start, endOf(selection)), []);
    thread.canReply = false;
    thread.label = plain(`bodkin: ${prompt.title}`);
    thread.contextValue = "bodkinAsk";
    thread.comments = [{ author: { name: "Enter sends, Shift+Enter: another line, Up: earlier requests, Escape closes" }, body: "", mode: vscode.CommentMode.Editing, contextValue: "bodkinAsk" }];
    const done = new Promise<string | undefined>((resolve) => {
      this.open = { thread, prompt, range: selection, inputs: new Set(), at: -1, end: resolve };
    });
    const isShown = new Promise<boolean>((resolve) => {
      this.opened = () => resolve(true);
      setTimeout(() => resolve(false), kPatience);
    });
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    if (!(await isShown)) {
      this.close();
      return "elsewhere";
    }
    if (typed) await this.put(typed);
    const now = this.open as Open | undefined;
    const text = await done;
    return text?.trim() ? { text: text.trim(), range: now?.range ?? selection } : undefined;
  }

  // The button and <Enter>.
  send(comment: vscode.Comment | undefined): void {
    const body = comment?.body;
    const text = typeof body === "string" ? body : (body?.value ?? this.open?.input?.getText());
    this.close(text ?? "");
  }

  close(text?: string): void {
    const now = this.open;
    if (!now) return;
    this.open = undefined;
    this.opened = undefined;
    for (const name of ["isAskingHere", "canRecallHere", "hasRecalledHere"]) context(name, false);
    now.thread.dispose();
    void vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    now.end(text);
  }

  // To an older request (1) or a newer one (-1).
  async recall(by: 1 | -1): Promise<void> {
    const now = this.open;
    if (!now) return;
    const next = afterKey(by, "", now.at, now.prompt.earlier);
    now.at = next.at;
    await this.put(next.at >= 0 ? now.prompt.earlier[next.at] : "");
  }

  // In place of what is there; the editor has the focus.
  private async put(text: string): Promise<void> {
    await vscode.commands.executeCommand("editor.action.selectAll");
    if (text) await vscode.commands.executeCommand("paste", { text, pasteOnNewLine: false, multicursorText: null });
    else await vscode.commands.executeCommand("deleteLeft");
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
      return Object.assign(item, { insertText, range, detail: plain(detail ?? ""), filterText: insertText });
    });
    return new vscode.CompletionList(items, true);
  }
}

// Of a selection of whole lines, the last of them, and not the beginning of the next.
function endOf({ start, end }: vscode.Range): vscode.Position {
  return end.character === 0 && end.line > start.line ? new vscode.Position(end.line - 1, 0) : end;
}
