// The bridge of diagnostics: the diagnostics of the editor's other servers, with the version of the
// text, and whether the servers have seen that text yet.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";

export class Bridge {
  private sequence = 0;
  private nameless = 0;

  constructor(private readonly client: LanguageClient) {}

  // Dispose of the result with the extension.
  listen(): vscode.Disposable {
    return vscode.languages.onDidChangeDiagnostics((event) => {
      for (const uri of event.uris) this.send(uri);
    });
  }

  // For a server that has just started: it has not seen earlier diagnostics.
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

  // VS Code does not reveal which servers handle a document, but can ask them for its symbols: once they
  // answer, they have seen the current text. Without symbols nothing is known: the name is new each time,
  // so that the server cannot learn to rely on it.
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
