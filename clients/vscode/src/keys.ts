// The keys of model providers, in VS Code's secret store. They go to the server when it asks for
// one, and nowhere else: never into settings, messages or the trace.
import * as vscode from "vscode";
import { chooseModelOf } from "./choose_model.ts";
import { redacted } from "./redacted.ts";
import type { Run } from "./review.ts";

const providers = [
  ["anthropic", "Anthropic"],
  ["openai", "OpenAI"],
  ["gemini", "Google Gemini"],
  ["openrouter", "OpenRouter"],
  ["deepseek", "DeepSeek"],
  ["mistral", "Mistral"],
  ["groq", "Groq"],
  ["azure", "Azure OpenAI"],
  ["openai-compatible", "Another OpenAI-compatible server"],
] as const;

const entry = (provider: string) => `bodkin.apiKey.${provider}`;

export class Keys {
  private readonly served = new Set<string>();

  constructor(private readonly store: vscode.SecretStorage) {}

  // `provider`: "openai", or "openai@https://proxy:8080" for a host that is not its own.
  async forServer(provider: string): Promise<string | null> {
    const key = (await this.store.get(entry(provider))) ?? null;
    if (key) this.served.add(key);
    return key;
  }

  // The command "Set API Key…"; then a model of that provider can be chosen.
  async set(run: Run): Promise<void> {
    const items = await Promise.all(
      providers.map(async ([id, label]) => ({
        id,
        label,
        description: (await this.store.get(entry(id))) ? "a key is stored" : "",
      })),
    );
    const picked = await vscode.window.showQuickPick(items, { placeHolder: "API key for which provider?" });
    if (!picked) return;
    // These have no host of their own: a key is kept for the server that it was given for.
    let name: string = picked.id;
    let endpoint: string | undefined;
    if (picked.id === "openai-compatible" || picked.id === "azure") {
      const server = await vscode.window.showInputBox({
        prompt: "The address of the server that the key is for, as in bodkin.model.endpoint.",
        value: vscode.workspace.getConfiguration("bodkin.model").get<string>("endpoint"),
        ignoreFocusOut: true,
      });
      if (!server) return;
      try {
        endpoint = server.includes("://") ? server : `https://${server}`;
        name += "@" + new URL(endpoint).origin;
      } catch {
        void vscode.window.showErrorMessage("bodkin: not a valid server address.");
        return;
      }
    }
    const key = await vscode.window.showInputBox({
      prompt: `API key for ${picked.label}. Leave empty to delete the stored key.`,
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim()) await this.store.store(entry(name), key.trim());
    else await this.store.delete(entry(name));
    if (!key.trim()) return void vscode.window.showInformationMessage(`bodkin: deleted the key for ${picked.label}.`);
    const choose = "Choose a Model";
    const answer = await vscode.window.showInformationMessage(
      `bodkin: stored the key for ${picked.label} in VS Code's secret store.`, choose);
    if (answer === choose) await chooseModelOf(run, picked.id, picked.label, endpoint);
  }

  // A channel for the trace, which must not show keys.
  redacting(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
    const trace = (message: string, ...rest: unknown[]) => channel.trace(redacted(message, this.served), ...rest);
    return new Proxy(channel, {
      get: (target, name) => {
        const member = name === "trace" ? trace : Reflect.get(target, name, target);
        return typeof member === "function" && name !== "trace" ? member.bind(target) : member;
      },
    });
  }
}
