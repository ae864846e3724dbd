// The texts of files as they are, on disk or in documents.
import * as vscode from "vscode";

function openAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

// Whether a file is on disk or open.
export async function exists(uri: vscode.Uri): Promise<boolean> {
  if (openAt(uri)) return true;
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

// The text of a file; nothing if there is none. Reading opens no document: the server would take it for one that stays when its file is
// deleted. Before 1.100 VS Code decodes for nobody, and what is not UTF-8 is shown with replacement characters.
export async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = openAt(uri);
  if (open) return open.getText();
  const { decode } = vscode.workspace as { decode?: (bytes: Uint8Array, of: { uri: vscode.Uri }) => Thenable<string> };
  return vscode.workspace.fs.readFile(uri).then(
    (bytes) => (decode ? decode(bytes, { uri }) : new TextDecoder().decode(bytes)),
    () => undefined,
  );
}
