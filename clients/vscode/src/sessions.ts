// Conversations: each file's next ask goes on in its last session, unless the user begins a new one.
import { execFile } from "node:child_process";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import { serverPath } from "./server.ts";

const kOfFiles = "bodkin.sessionOfFile";
const kTitles = "bodkin.sessionTitles"; // given by the user, in this editor

export class Sessions {
  constructor(
    private readonly client: LanguageClient,
    private readonly memory: vscode.Memento,
  ) {}

  private get ofFiles(): Record<string, string> {
    return this.memory.get<Record<string, string>>(kOfFiles, {});
  }

  of(file: string | undefined): string | undefined {
    return file === undefined ? undefined : this.ofFiles[file];
  }

  remember(file: string, id: string | undefined): Thenable<void> {
    const { [file]: _, ...others } = this.ofFiles;
    return this.memory.update(kOfFiles, id ? { ...others, [file]: id } : others);
  }

  // No file's asks go on in it any more.
  private forget(id: string): Thenable<void> {
    return this.memory.update(kOfFiles, Object.fromEntries(Object.entries(this.ofFiles).filter(([, each]) => each !== id)));
  }

  // Those of the workspace, also of earlier runs, the one used last first.
  async list(): Promise<own.Session[]> {
    if (!this.client.isRunning()) return [];
    const { sessions } = await this.client.sendRequest<{ sessions: own.Session[] }>(own.listSessions, {});
    const titles = this.memory.get<Record<string, string>>(kTitles, {});
    return sessions.map((session) => ({ ...session, title: titles[session.id] ?? session.title }));
  }

  async choose(): Promise<own.Session | undefined> {
    const items = (await this.list()).map((session) => ({
      label: plain(session.title),
      description: new Date(session.used).toLocaleString(),
      detail: session.asks === 1 ? "1 ask" : `${session.asks} asks`,
      session,
    }));
    if (items.length > 0) return (await vscode.window.showQuickPick(items, { placeHolder: "Choose a session", matchOnDescription: true }))?.session;
    void vscode.window.showInformationMessage("bodkin: no sessions in this workspace yet.");
    return undefined;
  }

  async rename(session: own.Session): Promise<void> {
    const title = await vscode.window.showInputBox({ title: "bodkin: the session's new title, in this editor", value: session.title });
    if (!title?.trim()) return;
    await this.memory.update(kTitles, { ...this.memory.get<Record<string, string>>(kTitles, {}), [session.id]: title.trim() });
  }

  // Returns whether it is gone. Asked for by the user, so that the question may take keys.
  async remove(session: own.Session): Promise<boolean> {
    const choice = await vscode.window.showWarningMessage(plain(`bodkin: delete the session “${session.title}” and all that was said in it?`), "Delete", "Keep");
    if (choice !== "Delete") return false;
    return new Promise((resolve) => {
      execFile(serverPath(), ["history", "clear", session.id], (error, _, words) => {
        if (error) void vscode.window.showErrorMessage(plain(`bodkin: the session was not deleted: ${words.trim() || error.message}`));
        else void this.forget(session.id);
        resolve(!error);
      });
    });
  }
}
