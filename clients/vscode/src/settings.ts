// The editor's settings: opened at one of ours, where this window takes it from.
import * as vscode from "vscode";
import type { Cause } from "./extensions.ts";
import { alarm } from "./said.ts";

// What the server says of an error besides its words.
export const causeOf = (error: unknown): Cause => (error as { data?: Cause }).data ?? {};

// Tells a failure; the setting that can mend it is opened from there. Returns which of the other buttons was pressed.
export async function tellFailure(message: string, { setting }: Cause, ...buttons: string[]): Promise<string | undefined> {
  const open = "Open the Setting";
  const choice = await alarm(`bodkin: ${message}`, ...(setting ? [open] : []), ...buttons);
  if (choice !== open) return choice;
  if (setting) await openSetting(setting);
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
