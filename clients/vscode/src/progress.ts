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

export class AskProgress {
  private readonly shown = new Map<string | number, { report(message?: string): void; end(): void }>();

  handle(client: LanguageClient, token: string | number, value: Value, next: () => void): void {
    if (value.kind === "begin") {
      this.begin(client, token, value);
      return;
    }
    const shown = this.shown.get(token);
    if (value.kind === "report") {
      shown?.report(value.message);
      return;
    }
    this.shown.delete(token);
    shown?.end();
    next(); // so that the language client forgets the token
  }

  // It may end before VS Code has begun to show it.
  private begin(client: LanguageClient, token: string | number, { title, message, cancellable }: WorkDoneProgressBegin): void {
    let progress: vscode.Progress<{ message?: string }> | undefined;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    let latest = message;
    const report = (text?: string) => {
      latest = text;
      progress?.report({ message: plain(text ?? "") });
    };
    this.shown.set(token, { report, end });
    const options = { location: vscode.ProgressLocation.Notification, title: plain(title), cancellable };
    void vscode.window.withProgress(options, (shown, cancelled) => {
      cancelled.onCancellationRequested(() => client.sendNotification(WorkDoneProgressCancelNotification.type, { token }));
      progress = shown;
      progress.report({ message: plain(latest ?? "") });
      return ended;
    });
  }
}
