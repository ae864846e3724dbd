// The proposed text of a file, edited before it is taken: saving it makes a proposal of its own, which is checked and placed
// as any other and takes the old one's place. Autosave only keeps what is typed: the person says when it is done.
import * as vscode from "vscode";
import * as own from "./extensions.ts";
import { fateOf, filesOf } from "./proposals.ts";
import { inform } from "./said.ts";
import { wholeDiff } from "./whole_diff.ts";
import type { Run } from "./review.ts";

const kEdited = "bodkin-edit";

interface Edited {
  proposal: own.Proposal;
  file: string;
  proposed: string; // the text that it began with
  text: Uint8Array;
  time: number;
}

// A file system of the texts that are being edited, in memory.
export class EditedTexts implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly texts = new Map<string, Edited>(); // by URI
  private readonly kept = new Set<string>(); // URIs that are being saved by themselves, not by the person
  private readonly done = new Set<string>(); // URIs that are proposed as soon as they are saved, whoever saves them
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly all: vscode.Disposable;

  constructor(
    private readonly run: Run,
    private readonly proposedText: (proposalId: string, file: string) => Promise<string>,
  ) {
    this.all = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerFileSystemProvider(kEdited, this, { isCaseSensitive: true }),
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.Manual) this.kept.delete(uri.toString());
        else if (this.texts.has(uri.toString())) this.kept.add(uri.toString());
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        const edited = this.texts.get(uri.toString());
        const isKept = this.kept.delete(uri.toString());
        if (edited && !isKept && !this.done.has(uri.toString())) void this.propose(uri, edited);
      }),
    );
  }

  dispose(): void {
    this.all.dispose();
  }

  async begin(proposal: own.Proposal, file: string): Promise<void> {
    if (filesOf(proposal).some((each) => fateOf(proposal, each)?.startsWith("renamed"))) {
      void inform("bodkin: a proposal that renames a file cannot be edited. Apply it, then edit the file.");
      return;
    }
    const document = vscode.Uri.parse(file);
    const uri = document.with({ scheme: kEdited, authority: "", query: proposal.proposalId });
    const proposed = await this.proposedText(proposal.proposalId, file);
    // A tab that was closed before its text was proposed is gone on with.
    if (this.texts.get(uri.toString())?.proposed !== proposed) {
      this.texts.set(uri.toString(), { proposal, file, proposed, text: new TextEncoder().encode(proposed), time: Date.now() });
    }
    const name = vscode.workspace.asRelativePath(document);
    if (fateOf(proposal, file) === "new file") await vscode.window.showTextDocument(uri, { preview: false });
    else await vscode.commands.executeCommand("vscode.diff", document, uri, `${name} (edit, then save)`, { preview: false });
  }

  // Saves the text that is edited in front, and proposes it. An autosave that is under way takes the place of this save, and
  // then no event says that the person asked for it.
  async proposeActive(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const uri = document?.uri.toString() ?? "";
    const edited = this.texts.get(uri);
    if (!document || !edited) return void inform("bodkin: no proposed text is being edited here.");
    this.done.add(uri);
    let isSaved = !document.isDirty;
    try {
      if (!isSaved) isSaved = await document.save();
    } finally {
      this.done.delete(uri);
    }
    // Else what was saved before would be proposed, without what was typed since.
    if (!isSaved) return void inform("bodkin: nothing was proposed, for the text could not be saved. Save it, then propose it again.");
    await this.propose(document.uri, edited);
  }

  private async propose(uri: vscode.Uri, { proposal, file, text }: Edited): Promise<void> {
    const { proposalId } = proposal;
    const parts = await Promise.all(
      filesOf(proposal).map(async (each) => {
        const at = vscode.Uri.parse(each);
        const fate = fateOf(proposal, each);
        const old = fate === "new file" ? undefined : (await vscode.workspace.openTextDocument(at)).getText();
        const made = each === file ? new TextDecoder().decode(text) : await this.proposedText(proposalId, each);
        return wholeDiff(vscode.workspace.asRelativePath(at), old, fate === "deleted" ? undefined : made);
      }),
    );
    const answer = await this.run<{ proposalId: string }>(own.commands.applyReply, { text: parts.join(""), textDocument: { uri: file }, proposalId });
    if (!answer) return; // it stays open, and can be saved again
    const edited = this.texts.get(uri.toString());
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (edited && (edited.text !== text || document?.isDirty)) {
      edited.proposal = { ...proposal, ...answer }; // typed in meanwhile: goes on
      return;
    }
    this.texts.delete(uri.toString());
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const its = tabs.filter(({ input }) => {
      const at = (input as { modified?: vscode.Uri; uri?: vscode.Uri } | undefined)?.modified ?? (input as { uri?: vscode.Uri } | undefined)?.uri;
      return at?.toString() === uri.toString();
    });
    await vscode.window.tabGroups.close(its);
  }

  private found(uri: vscode.Uri): Edited {
    const edited = this.texts.get(uri.toString());
    if (!edited) throw vscode.FileSystemError.FileNotFound("This text is no longer edited: its proposal is closed.");
    return edited;
  }
  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, time } = this.found(uri);
    return { type: vscode.FileType.File, ctime: time, mtime: time, size: text.length };
  }
  readFile(uri: vscode.Uri): Uint8Array {
    return this.found(uri).text;
  }
  writeFile(uri: vscode.Uri, text: Uint8Array): void {
    Object.assign(this.found(uri), { text, time: Date.now() });
  }
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
