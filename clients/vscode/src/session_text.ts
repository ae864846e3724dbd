// An old session to read: a page beside the documents, which stays until it is closed. Its text is Markdown of a model's, drawn as in the
// view "Conversation": it does nothing and fetches nothing.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";
import { escaped, htmlOf, kStyle } from "./html.ts";
import { plain } from "./plain.ts";
import { causeOf, tellFailure } from "./settings.ts";

const kMaxTitle = 60; // characters in a tab

export class SessionText implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>(); // by the session's id

  constructor(private readonly client: LanguageClient) {}

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
  }

  async show({ id, title }: own.Session): Promise<void> {
    const text = await this.textOf(id);
    if (text === undefined) return;
    const tab = plain(title).slice(0, kMaxTitle) || "Session";
    const panel = this.panels.get(id) ?? this.opened(id, tab);
    panel.title = tab;
    panel.webview.html = page(tab, text, randomBytes(16).toString("hex")); // it may have grown
    panel.reveal();
  }

  private opened(id: string, tab: string): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel("bodkin.session", tab, vscode.ViewColumn.Active, { enableFindWidget: true, localResourceRoots: [] });
    panel.onDidDispose(() => this.panels.delete(id));
    this.panels.set(id, panel);
    return panel;
  }

  private async textOf(sessionId: string): Promise<string | undefined> {
    try {
      return (await this.client.sendRequest<{ title: string; text: string }>(own.readSession, { sessionId })).text;
    } catch (error) {
      await tellFailure((error as Error).message, causeOf(error));
      return undefined;
    }
  }
}

function page(title: string, text: string, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<title>${escaped(title)}</title>
<style nonce="${nonce}">
${kStyle}main { max-width: 100ch; margin: 0 auto; padding: 0 12px; line-height: 1.5; }
h1 { font-size: 1.5em; } h2 { margin-top: 1.6em; padding-bottom: 4px; font-size: 1.25em; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); } h3 { font-size: 1.05em; }
</style></head>
<body><main>${htmlOf(text, true)}</main></body></html>`;
}
