// The life of the server: which program it is, its start from every state, and what is said of its death.
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, type LanguageClientOptions, State } from "vscode-languageclient/node";
import { whyNotStartable } from "./program.ts";
import { openSetting } from "./settings.ts";

// The user's, the one in this extension if it was packaged for a platform, or the one on PATH.
function serverPath(): string {
  const chosen = vscode.workspace.getConfiguration("bodkin").get<string>("server.path");
  const packaged = join(__dirname, "..", "server", "bodkin");
  return chosen || (existsSync(packaged) ? packaged : "bodkin");
}

export class Server {
  readonly client: LanguageClient;
  private starting: Promise<void> | undefined;

  // `died`: it has ended by itself.
  constructor(options: LanguageClientOptions, died: () => void) {
    // Read at each start: the setting may have changed.
    const executable = {
      get command() {
        return serverPath();
      },
      args: ["--stdio"],
    };
    this.client = new LanguageClient("bodkin", "bodkin", executable, {
      ...options,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          if (this.client.state === State.Running) died();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    });
  }

  // Once at a time. What hinders it is told, with what can be done.
  start(): Promise<void> {
    this.starting ??= this.startOnce().finally(() => (this.starting = undefined));
    return this.starting;
  }

  async restart(): Promise<void> {
    if (this.client.state === State.Running) await this.client.stop().catch(() => {});
    await this.start();
  }

  private async startOnce(): Promise<void> {
    const hindrance = whyNotStartable(serverPath());
    if (hindrance) return void this.tellMissing(hindrance);
    // A start that has failed is otherwise its answer for ever; there is no public way to begin anew.
    if (this.client.state === State.StartFailed) (this.client as unknown as { _onStart: unknown })._onStart = undefined;
    try {
      await this.client.start();
    } catch (error) {
      this.tellMissing(`"${serverPath()}" did not start: ${(error as Error).message}`);
    }
  }

  tellMissing(why = whyNotStartable(serverPath()) ?? "it has been stopped."): void {
    void vscode.window
      .showErrorMessage(`bodkin is not running: ${why}`, "Restart", "Choose Program…", "Open Setting")
      .then(async (choice) => {
        if (choice === "Restart") await this.restart();
        if (choice === "Open Setting") await openSetting("bodkin.server.path");
        if (choice === "Choose Program…") await this.choose();
      });
  }

  private async choose(): Promise<void> {
    const [picked] = (await vscode.window.showOpenDialog({ title: "The bodkin program", openLabel: "Use This Program" })) ?? [];
    if (!picked) return;
    await vscode.workspace.getConfiguration("bodkin").update("server.path", picked.fsPath, vscode.ConfigurationTarget.Global);
    await this.restart();
  }
}
