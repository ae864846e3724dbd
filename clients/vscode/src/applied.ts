// What was applied, to be looked through afterwards: by itself in the mode auto, or as a whole. The texts from
// before are kept as long as the window is open; beside them in a diff are the files themselves, in which the
// editor's own arrows take a part back.
import * as vscode from "vscode";
import type { Proposal } from "./extensions.ts";
import { plain } from "./plain.ts";
import { filesOf, filesShown, nameOf, uriAfter } from "./proposals.ts";
import { inform } from "./said.ts";
import { exists, textOf } from "./texts.ts";

const kScheme = "bodkin-before";
const kMaxKept = 20; // proposals
const kMaxTabs = 10;

interface Kept {
  proposal: Proposal;
  texts: Map<string, string>; // by the file's URI; none of a file that was not there
}

export class Applied implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly kept = new Map<string, Kept>(); // by proposal
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(kScheme, this);

  dispose(): void {
    this.registered.dispose();
  }

  // Is about to be applied, or a part of it: the first time counts.
  async keep(proposal: Proposal): Promise<void> {
    const { proposalId } = proposal;
    if (this.kept.has(proposalId)) return;
    const texts = new Map<string, string>();
    this.kept.set(proposalId, { proposal, texts });
    for (const id of [...this.kept.keys()].slice(0, -kMaxKept)) this.kept.delete(id);
    await Promise.all(
      filesOf(proposal).map(async (file) => {
        const text = await textOf(vscode.Uri.parse(file));
        if (text !== undefined) texts.set(file, text);
      }),
    );
  }

  has(proposalId: string | undefined): boolean {
    return proposalId !== undefined && this.kept.has(proposalId);
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const { proposalId, file } = JSON.parse(query) as { proposalId: string; file: string };
    return this.kept.get(proposalId)?.texts.get(file) ?? "";
  }

  // Without an id the newest.
  async review(proposalId = [...this.kept.keys()].at(-1) ?? ""): Promise<void> {
    const kept = this.kept.get(proposalId);
    if (!kept) {
      void inform("bodkin: nothing was applied in this window yet.");
      return;
    }
    const files = filesShown(kept.proposal).slice(0, kMaxTabs);
    for (const [index, file] of files.reverse().entries()) {
      const now = vscode.Uri.parse(uriAfter(kept.proposal, file));
      const before = now.with({ scheme: kScheme, authority: "", query: JSON.stringify({ proposalId, file }) });
      const options = { preview: false, preserveFocus: index < files.length - 1 };
      const title = plain(`${nameOf(now.toString())} (before ↔ now)`);
      if (await exists(now)) await vscode.commands.executeCommand("vscode.diff", before, now, title, options);
      else await vscode.commands.executeCommand("vscode.open", before, options, plain(`${nameOf(file)} (deleted)`));
    }
  }
}
