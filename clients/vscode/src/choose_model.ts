// Choosing which model is asked, and who acts.
import * as vscode from "vscode";
import * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import type { Run } from "./review.ts";
import { modes } from "./status.ts";

// Writes the user's own settings: a folder may not choose where code goes. `reachable`: what the server has
// found.
// Returns whether one was chosen.
export async function chooseModel(run: Run): Promise<boolean> {
  const reachable = (await run<own.Models>(own.commands.selectModel, {}))?.models ?? [];
  const found = reachable.map(({ title, detail, ...choice }) => ({ ...choice, label: plain(title), description: plain(detail ?? "") }));
  const others = [
    ["Automatic", "an API key that is set, else a model server on this machine", "auto"],
    ["Anthropic", "api.anthropic.com", "anthropic"],
    ["OpenAI", "api.openai.com", "openai"],
    ["Google Gemini", "generativelanguage.googleapis.com", "gemini"],
    ["OpenRouter", "openrouter.ai", "openrouter"],
    ["Ollama", "on this machine", "ollama"],
    ["Another OpenAI-compatible server", "at bodkin.model.endpoint", "openai-compatible"],
  ].map(([label, description, provider]) => ({ label, description, provider, name: undefined }));
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, provider: "", name: "" });
  const picked = await vscode.window.showQuickPick(
    [separator("reachable now"), ...found, separator("by provider"), ...others], { placeHolder: "Choose a model" });
  if (!picked) return false;
  let name: string | undefined = picked.name;
  if (name === undefined && picked.provider !== "auto") {
    name = await vscode.window.showInputBox({ prompt: `Which model of ${picked.label}? Leave empty for its default.` });
    if (name === undefined) return false;
  }
  const settings = vscode.workspace.getConfiguration("bodkin.model");
  await keepApart(settings, picked.provider);
  await settings.update("provider", picked.provider, vscode.ConfigurationTarget.Global);
  await settings.update("name", name ?? "", vscode.ConfigurationTarget.Global);
  const now = await run<own.Status>(own.commands.status, {});
  void vscode.window.showInformationMessage(plain(`bodkin: now using ${picked.label}.${now?.host ? ` Your code is sent to ${now.host}.` : ""}`));
  return true;
}

// The address and the key of the provider that was chosen stay with it: they are moved to
// bodkin.model.providers before another is named.
async function keepApart(settings: vscode.WorkspaceConfiguration, next: string): Promise<void> {
  const now = settings.inspect<string>("provider")?.globalValue ?? "auto";
  if (now === next) return;
  const kept: Record<string, string> = {};
  for (const key of ["endpoint", "apiKeyEnv", "apiKeyCommand", "apiVersion"]) {
    const value = settings.inspect<string>(key)?.globalValue;
    if (!value) continue;
    kept[key] = value;
    await settings.update(key, undefined, vscode.ConfigurationTarget.Global);
  }
  if (Object.keys(kept).length === 0) return;
  const providers = settings.inspect<Record<string, object>>("providers")?.globalValue ?? {};
  const name = now === "auto" ? "openai-compatible" : now;
  await settings.update("providers", { ...providers, [name]: kept }, vscode.ConfigurationTarget.Global);
}

export async function chooseMode(run: Run): Promise<void> {
  const items = (Object.keys(modes) as own.Mode[]).map((mode) => ({ label: modes[mode], mode }));
  const picked = await vscode.window.showQuickPick(items, { title: "bodkin: mode, until the server stops" });
  if (picked) await run(own.commands.setMode, { mode: picked.mode });
}
