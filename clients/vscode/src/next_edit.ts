// Next edits: what the person's last edit implies elsewhere in the file, or else what a model predicts. A quiet
// hint says what a place becomes; a key goes there, and once the cursor is there makes the change. What begins at
// the cursor is drawn by the editor itself, as its completions are. Nothing is shown while changes of a proposal
// wait in the file.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { beside } from "./drawing.ts";
import * as own from "./extensions.ts";
import { plain } from "./plain.ts";

const kPause = 200; // ms without another change
// As in package.json, which the user may have changed.
const kKey = process.platform === "darwin" ? "⌘⌥⏎" : "Ctrl+Alt+⏎";
const kMax = 60; // characters of a hint

interface Shown {
  document: vscode.TextDocument;
  version: number;
  answer: own.NextEdits;
}

const rangeOf = ({ start, end }: own.Range) =>
  new vscode.Range(start.line, start.character, end.line, end.character);

const suggest = () => void vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");

// Where it is changed, and to what: without the characters at both ends that stay. In `old`, the text of the range.
export function changeIn(old: string, made: string): { begin: number; end: number; text: string } {
  const most = Math.min(old.length, made.length);
  let begin = 0;
  while (begin < most && old[begin] === made[begin]) begin++;
  let end = 0;
  while (end < most - begin && old.at(-1 - end) === made.at(-1 - end)) end++;
  return { begin, end: old.length - end, text: made.slice(begin, made.length - end) };
}

export class NextEdit implements vscode.InlineCompletionItemProvider, vscode.Disposable {
  private readonly hint = vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("editorCodeLens.foreground"), fontStyle: "italic" },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightBackground"),
    border: "1px dotted",
    borderColor: new vscode.ThemeColor("editorCodeLens.foreground"),
  });
  private shown: Shown | undefined;
  private waiting: NodeJS.Timeout | undefined;
  private readonly all: vscode.Disposable;

  // `isReviewed`: changes of a proposal wait in the document.
  constructor(
    private readonly client: LanguageClient,
    private readonly isReviewed: (document: vscode.TextDocument) => boolean,
  ) {
    const selector = [{ scheme: "file" }, { scheme: "untitled" }];
    this.all = vscode.Disposable.from(
      this.hint,
      this.mark,
      vscode.languages.registerInlineCompletionItemProvider(selector, this),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const isHere = document === vscode.window.activeTextEditor?.document;
        if (contentChanges.length > 0 && isHere) this.changed(document);
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.clear()),
      vscode.window.onDidChangeTextEditorSelection(() => this.draw()),
      vscode.window.onDidChangeTextEditorVisibleRanges(() => this.draw()),
    );
  }

  dispose(): void {
    this.clear();
    this.all.dispose();
  }

  // Also once a proposal is there.
  clear(): void {
    clearTimeout(this.waiting);
    if (!this.shown) return;
    this.shown = undefined;
    void vscode.commands.executeCommand("setContext", "bodkin.hasNextEdit", false);
    for (const editor of vscode.window.visibleTextEditors) {
      for (const type of [this.hint, this.mark]) editor.setDecorations(type, []);
    }
  }

  private get setting(): string {
    return vscode.workspace.getConfiguration("bodkin").get<string>("suggest.nextEdits", "on");
  }

  private changed(document: vscode.TextDocument): void {
    this.clear();
    if (this.setting === "off" || !["file", "untitled"].includes(document.uri.scheme)) return;
    this.waiting = setTimeout(() => void this.ask(document), kPause);
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    if (!this.client.isRunning() || this.isReviewed(document)) return;
    const uri = this.client.code2ProtocolConverter.asUri(document.uri);
    const active = vscode.window.activeTextEditor?.selection.active;
    const cursor = active && this.client.code2ProtocolConverter.asPosition(active);
    const place = cursor && { start: cursor, end: cursor };
    const answer = await this.client
      .sendRequest<own.NextEdits>(own.nextEdits, { uri, range: place })
      .catch(() => undefined);
    const isHere = document === vscode.window.activeTextEditor?.document;
    const isSame = document.version === version && (answer?.version ?? version) === version;
    if (!answer || answer.edits.length === 0 || !isHere || !isSame || this.isReviewed(document)) return;
    this.show({ document, version, answer });
    const editor = vscode.window.activeTextEditor;
    const { range } = answer.edits[0];
    if (editor && rangeOf(range).contains(editor.selection.active)) suggest();
  }

  private show(shown: Shown): void {
    this.shown = shown;
    void vscode.commands.executeCommand("setContext", "bodkin.hasNextEdit", true);
    void vscode.commands.executeCommand("setContext", "bodkin.takesTab", this.setting === "tab");
    this.draw();
  }

  // What the place becomes, there; beside the cursor, if the place is not to be seen, where it is.
  private draw(): void {
    const editor = vscode.window.activeTextEditor;
    const { shown } = this;
    if (!editor || !shown || editor.document !== shown.document || shown.document.version !== shown.version) return;
    const { edits, what } = shown.answer;
    const [edit] = edits;
    const range = shown.document.validateRange(rangeOf(edit.range));
    const old = shown.document.getText(range);
    const unchecked = shown.answer.checked === false ? ", not checked" : "";
    const others = (edits.length > 1 ? `, ${edits.length - 1} more` : "") + unchecked;
    const lines = edit.newText.replace(/\r?\n$/, "").split(/\r?\n/);
    const name = what === "Same change" || what === "Next edit" ? what.toLowerCase() : what;
    const line = edit.message || this.lineMade(shown.document, range, edit.newText) || "delete the line";
    const becomes = lines.length > 1 ? `${name}, ${lines.length} lines` : line;
    const words = becomes.length > kMax ? `${becomes.slice(0, kMax)}…` : becomes;
    const at = (line: number, text: string): vscode.DecorationOptions => {
      const { end } = shown.document.lineAt(line).range;
      return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: plain(text) } } };
    };
    const told = this.isDrawnByEditor(editor) ? "" : `→ ${words}  `;
    const hints = [at(range.start.line, `${told}(${kKey}${others})`)];
    const isSeen = editor.visibleRanges.some((each) => each.contains(range.start));
    const where = `→ ${name} at line ${range.start.line + 1}  (${kKey}${others})`;
    if (!isSeen) hints.push(at(editor.selection.active.line, where));
    editor.setDecorations(this.hint, hints);
    const { begin, end } = changeIn(old, edit.newText);
    const from = shown.document.offsetAt(range.start);
    const position = (offset: number) => shown.document.positionAt(from + offset);
    const marked = new vscode.Range(position(begin), position(Math.max(end, begin)));
    editor.setDecorations(this.mark, marked.isEmpty ? [] : [marked]);
  }

  // As its completions are: the cursor is where something comes in.
  private isDrawnByEditor({ document, selection }: vscode.TextEditor): boolean {
    const isOn = vscode.workspace.getConfiguration("editor", document).get("inlineSuggest.enabled", true);
    return isOn && this.provideInlineCompletionItems(document, selection.active).length > 0;
  }

  // The whole line as it becomes, of a change of one line.
  private lineMade(document: vscode.TextDocument, { start, end }: vscode.Range, text: string): string {
    const after = text.endsWith("\n") ? "" : document.lineAt(end.line).text.slice(end.character);
    const old = document.lineAt(start.line).text;
    const made = old.slice(0, start.character) + text + after;
    return made.trim() && beside(old, made.replace(/\r?\n$/, ""));
  }

  // What the key does.
  async go(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const { shown } = this;
    if (!editor || editor.document !== shown?.document || editor.document.version !== shown.version) {
      return this.clear();
    }
    const [{ range, newText, message }] = shown.answer.edits;
    const at = shown.document.validateRange(rangeOf(range));
    const last = Math.max(at.start.line, at.end.line - (at.end.character === 0 ? 1 : 0));
    const { line } = editor.selection.active;
    if (line < at.start.line || line > last) {
      const { document } = shown;
      const { begin: from } = changeIn(document.getText(at), newText);
      const begin = document.positionAt(document.offsetAt(at.start) + from);
      editor.selection = new vscode.Selection(begin, begin);
      editor.revealRange(new vscode.Range(begin, begin), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      suggest();
      return this.draw();
    }
    const next = message ? shown.answer.edits.slice(1) : [];
    this.clear();
    if (next.length > 0) return this.show({ ...shown, answer: { ...shown.answer, edits: next } });
    if (!message) await editor.edit((edit) => edit.replace(at, newText));
  }

  // Where it goes on at the cursor: the cursor is in the line that it changes.
  provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.InlineCompletionItem[] {
    const { shown } = this;
    if (document !== shown?.document || document.version !== shown.version || this.isReviewed(document)) return [];
    const [{ range, newText }] = shown.answer.edits;
    const whole = document.validateRange(rangeOf(range));
    const { begin, end, text } = changeIn(document.getText(whole), newText);
    const from = document.offsetAt(whole.start) + begin;
    if (document.offsetAt(position) !== from || !text || end > begin) return [];
    return [new vscode.InlineCompletionItem(text, new vscode.Range(position, position))];
  }
}
