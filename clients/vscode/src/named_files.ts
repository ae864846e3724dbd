// Files that the server and the model name by their paths in the folders of the window.
import * as vscode from "vscode";
import { inform } from "./said.ts";
import { exists } from "./texts.ts";

// Where such a file is, if it is there. With several folders a path begins with the name of one.
export async function fileNamed(path: string): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first, ...others] = path.split("/");
  const places = [
    ...folders
      .filter(({ name }) => name === first && others.length > 0)
      .map(({ uri }) => vscode.Uri.joinPath(uri, ...others)),
    ...folders.map(({ uri }) => vscode.Uri.joinPath(uri, path)),
    ...(path.startsWith("/") ? [vscode.Uri.file(path)] : []),
    ...vscode.workspace.textDocuments.filter(({ uri }) => uri.path.endsWith(`/${path}`)).map(({ uri }) => uri),
  ];
  for (const uri of places) if (await exists(uri)) return uri;
  return undefined;
}

// `line`: from 1; 0: wherever the cursor is.
export async function openNamed(path: string, line = 0): Promise<void> {
  const uri = await fileNamed(path);
  if (!uri) return void inform(`bodkin: ${path} is not there (any more).`);
  const at = line > 0 ? new vscode.Range(line - 1, 0, line - 1, 0) : undefined;
  await vscode.window.showTextDocument(uri, { preview: true, ...(at && { selection: at }) });
}
