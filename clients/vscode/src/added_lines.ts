// Added lines of pending changes that have no room beside other lines, in threads of comments, which nobody can write to:
// the only thing that an extension can place between two lines. They are there as long as the change is.
import * as vscode from "vscode";
import { addedHtml } from "./html.ts";
import type { Drawn } from "./inline.ts";
import { plain, visible } from "./plain.ts";
import { count, verdictOf } from "./proposals.ts";

const kMax = 200; // lines; the diff shows all
// The workbench collects the threads of an editor that it has just shown, and draws one twice that is made meanwhile; it tells nobody
// when it is done.
export const kSettled = 500; // ms
const kFolded = 500; // ms; what is set of a thread is sent later than its end

// What the buttons of a thread mean.
export interface Target {
  proposalId: string;
  hunk: number;
}
const targets = new WeakMap<object, Target>();
export const targetOf = (thread: unknown): Target | undefined => (typeof thread === "object" && thread ? targets.get(thread) : undefined);

// A comment that has a text opens the view "Comments" by itself, unless the user's setting says otherwise. What is neither a string nor,
// strictly, a Markdown string is drawn as one, but does not count as a text: nothing opens, and nobody's setting is changed for it.
export function quiet(words: vscode.MarkdownString): vscode.MarkdownString {
  return Object.assign(words, { supportThemeIcons: 0 as unknown as boolean });
}

function code(text: string, language: string): vscode.MarkdownString {
  const words = new vscode.MarkdownString(addedHtml(text, language));
  words.supportHtml = true; // all of it is ours or escaped
  return quiet(words);
}

export class AddedLines implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController("bodkin", "bodkin");
  private threads = new Map<string, { thread: vscode.CommentThread; text: string }>(); // by document, proposal and hunk

  dispose(): void {
    this.controller.dispose();
  }

  // What was there before and is not among these goes. A document may be shown by several editors. `mayAdd`: the editors are settled.
  show(drawn: readonly Drawn[], mayAdd: boolean): void {
    const before = this.threads;
    this.threads = new Map();
    for (const { document, proposal, drawing, writing } of drawn) {
      if (drawing.addedBelow === undefined) continue;
      const key = `${document.uri} ${proposal.proposalId} ${drawing.index}`;
      if (this.threads.has(key)) continue;
      const at = Math.min(drawing.addedBelow, document.lineCount - 1);
      const range = new vscode.Range(at, 0, at, 0);
      const left = drawing.added.length - kMax;
      const text = visible([...drawing.added.slice(0, kMax), ...(left > 0 ? [`… ${left} more: Show Diff`] : [])].join("\n"));
      const label = plain(writing ? "writing…" : `${drawing.words}${drawing.isAbove ? " above line 1" : ""}, ${verdictOf(proposal)}`);
      const known = before.get(key);
      if (!known && !mayAdd) continue;
      const thread = known?.thread ?? this.controller.createCommentThread(document.uri, range, []);
      before.delete(key);
      this.threads.set(key, { thread, text });
      if (!known) {
        targets.set(thread, { proposalId: proposal.proposalId, hunk: drawing.index });
        thread.canReply = false;
        thread.state = vscode.CommentThreadState.Resolved; // no reason to open the view "Comments"
        thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
        if (!writing) thread.contextValue = "bodkinChange";
      }
      if (!thread.range?.isEqual(range)) thread.range = range;
      if (thread.label !== label) thread.label = label;
      if (known?.text !== text) {
        thread.comments = [{ author: { name: count(drawing.added.length, "new line") }, mode: vscode.CommentMode.Preview, body: code(text, document.languageId) }];
      }
    }
    for (const { thread } of before.values()) {
      // Of one that was drawn twice the end takes away one only, but folding both.
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
      setTimeout(() => thread.dispose(), kFolded);
    }
  }
}
