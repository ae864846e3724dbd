// The lines that a model is writing, drawn where they will come while they arrive: only to be looked at. They are
// drawn if the old lines stand exactly once in an open file; what is proposed in the end is placed by the server.
import * as vscode from "vscode";
import type { Drawn } from "./inline.ts";
import { drawingOf } from "./drawing.ts";
import type { Hunk, Proposal, Writing } from "./extensions.ts";
import { roomHere } from "./room.ts";

const kIndex = 0;

// The range of whole lines that `old` is, with the same line ends.
function rangeIn(document: vscode.TextDocument, old: string): vscode.Range | undefined {
  const text = `\n${document.getText().replaceAll("\r\n", "\n")}`;
  const at = old.trim() ? text.indexOf(`\n${old}`) : -1;
  if (at < 0 || text.indexOf(`\n${old}`, at + 1) >= 0) return undefined;
  const line = text.slice(0, at + 1).split("\n").length - 2;
  return new vscode.Range(line, 0, line + old.split("\n").length - 1, 0);
}

const isAt = ({ uri }: vscode.TextDocument, path: string) =>
  uri.scheme === "file" && (vscode.workspace.asRelativePath(uri, false) === path || uri.fsPath === path);

// As a change of a proposal is drawn; nothing if it is not known where.
export function drawnOf(writing: Writing, document: vscode.TextDocument): Drawn | undefined {
  if (!isAt(document, writing.path)) return undefined;
  const range = rangeIn(document, writing.old);
  if (!range) return undefined;
  const proposal: Proposal = { proposalId: `writing-${writing.askId}`, title: "", hunks: [] };
  const hunk: Hunk = { index: kIndex, uri: document.uri.toString(), range, newText: writing.new };
  const drawing = drawingOf(hunk, document.lineCount, (index) => document.lineAt(index).text, roomHere());
  return { document, proposal, drawing, writing: writing.lines };
}
