// The progress of an ask as a notification with a Cancel button (the language client itself would
// show it in the status bar, where it cannot be cancelled).
import * as vscode from "vscode";
import {
  type LanguageClient,
  type WorkDoneProgressBegin,
  WorkDoneProgressCancelNotification,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageclient/node";

import { plain } from "./plain.ts";

type Value = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

const kPrefix = "bodkin/"; // of the token, before the id of the ask

export class AskProgress {
  private readonly shown = new Map<string, { report(message: string): void; end(): void }>();

  // `began`: an ask of this id and title.
  constructor(private readonly began: (askId: string, title: string) => void) {}

  handle(client: LanguageClient, token: string | number, value: Value, next: () => void): void {
    const id = String(token).replace(kPrefix, "");
    if (value.kind === "begin") {
      this.began(id, value.title.replace(/^bodkin: /, ""));
      this.begin(client, token, id, value);
      return;
    }
    if (value.kind === "report") {
      this.report(id, value.message ?? "");
      return;
    }
    this.end(id);
    next(); // so that the language client forgets the token
  }

  report(askId: string, message: string): void {
    this.shown.get(askId)?.report(message);
  }

  // The server has ended, and will end none of them.
  endAll(): void {
    for (const id of [...this.shown.keys()]) this.end(id);
  }

  private end(id: string): void {
    this.shown.get(id)?.end();
    this.shown.delete(id);
  }

  // It may end before VS Code has begun to show it.
  private begin(client: LanguageClient, token: string | number, id: string, { title, message, cancellable }: WorkDoneProgressBegin): void {
    let progress: vscode.Progress<{ message?: string }> | undefined;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    let latest = message ?? "";
    const report = (text: string) => {
      latest = text;
      progress?.report({ message: plain(text) });
    };
    this.shown.set(id, { report, end });
    const options = { location: vscode.ProgressLocation.Notification, title: plain(title), cancellable };
    void vscode.window.withProgress(options, (shown, cancelled) => {
      cancelled.onCancellationRequested(() => client.sendNotification(WorkDoneProgressCancelNotification.type, { token }));
      progress = shown;
      progress.report({ message: plain(latest) });
      return ended;
    });
  }
}
