// The diffs of a proposal: one file, or all of them in one tab.
import * as vscode from "vscode";
import type * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import { apart, briefSummary, fateOf, filesOf, filesShown, tabTitle, uriAfter } from "./proposals.ts";
import { type Side, proposalIn, uriOf } from "./sides.ts";
import { exists } from "./texts.ts";

// `may`: it comes by itself, and this is asked at the last moment; then the focus stays where something is typed. Returns whether it is
// shown.
export async function showDiff(proposal: own.Proposal, may?: () => boolean): Promise<boolean> {
  const here = vscode.window.activeTextEditor?.document.uri.toString();
  const all = await Promise.all(filesShown(proposal).map((file) => sidesOf(proposal, file)));
  // What somebody has deleted or renamed meanwhile is nothing new.
  const there = all.filter(({ file, left }) => left !== undefined || fateOf(proposal, file) === "new file");
  const shown = there.length > 0 ? there : all;
  if (may && !may()) return false;
  vscode.window.setStatusBarMessage(plain(briefSummary(proposal)), 8000);
  // Without the focus VS Code shows no more than one file.
  if (shown.length > 1 && !may) {
    await vscode.commands.executeCommand("vscode.changes", amongTabs(proposal, "Proposed by bodkin"), shown.map(({ document, left, right }) => [right ?? document, left, right]));
    return true;
  }
  await showFile(proposal, (shown.find(({ document }) => document.toString() === here) ?? shown[0]).file, may !== undefined);
  if (may) await focusUnlessTyping(proposal.proposalId);
  return true;
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

// The focus to the diff that has just been opened without it, unless a search box, a terminal or another field has it. Nothing tells an
// extension that, but this command asks the same: it acts on the field that has the focus, which has nothing to do again, and only
// without one on the editor in front, which it focuses. Nothing in a diff of ours can be done again.
async function focusUnlessTyping(proposalId: string): Promise<void> {
  const isInFront = () => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab !== undefined && proposalIn(tab) === proposalId;
  };
  for (let i = 0; i < 200 && !isInFront(); i++) await new Promise((wake) => setTimeout(wake, 50));
  if (isInFront()) await vscode.commands.executeCommand("redo");
}

// The diffs of a proposal that is over.
export async function closeDiffs(proposalId: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const its = tabs.filter((tab) => proposalIn(tab) === proposalId);
  if (its.length > 0) await vscode.window.tabGroups.close(its);
}
