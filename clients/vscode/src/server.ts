// The life of the server: which program it is, its start from every state, and what is said of its death.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, type LanguageClientOptions, State } from "vscode-languageclient/node";
import { Told, whyNotStartable } from "./program.ts";
import { alarm } from "./said.ts";
import { openSetting } from "./settings.ts";

const kMaxStart = 15_000; // milliseconds until the program has answered the first request
const kMaxEnd = 3000; // milliseconds, after which one that was told to end is killed

// The one in this extension, if it was packaged for a platform.
function packagedPath(): string | undefined {
  const path = join(__dirname, "..", "server", process.platform === "win32" ? "bodkin.exe" : "bodkin");
  return existsSync(path) ? path : undefined;
}

// The user's, the one in this extension, or the one on PATH.
function serverPath(): string {
  return vscode.workspace.getConfiguration("bodkin").get<string>("server.path") || (packagedPath() ?? "bodkin");
}

// Its failures are told by the server, once and in its words, and not by the library for each of its layers.
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

// It asks for VS Code 1.91, of which it uses nothing: tests/workbench runs with 1.90, too.
(LanguageClient.prototype as unknown as { checkVersion: () => void }).checkVersion = () => {};

export class Server {
  readonly client: LanguageClient;
  private process: ChildProcess | undefined;
  private starting: Promise<void> | undefined;
  private why = ""; // it does not run, if that is known

  // `died`: it has ended by itself.
  constructor(options: LanguageClientOptions, died: () => void) {
    this.client = new QuietClient("bodkin", "bodkin", () => this.spawned(), {
      ...options,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          if (this.client.state === State.Running) {
            this.why = "it ended unexpectedly.";
            died();
          }
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

  // Whether it runs, perhaps only after the start that is under way.
  async isUp(): Promise<boolean> {
    await this.starting;
    return this.client.isRunning();
  }

  // The same, and it is said if it does not.
  async mustBeUp(): Promise<boolean> {
    const isUp = await this.isUp();
    if (!isUp) this.tellDown();
    return isUp;
  }

  // From every state, also while a program that does not answer is being started.
  async restart(): Promise<void> {
    const { process } = this;
    if (this.starting) {
      this.isReplaced = true; // there is nothing to say of that start
      process?.kill("SIGKILL");
      await this.starting;
    }
    if (this.client.state === State.Running) await this.client.stop().catch(() => {});
    if (process) await ended(process);
    await this.start();
  }
  private isReplaced = false;

  // For the language client. The setting is read at each start: it may have changed.
  private async spawned(): Promise<ChildProcess> {
    const made = spawn(serverPath(), ["--stdio"], { stdio: "pipe" });
    this.process = made;
    const told = new Told();
    made.stderr.on("data", (piece) => told.add(String(piece)));
    made.stdin.on("error", () => {}); // it has ended: that is told by its end
    made.on("exit", (code, signal) => {
      if (this.process !== made) return;
      this.ending = told.ending(code, signal);
    });
    await new Promise<void>((resolve, reject) => made.once("spawn", resolve).once("error", reject));
    return made;
  }
  private ending = ""; // of the last process, in words

  private async startOnce(): Promise<void> {
    this.ending = "";
    this.isReplaced = false;
    const hindrance = whyNotStartable(serverPath());
    if (hindrance) return this.tellDown(hindrance);
    // A start that has failed is otherwise its answer for ever; there is no public way to begin again.
    if (this.client.state === State.StartFailed) (this.client as unknown as { _onStart: unknown })._onStart = undefined;
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      this.process?.kill("SIGKILL");
    }, kMaxStart);
    try {
      await this.client.start();
      this.why = "";
    } catch (error) {
      const { process } = this;
      if (process) await ended(process); // how, it says itself: a pipe may break before that is heard
      this.process = undefined;
      const how = isLate ? `has not answered for ${kMaxStart / 1000} s` : this.ending || `did not start: ${(error as Error).message}`;
      if (!this.isReplaced) this.tellDown(`"${serverPath()}" ${how}.`);
    } finally {
      clearTimeout(limit);
    }
  }

  // That it does not run and why, with what can be done. `again`: what shall be done once it runs.
  tellDown(why = whyNotStartable(serverPath()) ?? (this.why || "it was stopped."), again?: () => unknown): void {
    this.why = why;
    const restart = again ? "Restart and Retry" : "Restart";
    const packaged = packagedPath();
    const other = packaged && serverPath() !== packaged ? ["Use the Built-in Program"] : [];
    void alarm(`bodkin is not running: ${why}`, restart, ...other, "Choose Program…", "Open the Setting")
      .then(async (choice) => {
        if (choice === "Open the Setting") return openSetting("bodkin.server.path");
        if (choice === undefined) return;
        if (choice === "Choose Program…" && !(await this.choose())) return;
        if (choice === other[0]) await vscode.workspace.getConfiguration("bodkin").update("server.path", undefined, vscode.ConfigurationTarget.Global);
        if (choice === restart) await this.restart();
        else await this.start(); // the change of the setting has it begun
        if (again && (await this.isUp())) await again();
      });
  }

  // Returns whether one was chosen.
  private async choose(): Promise<boolean> {
    const [picked] = (await vscode.window.showOpenDialog({ title: "The bodkin program", openLabel: "Use This Program" })) ?? [];
    if (!picked) return false;
    await vscode.workspace.getConfiguration("bodkin").update("server.path", picked.fsPath, vscode.ConfigurationTarget.Global);
    return true;
  }
}

// Waits for the end of a process and of its output; one that takes long is killed.
async function ended(process: ChildProcess): Promise<void> {
  if (process.pid === undefined) return;
  const killed = setTimeout(() => process.kill("SIGKILL"), kMaxEnd);
  if (process.exitCode === null && process.signalCode === null) await new Promise((resolve) => process.once("exit", resolve));
  clearTimeout(killed);
  await new Promise((resolve) => setTimeout(resolve, 100)); // the language client hears of it, too
}
