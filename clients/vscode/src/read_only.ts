// Files that are read-only here. VS Code applies an extension's edit to them all the same, but never saves them, and has no API that says
// which they are; but it refuses to save them, and saves nothing of a document that has not changed.
import * as vscode from "vscode";
import type { ApplyWorkspaceEditParams } from "vscode-languageclient/node";
import { changedSince } from "./versions.ts";

export async function isReadOnly(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== "file") return false;
  const stat = await vscode.workspace.fs.stat(uri).then((found) => found, () => undefined); // it may be new
  if (!stat) return false;
  if ((stat.permissions ?? 0) & vscode.FilePermission.Readonly) return true;
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  return document !== undefined && !document.isDirty && !(await document.save());
}

// Why an edit cannot be applied.
export async function whyNotApplied({ edit, documentVersions }: ApplyWorkspaceEditParams & { documentVersions?: Record<string, number> }): Promise<string | undefined> {
  const names = [...(edit.documentChanges ?? []).flatMap((change) => ("textDocument" in change ? [change.textDocument.uri] : [])), ...Object.keys(edit.changes ?? {})];
  for (const uri of [...new Set(names)].map((name) => vscode.Uri.parse(name))) {
    if (await isReadOnly(uri)) return `${vscode.workspace.asRelativePath(uri)} is read-only here`;
  }
  const { textDocuments } = vscode.workspace;
  const changed = changedSince(documentVersions, (uri) => textDocuments.find((each) => each.uri.toString() === vscode.Uri.parse(uri).toString())?.version);
  return changed && `${vscode.workspace.asRelativePath(vscode.Uri.parse(changed))} has changed meanwhile`;
}
