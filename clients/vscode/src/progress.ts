// The progress of an ask: a bar in the view "Conversation" while that is to be seen, which has the words and Cancel, so that nothing lies
// over the code; otherwise a notification with a Cancel button (the language client itself would show it in the status bar, where it
// cannot be cancelled).
import * as vscode from "vscode";
import {
  type LanguageClient,
  type WorkDoneProgressBegin,
  WorkDoneProgressCancelNotification,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageclient/node";

import { plain } from "./plain.ts";
import { headed } from "./proposals.ts";

type Value = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

const kPrefix = "bodkin/"; // of the token, before the id of the ask

interface Shown {
  draw(isSeen: boolean): void;
  report(message: string): void;
  end(): void;
}

export class AskProgress {
  private readonly shown = new Map<string, Shown>();

  // `began`: an ask of this id and title; returns whether the view is to be seen.
  constructor(private readonly began: (askId: string, title: string) => boolean) {}

  handle(client: LanguageClient, token: string | number, value: Value, next: () => void): void {
    const id = String(token).replace(kPrefix, "");
    if (value.kind === "begin") {
      const title = value.title.replace(/^bodkin: /, "");
      const isSeen = this.began(id, title);
      this.begin(client, token, id, title, value);
      this.shown.get(id)?.draw(isSeen);
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

  // The view was opened, or put away.
  viewTurned(isSeen: boolean): void {
    for (const each of this.shown.values()) each.draw(isSeen);
  }

  // The server has ended, and will end none of them.
  endAll(): void {
    for (const id of [...this.shown.keys()]) this.end(id);
  }

  private end(id: string): void {
    this.shown.get(id)?.end();
    this.shown.delete(id);
  }

  private begin(client: LanguageClient, token: string | number, id: string, title: string, { message, cancellable }: WorkDoneProgressBegin): void {
    let progress: vscode.Progress<{ message?: string }> | undefined;
    let end = () => {};
    let wasSeen: boolean | undefined;
    let latest = message ?? "";
    const say = () => progress?.report({ message: plain(latest ? headed(title, latest) : title) });
    const report = (text: string) => {
      latest = text;
      say();
    };
    // It may end before VS Code has begun to show it.
    const draw = (isSeen: boolean) => {
      if (isSeen === wasSeen) return;
      wasSeen = isSeen;
      end();
      progress = undefined;
      let isOver = false;
      const ended = new Promise<void>((resolve) => {
        end = () => {
          isOver = true;
          resolve();
        };
      });
      const location = isSeen ? { viewId: "bodkin.conversation" } : vscode.ProgressLocation.Notification;
      void vscode.window.withProgress({ location, title: "bodkin", cancellable }, (shown, cancelled) => {
        if (isOver) return ended;
        cancelled.onCancellationRequested(() => client.sendNotification(WorkDoneProgressCancelNotification.type, { token }));
        progress = shown;
        say();
        return ended;
      });
    };
    this.shown.set(id, { draw, report, end: () => end() });
  }
}
