// Conversations: each file's next ask goes on in its last session, unless the user begins a new one.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import { count } from "./proposals.ts";
import { inform, warn } from "./said.ts";
import { causeOf, tellFailure } from "./settings.ts";

const kOfFiles = "bodkin.sessionOfFile";

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
    return (await this.client.sendRequest<{ sessions: own.Session[] }>(own.listSessions, {})).sessions;
  }

  // What was asked, said and done in it, as Markdown.
  read(sessionId: string): Promise<{ title: string; text: string }> {
    return this.client.sendRequest(own.readSession, { sessionId });
  }

  // Whether a model has said anything in it.
  async isAnswered(id: string | undefined): Promise<boolean> {
    const all = await this.list().catch(() => []);
    return all.some((session) => session.id === id && session.answered !== false);
  }

  async choose(): Promise<own.Session | undefined> {
    const items = (await this.list()).map((session) => ({
      label: plain(session.title),
      description: new Date(session.used).toLocaleString(),
      detail: count(session.asks, "request"),
      session,
    }));
    if (items.length > 0) return (await vscode.window.showQuickPick(items, { placeHolder: "Choose a session", matchOnDescription: true }))?.session;
    void inform("bodkin: no sessions in this workspace yet.");
    return undefined;
  }

  async rename(session: own.Session): Promise<void> {
    const title = await vscode.window.showInputBox({ title: "bodkin: the session's new title", value: session.title });
    if (title?.trim()) await this.change(own.renameSession, { sessionId: session.id, name: title.trim() });
  }

  // Returns whether it is gone. Asked for by the user, so that the question may take keys.
  async remove(session: own.Session): Promise<boolean> {
    const choice = await warn(`bodkin: delete the session “${session.title}” and everything said in it?`, "Delete", "Keep");
    if (choice !== "Delete" || !(await this.change(own.deleteSession, { sessionId: session.id }))) return false;
    await this.forget(session.id);
    return true;
  }

  private change(method: string, params: object): Promise<boolean> {
    const done = this.client.sendRequest(method, params);
    return done.then(() => true, async (error: Error) => {
      await tellFailure(error.message, causeOf(error));
      return false;
    });
  }
}
