// The lenses over each pending change in the document itself.
import * as vscode from "vscode";
import type { Hunk, Proposal } from "./extensions.ts";
import { plain } from "./plain.ts";
import { fateOf, filesOf } from "./proposals.ts";
import { roomHere } from "./room.ts";

// As in package.json, which the user may have changed.
const kKeys =
  process.platform === "darwin"
    ? { apply: "⌘⌥⏎", discard: "⇧⌥⌫", next: "⌘⌥PgDn" }
    : { apply: "Ctrl+Alt+⏎", discard: "Shift+Alt+⌫", next: "Ctrl+Alt+PgDn" };

const kWide = 60; // characters, in which all the words have room

const rangeOf = ({ range: { start, end } }: Hunk) => new vscode.Range(start.line, start.character, end.line, end.character);

export class Lenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly registered = vscode.languages.registerCodeLensProvider([{ scheme: "file" }, { scheme: "untitled" }], this);

  constructor(
    private readonly proposals: () => Proposal[],
    private readonly waiting: (proposalId: string, file: string) => Promise<{ hunks: Hunk[]; outOfDate: Hunk[] }>,
  ) {}

  dispose(): void {
    vscode.Disposable.from(this.changed, this.registered).dispose();
  }

  refresh(): void {
    this.changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const lenses: vscode.CodeLens[] = [];
    for (const proposal of this.proposals()) {
      const file = filesOf(proposal).find((uri) => vscode.Uri.parse(uri).toString() === document.uri.toString());
      if (!file) continue;
      const { hunks, outOfDate: old } = await this.waiting(proposal.proposalId, file);
      const fate = fateOf(proposal, file);
      if (fate && hunks.length > 0) {
        const argument = { proposalId: proposal.proposalId, file };
        const top = new vscode.Range(0, 0, 0, 0);
        lenses.push(new vscode.CodeLens(top, { title: plain(`bodkin: this file will be ${fate}`), command: "bodkin.showProposal", arguments: [argument] }));
      }
      for (const hunk of hunks) {
        const range = rangeOf(hunk);
        const argument = { proposalId: proposal.proposalId, hunk: hunk.index };
        const lens = (title: string, command: string) =>
          lenses.push(new vscode.CodeLens(range, { title, command, arguments: [argument] }));
        lens(`$(sparkle) Apply ${kKeys.apply}`, "bodkin.applyChange");
        lens(`Discard ${kKeys.discard}`, "bodkin.discardChange");
        const isWide = roomHere() >= kWide;
        lens(isWide ? `Next ${kKeys.next}` : "Next", "bodkin.nextChange");
        if (isWide) lens("Diff", "bodkin.showProposal");
        const problems = (proposal.verification?.problems ?? []).filter((problem) => problem.hunk === hunk.index);
        if (problems.length > 0) lens(plain(`✗ ${problems[0].source}: ${problems[0].message}`), "bodkin.showProposal");
      }
      for (const hunk of old) {
        const range = rangeOf(hunk);
        const argument = { proposalId: proposal.proposalId, hunk: hunk.index };
        if (proposal.askId) lenses.push(new vscode.CodeLens(range, { title: "$(sparkle) Retry (out of date)", command: "bodkin.askAgain", arguments: [argument] }));
        lenses.push(new vscode.CodeLens(range, { title: "Discard", command: "bodkin.discardChange", arguments: [argument] }));
      }
    }
    return lenses;
  }
}
