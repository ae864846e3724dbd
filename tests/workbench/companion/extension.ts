// What else a user has installed beside bodkin: clangd's language client, and an extension that
// brings a language model to the editor, unless companion.hasModel is false. The model's replies are the setting companion.replies.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let clangd: LanguageClient | undefined;

// In VS Code since 1.104; the types here are older.
interface ModelProvider {
  provideLanguageModelChatInformation(): object[];
  provideLanguageModelChatResponse(
    model: object,
    messages: { content: unknown[] }[],
    options: object,
    progress: vscode.Progress<vscode.LanguageModelTextPart>,
  ): Promise<void>;
  provideTokenCount(): Promise<number>;
}
type WithProviders = { registerLanguageModelChatProvider(vendor: string, provider: ModelProvider): vscode.Disposable };

let asked = 0;
const provider: ModelProvider = {
  provideLanguageModelChatInformation: () => !vscode.workspace.getConfiguration("companion").get("hasModel", true) ? [] : [
    {
      id: "companion-1",
      name: "Companion One",
      family: "companion",
      version: "1",
      maxInputTokens: 100_000,
      maxOutputTokens: 10_000,
      capabilities: { toolCalling: true },
      isUserSelectable: true,
    },
  ],
  async provideLanguageModelChatResponse(_model, _messages, _options, progress) {
    const replies = vscode.workspace.getConfiguration("companion").get<string[]>("replies", []);
    const reply = replies[asked++] ?? "There is no reply left.";
    for (let i = 0; i < reply.length; i += 16) progress.report(new vscode.LanguageModelTextPart(reply.slice(i, i + 16)));
  },
  provideTokenCount: async () => 1,
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  if (!("registerLanguageModelChatProvider" in vscode.lm)) return; // VS Code 1.90: no scenario of models and clangd runs there
  context.subscriptions.push(
    (vscode.lm as unknown as WithProviders).registerLanguageModelChatProvider("companion", provider),
  );
  clangd = new LanguageClient(
    "clangd",
    "clangd",
    { command: "clangd", args: ["--background-index=false", "-j=1"] },
    { documentSelector: [{ scheme: "file", language: "cpp" }] },
  );
  await clangd.start();
}

export async function deactivate(): Promise<void> {
  await clangd?.stop();
}
