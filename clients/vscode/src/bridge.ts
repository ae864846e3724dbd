// The bridge of diagnostics: what the editor's other servers say, with the version of the text that
// is shown, and whether they have seen that text yet.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";

export class Bridge {
  private sequence = 0;
  private nameless = 0;

  constructor(private readonly client: LanguageClient) {}

  // To be disposed of with the extension.
  listen(): vscode.Disposable {
    return vscode.languages.onDidChangeDiagnostics((event) => {
      for (const uri of event.uris) this.send(uri);
    });
  }

  // To a server that has just started: what was found before is news to it.
  sendAll(): void {
    for (const [uri, list] of vscode.languages.getDiagnostics()) if (list.length > 0) this.send(uri);
  }

  private diagnosticsOf(uri: vscode.Uri): unknown[] {
    return vscode.languages
      .getDiagnostics(uri)
      .filter((diagnostic) => diagnostic.source !== "bodkin")
      .map((diagnostic) => this.client.code2ProtocolConverter.asDiagnostic(diagnostic));
  }

  private send(uri: vscode.Uri): void {
    if (!this.client.isRunning()) return;
    void this.client.sendNotification(own.didChangeDiagnostics, {
      uri: this.client.code2ProtocolConverter.asUri(uri),
      documentVersion: opened(uri)?.version ?? null,
      sequence: ++this.sequence,
      diagnostics: this.diagnosticsOf(uri),
      complete: true,
    } satisfies own.DidChangeDiagnostics);
  }

  // VS Code tells nobody which servers look at a document, but asks them for its symbols: when that is
  // answered, they have seen the text of now. Where nobody has symbols, nothing is known: the name is
  // new each time, so that the server cannot learn to rely on it.
  async pulled(params: { uri: string; documentVersion: number }): Promise<own.PulledDiagnostics> {
    const uri = this.client.protocol2CodeConverter.asUri(params.uri);
    const symbols = await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", uri).then(
      (found) => found,
      () => undefined,
    );
    const document = opened(uri);
    const name = symbols ? `the ${document?.languageId} extension` : `an extension (${++this.nameless})`;
    return {
      documentVersion: document?.version ?? params.documentVersion,
      diagnostics: this.diagnosticsOf(uri),
      servers: [{ name, state: "answered" }],
    };
  }
}

function opened(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
