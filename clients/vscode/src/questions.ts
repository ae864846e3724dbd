// What the model needs permission for. A question is a notification, which never takes keyboard focus: what is typed
// when it appears is never an answer. It can also be answered later, with the command; if there is no
// answer, the server eventually refuses and cancels the request.
import * as vscode from "vscode";
import type { Question } from "./extensions.ts";
import { plain } from "./plain.ts";
import { choicesOf, type Button, type Choice } from "./choices.ts";

interface Answer {
  choice: Choice;
  reason?: string; // of a rejection, for the model
}

interface Waiting {
  question: Question;
  give(answer: Answer): void;
}

export class Questions {
  private readonly waiting: Waiting[] = [];

  // The answer to bodkin/permit.
  async asked(question: Question, token: vscode.CancellationToken): Promise<Answer> {
    const answer = await new Promise<Answer>((give) => {
      const one = { question, give };
      this.waiting.push(one);
      token.onCancellationRequested(() => give({ choice: "reject" }));
      void this.notify(one);
    });
    const index = this.waiting.findIndex((each) => each.question === question);
    if (index >= 0) this.waiting.splice(index, 1);
    return answer;
  }

  get oldest(): Question | undefined {
    return this.waiting[0]?.question;
  }

  // The user asked for it: now it may take keys.
  async answer(): Promise<void> {
    const one = this.waiting[0];
    if (!one) return void vscode.window.showInformationMessage("bodkin: no open questions.");
    const items = choicesOf(one.question).map(({ label, choice }) => ({ label, choice }));
    const picked = await vscode.window.showQuickPick(items, { title: plain(`bodkin: ${one.question.title}`) });
    if (picked) await this.take(one, picked.choice);
  }

  private async notify(one: Waiting): Promise<void> {
    const choices = choicesOf(one.question);
    const label = await vscode.window.showWarningMessage(
      plain(`bodkin: May the model do this? ${one.question.title}`), ...choices.map((each) => each.label));
    const picked = choices.find((each) => each.label === label);
    if (picked) await this.take(one, picked.choice); // closed without an answer: it waits for the command
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
    const text = `${one.question.title}\n\n${one.question.detail}`;
    const document = await vscode.workspace.openTextDocument({ content: text, language: "diff" });
    await vscode.window.showTextDocument(document, { preview: true });
    if (this.waiting.includes(one)) await this.notify(one);
  }
}
