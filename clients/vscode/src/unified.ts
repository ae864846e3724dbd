// The view of a proposal as one diff, with lenses over each change.
import * as vscode from "vscode";
import { drawingOf } from "./drawing.ts";
import type { Hunk, Proposal } from "./extensions.ts";
import { plain, visible } from "./plain.ts";
import { fateOf, filesOf, verdictOf } from "./proposals.ts";
import { placeAt, type UnifiedPlace, unifiedOf } from "./unified_text.ts";
import { textOf } from "./texts.ts";

export const kUnified = "bodkin-unified";

const uriOf = (proposalId: string) => vscode.Uri.from({ scheme: kUnified, path: "/Proposal.diff", query: JSON.stringify({ proposalId }) });
const idOf = (uri: vscode.Uri): string => (JSON.parse(uri.query) as { proposalId: string }).proposalId;

export class Unified implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  private readonly places = new Map<string, UnifiedPlace[]>(); // by the proposal's id
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly all: vscode.Disposable;

  // `words`: what the model said of it.
  constructor(
    private readonly byId: (id: string) => Proposal | undefined,
    private readonly waiting: (proposalId: string, file: string) => Promise<{ hunks: Hunk[]; outOfDate: Hunk[] }>,
    private readonly words: (proposal: Proposal) => string,
  ) {
    this.all = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(kUnified, this),
      vscode.languages.registerCodeLensProvider({ scheme: kUnified }, this),
    );
  }

  dispose(): void {
    this.all.dispose();
  }

  refresh(proposalId: string): void {
    this.changed.fire(uriOf(proposalId));
  }

  async show({ proposalId }: Proposal): Promise<void> {
    this.refresh(proposalId); // it may be open, and older
    const document = await vscode.workspace.openTextDocument(uriOf(proposalId));
    await vscode.window.showTextDocument(document, { preview: false });
  }

  // The change at the cursor of the active editor, if that shows such a view.
  here(): { proposalId: string; hunk: number; file: string } | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme !== kUnified) return undefined;
    const proposalId = idOf(editor.document.uri);
    const place = placeAt(this.places.get(proposalId) ?? [], editor.selection.active.line);
    return place && { proposalId, hunk: place.hunk, file: place.file };
  }

  // The cursor to the next change (1) or the one before (-1).
  go(by: 1 | -1): boolean {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme !== kUnified) return false;
    const places = this.places.get(idOf(editor.document.uri)) ?? [];
    const { line } = editor.selection.active;
    const next = by > 0 ? (places.find(({ first }) => first > line) ?? places[0]) : (places.filter(({ first }) => first < line).at(-1) ?? places.at(-1));
    if (next) {
      editor.selection = new vscode.Selection(next.first, 0, next.first, 0);
      editor.revealRange(new vscode.Range(next.first, 0, next.last, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    return true;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const proposal = this.byId(idOf(uri));
    if (!proposal) return "This proposal is closed: it was applied, discarded or replaced.\n";
    const files = await Promise.all(
      filesOf(proposal).map(async (file) => {
        const at = vscode.Uri.parse(file);
        const { hunks, outOfDate } = await this.waiting(proposal.proposalId, file);
        const lines = visible((await textOf(at)) ?? "").split("\n");
        const fate = fateOf(proposal, file);
        const problems = proposal.verification?.problems ?? [];
        const changes = hunks.map((hunk) => ({
          drawing: drawingOf({ ...hunk, newText: visible(hunk.newText) }, lines.length, (index) => lines[index]),
          problems: problems.filter((each) => each.hunk === hunk.index).map(({ source, message }) => visible(`${source}: ${message.split("\n")[0]}`)),
        }));
        return { uri: file, words: plain(vscode.workspace.asRelativePath(at) + (fate ? ` (${fate})` : "")), lines, changes, outOfDate: outOfDate.map(({ range }) => range.start.line) };
      }),
    );
    const head = [proposal.title || "Proposal", verdictOf(proposal)].map(visible);
    const { text, places } = unifiedOf(head, visible(this.words(proposal)), files.filter(({ changes, outOfDate }) => changes.length + outOfDate.length > 0));
    this.places.set(proposal.proposalId, places);
    return text;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const proposalId = idOf(document.uri);
    return (this.places.get(proposalId) ?? []).flatMap(({ first, hunk, file }) => {
      const range = new vscode.Range(first, 0, first, 0);
      const lens = (title: string, command: string) => new vscode.CodeLens(range, { title, command, arguments: [{ proposalId, hunk, file }] });
      return [lens("bodkin: Apply This Change", "bodkin.applyChange"), lens("Discard", "bodkin.discardChange")];
    });
  }
}
