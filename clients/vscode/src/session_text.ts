// An old session to read: as a document that nobody can edit, which stays until it is closed.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";
import { visible } from "./plain.ts";
import { causeOf, tellFailure } from "./settings.ts";

export const kSession = "bodkin-session";

// The path is what the tab shows. Markdown is not drawn: it is the model's, and could fetch pictures.
const uriOf = ({ id, title }: { id: string; title: string }) =>
  vscode.Uri.from({ scheme: kSession, path: `/${title.replace(/[/\\]/g, " ").slice(0, 60) || "Session"}.md`, query: id });

export class SessionText implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(kSession, this);

  constructor(private readonly client: LanguageClient) {}

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }

  async show(session: own.Session): Promise<void> {
    const uri = uriOf(session);
    this.changed.fire(uri); // it may be open, and have grown
    const document = await vscode.workspace.openTextDocument(uri).then((found) => found, async (error: Error) => {
      await tellFailure(error.message, {});
      return undefined;
    });
    if (document) await vscode.window.showTextDocument(document, { preview: false });
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    try {
      const { text } = await this.client.sendRequest<{ title: string; text: string }>(own.readSession, { sessionId: query });
      return visible(text);
    } catch (error) {
      void tellFailure((error as Error).message, causeOf(error));
      return `This session cannot be read: ${(error as Error).message}\n`;
    }
  }
}
