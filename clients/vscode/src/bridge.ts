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
    const fromTypeScript = await typeScriptDiagnostics(uri);
    if (fromTypeScript) {
      const others = this.diagnosticsOf(uri).filter((diagnostic) => (diagnostic as { source?: string }).source !== "ts");
      return {
        documentVersion: fromTypeScript.version,
        diagnostics: [...others, ...fromTypeScript.list],
        servers: [{ name: "TypeScript", state: "pulled" }],
      };
    }
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

interface TypeScriptDiagnostic {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
  text: string;
  code?: number;
  category: string;
  source?: string;
}

// VS Code's own TypeScript is silent about a text without problems, but can be asked; for hints it is
// not. Nothing: it does not serve this document, or cannot be asked.
async function typeScriptDiagnostics(uri: vscode.Uri): Promise<{ version: number; list: unknown[] } | undefined> {
  const document = opened(uri);
  if (!document || !/^(type|java)script(react)?$/.test(document.languageId)) return undefined;
  const version = document.version;
  const list: unknown[] = [];
  for (const request of ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"]) {
    const answer = await vscode.commands
      .executeCommand<{ type?: string; body?: TypeScriptDiagnostic[] } | undefined>("typescript.tsserverRequest", request, { file: uri })
      .then(
        (found) => found,
        () => undefined,
      );
    if (answer?.type !== "response" || !Array.isArray(answer.body)) return undefined;
    for (const { start, end, text, code, category, source } of answer.body) {
      list.push({
        range: {
          start: { line: start.line - 1, character: start.offset - 1 },
          end: { line: end.line - 1, character: end.offset - 1 },
        },
        severity: category === "error" ? 1 : category === "warning" ? 2 : 4,
        message: text,
        code,
        source: source ?? "ts",
      });
    }
  }
  return opened(uri)?.version === version ? { version, list } : undefined;
}

function opened(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
