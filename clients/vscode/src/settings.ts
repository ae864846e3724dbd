// The editor's settings: opened at one of ours, where this window takes it from.
import * as vscode from "vscode";

export async function openSetting(key: string): Promise<void> {
  const query = `@id:${key}`;
  // In a remote window, settings of the machine are those of the remote one.
  if (vscode.env.remoteName) {
    await vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query });
  } else {
    await vscode.commands.executeCommand("workbench.action.openSettings", { query });
  }
}
