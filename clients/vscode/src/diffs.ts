// The diffs of a proposal side by side: one file, or all of them in one tab.
import * as vscode from "vscode";
import type * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import { brief, fateOf, filesOf, summary, uriAfter } from "./proposals.ts";
import { exists, proposalIn, uriOf } from "./sides.ts";

// `may`: it comes by itself, and this is asked at the last moment; then the focus stays where something is typed. Returns whether it is
// shown.
export async function showDiff(proposal: own.Proposal, may?: () => boolean): Promise<boolean> {
  const { proposalId } = proposal;
  const all = filesOf(proposal);
  // The second name of a file that is renamed is shown with the first.
  const files = all.filter((file) => !all.some((each) => each !== file && uriAfter(proposal, each) === file));
  const shown = await Promise.all(
    files.map(async (file) => {
      const document = vscode.Uri.parse(file);
      const after = uriAfter(proposal, file);
      const right = fateOf(proposal, file) === "deleted" ? undefined : uriOf({ proposalId, file: all.includes(after) ? after : file }, after);
      return { file, document, left: (await exists(document)) ? document : undefined, right };
    }),
  );
  if (may && !may()) return false;
  vscode.window.setStatusBarMessage(plain(brief(summary(proposal))), 8000);
  if (shown.length > 1) {
    await vscode.commands.executeCommand("vscode.changes", "Proposed by bodkin", shown.map(({ document, left, right }) => [right ?? document, left, right]));
    return true;
  }
  const [{ file, document, left, right }] = shown;
  const fate = fateOf(proposal, file);
  const first = proposal.hunks[0];
  const selection = new vscode.Range(first.range.start.line, 0, first.range.start.line, 0);
  const nothing = uriOf({ proposalId, file: document.toString(), empty: true });
  const title = `${vscode.workspace.asRelativePath(document)} (${fate ?? "proposed"})`;
  await vscode.commands.executeCommand("vscode.diff", left ?? nothing, right ?? uriOf({ proposalId, file }), title, { preview: false, selection, preserveFocus: may !== undefined });
  if (may) await focusUnlessTyping(proposalId);
  return true;
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
