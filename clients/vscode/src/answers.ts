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

  // `action`: what can be done about it; the result says whether it was chosen, also after reading.
  async tell(text: string, action?: string): Promise<boolean> {
    const actions = action ? [action] : [];
    if (!isLong(text)) return this.chose(action, await vscode.window.showInformationMessage(plain(text), ...actions));
    const page = vscode.Uri.from({ scheme: kScheme, path: "/bodkin's answer.md", query: String(this.texts.push(text) - 1) });
    const choice = await vscode.window.showInformationMessage(plain(opening(text)), "Read", ...actions);
    if (choice !== "Read") return this.chose(action, choice);
    // As text: a preview would load images named by the model.
    await vscode.window.showTextDocument(page, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    return action !== undefined && this.chose(action, await vscode.window.showInformationMessage(plain(opening(text)), action));
  }

  private chose(action: string | undefined, choice: string | undefined): boolean {
    return action !== undefined && choice === action;
  }
}
