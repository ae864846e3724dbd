// An old session to read: a page beside the documents, which stays until it is closed. Its text is Markdown of a model's, drawn as in the
// view "Conversation": it does nothing and fetches nothing. It is there again after a reload of the window.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";
import { escaped, htmlOf, kStyle } from "./html.ts";
import { fitted } from "./lengths.ts";
import { plain } from "./plain.ts";
import { causeOf, tellFailure } from "./settings.ts";

const kView = "bodkin.session"; // as in package.json
const kMaxTitle = 60; // characters in a tab
const kOptions: vscode.WebviewOptions = { enableScripts: true, localResourceRoots: [] };

export class SessionText implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>(); // by the session's id
  private readonly registered = vscode.window.registerWebviewPanelSerializer(kView, this);

  constructor(private readonly client: LanguageClient) {}

  // The pages stay: the window may be about to be reloaded.
  dispose(): void {
    this.registered.dispose();
  }

  async show({ id, title }: own.Session): Promise<void> {
    try {
      const { text } = await this.read(id);
      const tab = tabOf(title);
      const panel = this.panels.get(id) ?? this.kept(id, vscode.window.createWebviewPanel(kView, tab, vscode.ViewColumn.Active, { ...kOptions, enableFindWidget: true }));
      draw(panel, id, tab, htmlOf(text, true));
      panel.reveal();
    } catch (error) {
      await tellFailure((error as Error).message, causeOf(error));
    }
  }

  // After a reload of the window. Until bodkin runs there is nothing to read.
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: { session?: string } | undefined): Promise<void> {
    const id = state?.session;
    if (!id || this.panels.has(id)) return panel.dispose();
    panel.webview.options = kOptions;
    this.kept(id, panel);
    if (this.client.isRunning()) await this.refresh(id);
    else draw(panel, id, panel.title, "<p>This session can be read once bodkin runs.</p>");
  }

  // Those that are open may say more by now, or have another title: one session, or all.
  async refresh(only?: string): Promise<void> {
    for (const [id, panel] of this.panels) {
      if (only !== undefined && id !== only) continue;
      try {
        const { title, text } = await this.read(id);
        draw(panel, id, tabOf(title), htmlOf(text, true));
      } catch (error) {
        draw(panel, id, panel.title, `<p>${escaped((error as Error).message)}</p>`);
      }
    }
  }

  close(id: string): void {
    this.panels.get(id)?.dispose();
  }

  private kept(id: string, panel: vscode.WebviewPanel): vscode.WebviewPanel {
    panel.onDidDispose(() => this.panels.delete(id));
    this.panels.set(id, panel);
    return panel;
  }

  private read(sessionId: string): Promise<{ title: string; text: string }> {
    return this.client.sendRequest(own.readSession, { sessionId });
  }
}

const tabOf = (title: string) => fitted(plain(title), kMaxTitle) || "Session";

function draw(panel: vscode.WebviewPanel, id: string, title: string, html: string): void {
  panel.title = title;
  panel.webview.html = page(id, title, html, randomBytes(16).toString("hex"));
}

// Its only script says which session it is, for a reload of the window.
function page(id: string, title: string, html: string, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>${escaped(title)}</title>
<style nonce="${nonce}">
${kStyle}main { max-width: 100ch; margin: 0 auto; padding: 0 12px; line-height: 1.5; }
h1 { font-size: 1.5em; } h2 { margin-top: 1.6em; padding-bottom: 4px; font-size: 1.25em; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); } h3 { font-size: 1.05em; }
</style></head>
<body data-session="${escaped(id)}"><main>${html}</main>
<script nonce="${nonce}">acquireVsCodeApi().setState({ session: document.body.dataset.session });</script></body></html>`;
}
