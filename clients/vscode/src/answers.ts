// The model's answers without edits: short ones as a message, long ones as a page beside the code.
import * as vscode from "vscode";
import { plain } from "./plain.ts";
import { isLong, opening } from "./proposals.ts";

const kScheme = "bodkin-answer";

export class Answers implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts: string[] = [];
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(kScheme, this);

  dispose(): void {
    this.registered.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts[Number(uri.query)] ?? "";
  }

  async tell(text: string): Promise<void> {
    if (!isLong(text)) return void vscode.window.showInformationMessage(plain(text));
    const page = vscode.Uri.from({ scheme: kScheme, path: "/bodkin's answer.md", query: String(this.texts.push(text) - 1) });
    const choice = await vscode.window.showInformationMessage(plain(opening(text)), "Read");
    // As text: a preview would load images named by the model.
    if (choice) await vscode.window.showTextDocument(page, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
}
