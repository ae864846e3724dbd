// The diffs of a proposal: one file, or all of them in one tab.
import * as vscode from "vscode";
import type * as own from "./extensions.ts";
import { apart, briefSummary, fateOf, filesOf, filesShown, tabTitle, uriAfter } from "./proposals.ts";
import { inBar } from "./said.ts";
import { type Side, proposalIn, uriOf } from "./sides.ts";
import { exists } from "./texts.ts";

// Of one file, or of all of them in one tab. `which`: all, or one file; without it the file that is in front, if it is one
// of them. From the diff of one file to that of all.
export async function showDiff(proposal: own.Proposal, which?: string | "all"): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const isInDiff = tab !== undefined && proposalIn(tab) === proposal.proposalId;
  const here = which ?? (isInDiff ? "all" : vscode.window.activeTextEditor?.document.uri.toString());
  const all = await Promise.all(filesShown(proposal).map((each) => sidesOf(proposal, each)));
  // What somebody has deleted or renamed meanwhile is nothing new.
  const there = all.filter(({ file, left }) => left !== undefined || fateOf(proposal, file) === "new file");
  const shown = there.length > 0 ? there : all;
  inBar(briefSummary(proposal));
  const isHere = (document: vscode.Uri) => here !== undefined && here !== "all" && document.toString() === vscode.Uri.parse(here).toString();
  const one = shown.length === 1 ? shown[0] : shown.find(({ document }) => isHere(document));
  if (one) return showFile(proposal, one.file);
  const sides = shown.map(({ document, left, right }) => [right ?? document, left, right]);
  await vscode.commands.executeCommand("vscode.changes", amongTabs(proposal, "Proposed by bodkin"), sides);
}

// What a file is without the proposal and with it; nothing where there is no such file.
async function sidesOf(proposal: own.Proposal, file: string) {
  const document = vscode.Uri.parse(file);
  const after = uriAfter(proposal, file);
  const right = fateOf(proposal, file) === "deleted" ? undefined : uriOf({ proposalId: proposal.proposalId, file: filesOf(proposal).includes(after) ? after : file }, after);
  return { file, document, left: (await exists(document)) ? document : undefined, right };
}

// The diff of one file, or the whole text of one that comes or goes. `line`: where the cursor goes, if it is not the first change.
export async function showFile(proposal: own.Proposal, file: string, preserveFocus = false, line?: number): Promise<void> {
  const { left, right } = await sidesOf(proposal, file);
  const at = line ?? proposal.hunks.find(({ uri }) => uri === file)?.range.start.line ?? 0;
  const options = { preview: false, selection: new vscode.Range(at, 0, at, 0), preserveFocus };
  if (left && right) await vscode.commands.executeCommand("vscode.diff", left, right, titleOf(proposal, file), options);
  else await showText(proposal, file, "diffs", options);
}

export async function showText(proposal: own.Proposal, file: string, alone: Side["alone"], options: vscode.TextDocumentShowOptions): Promise<void> {
  await vscode.commands.executeCommand("vscode.open", uriOf({ proposalId: proposal.proposalId, file, alone }), options, titleOf(proposal, file));
}

const titleOf = (proposal: own.Proposal, file: string) => amongTabs(proposal, tabTitle(proposal, file, vscode.workspace.asRelativePath(vscode.Uri.parse(file))));

// Not the label of another proposal's tab.
function amongTabs({ proposalId, title }: own.Proposal, label: string): string {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return apart(label, title, tabs.filter((tab) => ![undefined, proposalId].includes(proposalIn(tab))).map((tab) => tab.label));
}

// The diffs of a proposal that is over.
export async function closeDiffs(proposalId: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const its = tabs.filter((tab) => proposalIn(tab) === proposalId);
  if (its.length > 0) await vscode.window.tabGroups.close(its);
}
