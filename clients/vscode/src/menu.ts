// What a click on the status bar offers.
import * as vscode from "vscode";

export async function menu(isRunning: boolean, isBusy: boolean, hasProposal: boolean, question?: string): Promise<void> {
  const entries: [string, string, boolean?][] = [
    ["$(debug-restart) Restart", "bodkin.restart", !isRunning],
    [`$(question) Answer: ${question}`, "bodkin.answerQuestion", question !== undefined],
    ["$(stop-circle) Cancel", "bodkin.cancelAsk", isBusy],
    ["$(diff) Show Proposal", "bodkin.showProposal", hasProposal],
    ["$(arrow-down) Next Change", "bodkin.nextChange", hasProposal],
    ["$(check) Apply Proposal", "bodkin.applyProposal", hasProposal],
    ["$(comment-discussion) Refine Proposal…", "bodkin.refineProposal", hasProposal],
    ["$(edit) Edit Proposed Text…", "bodkin.editProposal", hasProposal],
    ["$(discard) Discard Proposal", "bodkin.discardProposal", hasProposal],
    ["$(sparkle) Ask Agent…", "bodkin.askSelection"],
    ["$(lightbulb) Ask Agent, with an Effort…", "bodkin.askWithEffort"],
    ["$(wrench) Fix Problems Here", "bodkin.fixHere"],
    ["$(wrench) Fix All Problems in This File", "bodkin.fixFile"],
    ["$(copy) Copy Prompt for a Chat…", "bodkin.copyPromptForChat"],
    ["$(clippy) Apply a Chat Answer from the Clipboard", "bodkin.applyClipboard"],
    ["$(comment-discussion) Show Conversation", "bodkin.showConversation"],
    ["$(add) New Session", "bodkin.beginSession"],
    ["$(book) Read Session…", "bodkin.readSession"],
    ["$(comment) Resume Session…", "bodkin.resumeSession"],
    ["$(git-compare) Review What Was Applied", "bodkin.reviewApplied"],
    ["$(history) Undo Applied Proposal", "bodkin.undoProposal"],
    ["$(redo) Redo Undone or Discarded Proposal", "bodkin.redoProposal"],
    ["$(server) Choose Model…", "bodkin.chooseModel"],
    ["$(settings) Choose Mode…", "bodkin.chooseMode"],
    ["$(key) Set API Key…", "bodkin.setApiKey"],
    ["$(checklist) Check Setup", "bodkin.checkSetup"],
    ["$(output) Show Log", "bodkin.showOutput"],
    ["$(debug-restart) Restart", "bodkin.restart", isRunning],
  ];
  const items = entries.filter(([, , there]) => there !== false).map(([label, command]) => ({ label, command }));
  const picked = await vscode.window.showQuickPick(items, { title: "bodkin" });
  if (picked) await vscode.commands.executeCommand(picked.command);
}
