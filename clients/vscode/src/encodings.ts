// Tells the server in which encoding the editor loads files and saves open documents.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";

const setting = (scope?: vscode.Uri) => vscode.workspace.getConfiguration("files", scope).get<string>("encoding") ?? "";

export class Encodings {
  private readonly told = new Map<string, string>(); // by the document's URI

  constructor(private readonly client: () => LanguageClient) {}

  // Once the server runs, and when the setting changes.
  tellSetting(): void {
    this.send({ encoding: setting() });
  }

  // When a document was opened, changed or saved: it may have been read or written in another encoding.
  tell(document: vscode.TextDocument, isNew = false): void {
    if (document.uri.scheme !== "file") return;
    const uri = this.client().code2ProtocolConverter.asUri(document.uri);
    // VS Code 1.100 has the encoding that it really is.
    const encoding = (document as { encoding?: string }).encoding ?? setting(document.uri);
    if (!isNew && this.told.get(uri) === encoding) return;
    this.told.set(uri, encoding);
    this.send({ uri, encoding });
  }

  private send(params: own.DidChangeEncoding): void {
    if (this.client().isRunning()) void this.client().sendNotification(own.didChangeEncoding, params);
  }
}
