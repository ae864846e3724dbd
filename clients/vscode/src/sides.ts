// The sides of a proposal's diffs: their URIs, and what a document or a tab shows of a proposal.
import * as vscode from "vscode";
import type { Proposal } from "./extensions.ts";
import { filesOf } from "./proposals.ts";
import { kUnified } from "./unified.ts";

// Not bodkin-proposal, which the server itself serves (workspace/textDocumentContent) without saying
// when a text has changed.
export const kScheme = "bodkin-diff";
// What a proposal makes of a document, or, alone in its editor, the text of a file that comes or goes, on the way through the diffs or
// through the documents. In one diff: of all files.
export interface Side {
  proposalId: string;
  file?: string;
  alone?: "diffs" | "documents";
}
// `name`: under which it is shown.
export function uriOf(side: Side & { file: string }, name = side.file): vscode.Uri {
  return vscode.Uri.from({ scheme: kScheme, path: vscode.Uri.parse(name).path, query: JSON.stringify(side) });
}
export function sideOf(uri: vscode.Uri): Side | undefined {
  return uri.scheme === kScheme || uri.scheme === kUnified ? (JSON.parse(uri.query) as Side) : undefined;
}

// Whether it changes this document.
export function isAbout(proposal: Proposal, document: vscode.Uri): boolean {
  return filesOf(proposal).some((uri) => vscode.Uri.parse(uri).toString() === document.toString());
}

// The proposal whose text this is.
export function proposalAt(uri: vscode.Uri | undefined): string | undefined {
  return uri && sideOf(uri)?.proposalId;
}

// The proposal whose diff a tab shows. The diff of several files has a list of diffs, which is not in
// VS Code's types yet.
export function proposalIn(tab: vscode.Tab): string | undefined {
  const input = tab.input as { uri?: vscode.Uri; modified?: vscode.Uri; textDiffs?: { original?: vscode.Uri; modified?: vscode.Uri }[] } | undefined;
  const uris = [input?.uri, input?.modified, ...(input?.textDiffs ?? []).map(({ modified }) => modified)];
  return uris.map((uri) => uri && sideOf(uri)?.proposalId).find((id) => id !== undefined);
}

// What a tab shows of one file of a proposal: its diff, or its text.
export function sideIn(tab: vscode.Tab | undefined): Side | undefined {
  const input = tab?.input as { uri?: vscode.Uri; modified?: vscode.Uri } | undefined;
  const uri = input?.modified ?? input?.uri;
  const side = uri && sideOf(uri);
  return side?.file === undefined ? undefined : side;
}
