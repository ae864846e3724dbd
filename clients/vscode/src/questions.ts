// What the model needs permission for. A question is in the view "Conversation" with all its answers, and is told by a notification,
// which never takes keyboard focus: what is typed when it appears is never an answer. It can also be answered later, with the command; if
// there is no answer, the server eventually refuses and cancels the request.
import * as vscode from "vscode";
import type { Question } from "./extensions.ts";
import { plain, visible } from "./plain.ts";
import { choicesOf, type Button, type Choice, inWords } from "./choices.ts";
import { inform, warn } from "./said.ts";

const kShown = "bodkin-question";
const kMore = "All Answers…";

interface Answer {
  choice: Choice;
  reason?: string; // of a rejection, for the model
}

export interface Waiting {
  id: number;
  question: Question;
  give(answer: Answer): void;
}

export class Questions implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly waiting: Waiting[] = [];
  private count = 0;
  private readonly shown = new Map<string, string>(); // texts by path
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidTurn = this.changed.event; // one was asked or answered
  private readonly answered = new vscode.EventEmitter<{ words: string; isRefused: boolean }>();
  readonly onDidAnswer = this.answered.event;
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(kShown, this);

  dispose(): void {
    vscode.Disposable.from(this.changed, this.answered, this.registered).dispose();
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.shown.get(path) ?? "This question is answered.\n";
  }

  // The answer to bodkin/permit.
  async asked(question: Question, token: vscode.CancellationToken): Promise<Answer> {
    const answer = await new Promise<Answer>((give) => {
      const one = { id: ++this.count, question, give };
      this.waiting.push(one);
      this.changed.fire();
      token.onCancellationRequested(() => give({ choice: "reject" }));
      void this.notify(one);
    });
    const index = this.waiting.findIndex((each) => each.question === question);
    if (index >= 0) this.waiting.splice(index, 1);
    this.changed.fire();
    if (!token.isCancellationRequested) this.answered.fire({ words: inWords(question, answer.choice, answer.reason), isRefused: answer.choice === "reject" });
    return answer;
  }

  get oldest(): Question | undefined {
    return this.waiting[0]?.question;
  }

  // The user asked for it: now it may take keys.
  async answer(one: Waiting | undefined = this.waiting[0]): Promise<void> {
    if (!one) return void inform("bodkin: no open questions.");
    const items = choicesOf(one.question).map(({ label, choice }) => ({ label, choice }));
    const picked = await vscode.window.showQuickPick(items, { title: plain(`bodkin: ${one.question.title}`) });
    if (picked) await this.take(one, picked.choice);
  }

  // From the view.
  async chosen(id: number, choice: string): Promise<void> {
    const one = this.waiting.find((each) => each.id === id);
    const picked = one && choicesOf(one.question).find((each) => each.choice === choice);
    if (one && picked) await this.take(one, picked.choice);
  }

  // A notification has room for three buttons, and cannot be taken back: once the question is answered elsewhere, it is hidden.
  private async notify(one: Waiting): Promise<void> {
    const choices = choicesOf(one.question).filter(({ choice }) => choice === "once" || choice === "reject");
    let isTold = true;
    const end = this.changed.event(() => {
      if (this.waiting.includes(one)) return;
      end.dispose();
      if (isTold) void vscode.commands.executeCommand("notifications.hideToasts");
    });
    const label = await warn(`bodkin: May the model do this? ${one.question.title}`, ...choices.map((each) => each.label), kMore);
    isTold = false;
    if (!this.waiting.includes(one)) return;
    if (label === kMore) return this.answer(one);
    const picked = choices.find((each) => each.label === label);
    if (picked) await this.take(one, picked.choice); // closed without an answer: it waits for the view or the command
  }

  private async take(one: Waiting, choice: Button): Promise<void> {
    if (choice === "explain") {
      const reason = await vscode.window.showInputBox({
        title: plain(`bodkin: ${one.question.title}`),
        prompt: "Why not? The model is told, and goes on.",
      });
      return reason ? one.give({ choice: "reject", reason }) : undefined; // closed: it waits for the command
    }
    if (choice !== "show") return one.give({ choice });
    const path = `/Question ${one.id}.diff`;
    this.shown.set(path, visible(`${one.question.title}\n\n${one.question.detail}`));
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: kShown, path }));
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
