// Pending changes drawn in the documents themselves, and the way from one to the next.
import * as vscode from "vscode";
import { AddedLines, kSettled } from "./added_lines.ts";
import { diffOf, type Drawing, drawingOf, neighbour } from "./drawing.ts";
import type { Hunk, Proposal, Writing } from "./extensions.ts";
import { plain } from "./plain.ts";
import { showText } from "./diffs.ts";
import { briefSummary, fateOf, filesOf, filesShown, kOutOfDate, spokenOf, verdictOf } from "./proposals.ts";
import { roomHere } from "./room.ts";
import { inBar } from "./said.ts";
import { kScheme, sideOf } from "./sides.ts";
import { drawnOf } from "./writing.ts";
import { textOf } from "./texts.ts";

const color = (id: string) => new vscode.ThemeColor(id);
const sign = vscode.Uri.parse(
  `data:image/svg+xml;utf8,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="6" y="1" width="4" height="14" rx="2" fill="#c586c0"/></svg>')}`,
);

export interface Drawn {
  document: vscode.TextDocument;
  proposal: Proposal;
  drawing: Drawing;
  writing?: number; // it is being written: how many lines so far
}

interface Place {
  proposalId: string;
  hunk: Hunk;
  file: string;
  begin: number;
  isNew: boolean; // the file is not there yet
}

export class Inline implements vscode.Disposable {
  private readonly removed = vscode.window.createTextEditorDecorationType({
    textDecoration: "line-through",
    backgroundColor: color("diffEditor.removedTextBackground"),
    border: "1px dashed",
    borderColor: color("diffEditor.removedTextBorder"), // of themes with high contrast, as below
    overviewRulerColor: color("diffEditorOverview.removedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  private readonly ghost = vscode.window.createTextEditorDecorationType({
    after: {
      margin: "0 0 0 2em",
      color: color("editor.foreground"),
      backgroundColor: color("diffEditor.insertedTextBackground"),
      border: "1px dashed",
      borderColor: color("diffEditor.insertedTextBorder"),
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly deleted = vscode.window.createTextEditorDecorationType({
    after: {
      margin: "0 0 0 2em",
      color: color("editor.foreground"),
      backgroundColor: color("diffEditor.removedTextBackground"),
      border: "1px dashed",
      borderColor: color("diffEditor.removedTextBorder"),
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  // In the diff: what was found in the proposed text.
  private readonly problem = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: color("editorOverviewRuler.errorForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    after: { margin: "0 0 0 2em", color: color("editorError.foreground") },
  });
  // Where nothing is proposed any more.
  private readonly old = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: color("editorOverviewRuler.warningForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    after: { margin: "0 0 0 2em", color: color("editorWarning.foreground"), contentText: `⚠ ${kOutOfDate}` },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  // The text of a file that comes, alone in its editor.
  private readonly whole = vscode.window.createTextEditorDecorationType({ isWholeLine: true, backgroundColor: color("diffEditor.insertedTextBackground") });
  private readonly added = new AddedLines();
  private readonly margin = vscode.window.createTextEditorDecorationType({ gutterIconPath: sign, gutterIconSize: "contain" });
  private readonly all: vscode.Disposable;
  private readonly writing = new Map<string, Writing>(); // by ask
  private isDrawing = false;
  private isStale = false; // something has changed since the drawing began
  private settling: NodeJS.Timeout | undefined; // other editors have just been shown

  constructor(
    private readonly proposals: () => Proposal[],
    private readonly content: (proposalId: string, file: string) => Promise<{ hunks: Hunk[]; outOfDate: Hunk[] }>,
    private readonly say: (words: string) => void, // what the keys have led to, also for a screen reader
    private readonly showNew: (proposalId: string, file: string) => Thenable<unknown>, // the text of a file that is not there yet
  ) {
    this.all = vscode.Disposable.from(
      this.removed,
      this.ghost,
      this.deleted,
      this.problem,
      this.old,
      this.whole,
      this.added,
      this.margin,
      vscode.window.onDidChangeVisibleTextEditors(() => {
        clearTimeout(this.settling);
        this.settling = setTimeout(() => {
          this.settling = undefined;
          void this.draw();
        }, kSettled);
        void this.draw();
      }),
      vscode.window.onDidChangeTextEditorViewColumn(() => this.draw()),
    );
  }

  dispose(): void {
    clearTimeout(this.settling);
    this.all.dispose();
  }

  // One drawing at a time: what changes meanwhile, with every key, is drawn once after it.
  async draw(): Promise<void> {
    this.isStale = true;
    if (this.isDrawing) return;
    this.isDrawing = true;
    while (this.isStale) {
      this.isStale = false;
      const drawn = await Promise.all(vscode.window.visibleTextEditors.map((editor) => this.drawIn(editor).catch(() => []))); // it may be closed by now
      this.added.show(drawn.flat(), this.settling === undefined);
      this.setContext();
    }
    this.isDrawing = false;
  }

  // What a reply writes so far; nothing once it has ended.
  writes(askId: string, writing?: Writing): void {
    if (!writing && !this.writing.has(askId)) return;
    if (writing) this.writing.set(askId, writing);
    else this.writing.delete(askId);
    void this.draw();
  }

  // The server has ended.
  endWrites(): void {
    this.writing.clear();
    void this.draw();
  }

  private setContext(): void {
    const file = vscode.window.activeTextEditor?.document.uri.toString();
    const has = this.proposals().some((proposal) => filesOf(proposal).some((uri) => vscode.Uri.parse(uri).toString() === file));
    void vscode.commands.executeCommand("setContext", "bodkin.hasChangesHere", has);
  }

  private async drawIn(editor: vscode.TextEditor): Promise<Drawn[]> {
    const { document } = editor;
    if (document.uri.scheme === kScheme) this.mark(editor);
    if (document.uri.scheme !== "file" && document.uri.scheme !== "untitled") return [];
    const shown: Drawn[] = [];
    const old: vscode.DecorationOptions[] = [];
    for (const proposal of this.proposals()) {
      const file = filesOf(proposal).find((uri) => vscode.Uri.parse(uri).toString() === document.uri.toString());
      if (!file) continue;
      const { hunks, outOfDate } = await this.content(proposal.proposalId, file).catch(() => ({ hunks: [], outOfDate: [] }));
      for (const { range, newText } of outOfDate) {
        const hoverMessage = new vscode.MarkdownString().appendText(plain(`bodkin: ${proposal.title}: ${kOutOfDate} since this was proposed:`)).appendCodeblock(newText, document.languageId);
        const { end } = document.lineAt(Math.min(range.start.line, document.lineCount - 1)).range;
        old.push({ range: new vscode.Range(end, end), hoverMessage });
      }
      // The side of a diff has no column of its own; it shows the others already.
      if (editor.viewColumn === undefined) continue;
      const room = roomHere();
      for (const hunk of hunks) shown.push({ document, proposal, drawing: drawingOf(hunk, document.lineCount, (index) => document.lineAt(index).text, room) });
    }
    for (const writing of editor.viewColumn === undefined ? [] : this.writing.values()) {
      const drawn = drawnOf(writing, document);
      if (drawn) shown.push(drawn);
    }
    const wholeLine = (line: number) => document.lineAt(Math.min(line, document.lineCount - 1)).range;
    const atEnd = (line: number) => new vscode.Range(wholeLine(line).end, wholeLine(line).end);
    const hover = ({ drawing, proposal }: Drawn) => {
      const words = new vscode.MarkdownString();
      words.appendText(plain(`bodkin: ${proposal.title} (${verdictOf(proposal)})`));
      words.appendCodeblock(diffOf(drawing), "diff");
      for (const { message, source, hunk } of proposal.verification?.problems ?? []) {
        if (hunk === drawing.index) words.appendText(`${source}: ${message}\n`);
      }
      return words;
    };
    const removed: vscode.DecorationOptions[] = [];
    const ghosts: vscode.DecorationOptions[] = [];
    const deletions: vscode.DecorationOptions[] = [];
    for (const each of shown) {
      for (const { line, begin, end } of each.drawing.struck) removed.push({ range: document.validateRange(new vscode.Range(line, begin, line, end)), hoverMessage: hover(each) });
      for (const { line, text, isDeletion } of each.drawing.ghosts) {
        const isTold = each.drawing.struck.some((part) => part.line === line && part.end >= document.lineAt(line).range.end.character); // by what is struck beside it
        (isDeletion ? deletions : ghosts).push({ range: atEnd(line), ...(isTold ? {} : { hoverMessage: hover(each) }), renderOptions: { after: { contentText: plain(text) } } });
      }
    }
    editor.setDecorations(this.old, old);
    editor.setDecorations(this.removed, removed);
    editor.setDecorations(this.ghost, ghosts);
    editor.setDecorations(this.deleted, deletions);
    editor.setDecorations(this.margin, shown.map(({ drawing }) => atEnd(drawing.begin)));
    return shown;
  }

  // The lines of the proposed text in which a check found something, in its diff, and all lines of a file that comes or goes.
  private mark(editor: vscode.TextEditor): void {
    const { document } = editor;
    const side = sideOf(document.uri);
    const proposal = this.proposals().find(({ proposalId }) => proposalId === side?.proposalId);
    if (side?.alone && side.file && proposal) {
      const end = document.lineAt(document.lineCount - 1).range.isEmpty ? document.lineCount - 2 : document.lineCount - 1;
      const all = end < 0 ? [] : [new vscode.Range(new vscode.Position(0, 0), document.lineAt(end).range.end)];
      const isDeleted = fateOf(proposal, side.file) === "deleted";
      editor.setDecorations(this.removed, isDeleted ? all : []);
      editor.setDecorations(this.whole, isDeleted ? [] : all);
    }
    const problems = (proposal?.verification?.problems ?? []).filter(({ uri, line }) => uri === side?.file && line >= 1 && line <= editor.document.lineCount);
    editor.setDecorations(this.problem, problems.map(({ line, source, message }) => {
      const hoverMessage = new vscode.MarkdownString().appendText(plain(`${source}: ${message}`));
      return { range: editor.document.lineAt(line - 1).range, hoverMessage, renderOptions: { after: { contentText: plain(`✗ ${source}: ${message.split("\n")[0]}`) } } };
    }));
  }

  // Of the proposal, or of all, in their order.
  private files(proposalId?: string): string[] {
    return [...new Set(this.proposals().filter((each) => proposalId === undefined || each.proposalId === proposalId).flatMap(filesOf))];
  }

  // The same, in the order of their files and lines.
  private async places(proposalId?: string): Promise<Place[]> {
    const all: Place[] = [];
    for (const proposal of this.proposals()) {
      if (proposalId !== undefined && proposal.proposalId !== proposalId) continue;
      for (const file of filesOf(proposal)) {
        const { hunks } = await this.content(proposal.proposalId, file).catch(() => ({ hunks: [] }));
        for (const hunk of hunks) all.push({ proposalId: proposal.proposalId, hunk, file, begin: hunk.range.start.line, isNew: hunk.kind === "create" });
      }
    }
    const order = this.files(proposalId);
    return all.sort((one, other) => order.indexOf(one.file) - order.indexOf(other.file) || one.begin - other.begin);
  }

  // To the next (1) or the one before (-1), through all files and round. `from`: the file whose diff has the cursor, if one has.
  async go(by: 1 | -1, proposalId?: string, from?: string): Promise<boolean> {
    const editor = vscode.window.activeTextEditor;
    const places = await this.places(proposalId);
    const uri = from === undefined ? editor?.document.uri.toString() : vscode.Uri.parse(from).toString();
    const files = this.files(proposalId);
    const here = files.find((file) => vscode.Uri.parse(file).toString() === uri) ?? "";
    const line = from === undefined ? (editor?.selection.active.line ?? 0) : by > 0 ? Number.POSITIVE_INFINITY : -1;
    const next = neighbour(places, files, here, line, by);
    if (!next) return false;
    if (next.isNew) await this.showNew(next.proposalId, next.file);
    else await this.reveal(next.file, next.begin);
    await this.tell(next.proposalId, next.hunk);
    return true;
  }

  // What a change is.
  async tell(id: string, hunk: Hunk): Promise<void> {
    const text = hunk.kind === "create" ? undefined : await textOf(vscode.Uri.parse(hunk.uri));
    const problems = this.proposals().find(({ proposalId }) => proposalId === id)?.verification?.problems ?? [];
    this.say(spokenOf(hunk, problems.filter((each) => each.hunk === hunk.index), text?.split(/\r?\n/)));
  }

  // The cursor to a line, with nothing selected.
  async reveal(file: string, line: number, preserveFocus = false): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file));
    const at = Math.min(line, document.lineCount - 1);
    const column = document.lineAt(at).firstNonWhitespaceCharacterIndex;
    const editor = await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, column, at, column), preview: false, preserveFocus });
    editor.revealRange(new vscode.Range(at, 0, at, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

// The file that the active editor shows, if it shows one.
export function documentHere(): string | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === "file" || uri?.scheme === "untitled" ? uri.toString() : undefined;
}

// In the file that is in front, if it is one of the proposal's. The focus stays where it is.
export async function showInFile(proposal: Proposal, inline: Inline, pending: (file: string) => Promise<Hunk[]>): Promise<void> {
  const files = filesShown(proposal);
  const here = documentHere();
  const isHere = (file: string) => vscode.Uri.parse(file).toString() === here;
  const file = files.find(isHere) ?? files.find((each) => fateOf(proposal, each) !== "new file") ?? files[0];
  inBar(briefSummary(proposal));
  if (fateOf(proposal, file) === "new file") return showText(proposal, file, "documents", { preview: false, preserveFocus: true });
  const [first] = await pending(file).catch(() => []);
  await inline.reveal(file, first?.range.start.line ?? 0, true).catch(() => {}); // it may be gone
}
