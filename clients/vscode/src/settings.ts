// The editor's settings: opened at one of ours, where this window takes it from.
import * as vscode from "vscode";
import { settingIn } from "./conversation_html.ts";
import { plain } from "./plain.ts";

// Tells a failure; where it names a setting, that is opened from there. Returns which of the other buttons was pressed.
export async function tellFailure(message: string, ...buttons: string[]): Promise<string | undefined> {
  const key = settingIn(message);
  const choice = await vscode.window.showErrorMessage(plain(`bodkin: ${message}`), ...buttons, ...(key ? ["Open Setting"] : []));
  if (choice !== "Open Setting") return choice;
  if (key) await openSetting(key);
  return undefined;
}

export async function openSetting(key: string): Promise<void> {
  const query = `@id:${key}`;
  // In a remote window, settings of the machine are those of the remote one.
  if (vscode.env.remoteName) {
    await vscode.commands.executeCommand("workbench.action.openRemoteSettings", { query });
  } else {
    await vscode.commands.executeCommand("workbench.action.openSettings", { query });
  }
}
