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
  if (picked.name === undefined && picked.provider !== "auto") return chooseModelOf(run, picked.provider, picked.label);
  return use(run, picked.provider, picked.name ?? "", picked.label);
}

// One of the models that the provider's server lists, or any name. `endpoint`: of a server that the settings do
// not name yet. Returns whether one was chosen.
export async function chooseModelOf(run: Run, provider: string, label: string, endpoint?: string): Promise<boolean> {
  const listed = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `bodkin: asking ${plain(label)} which models there are` },
    () => run<own.ListedModels>(own.commands.listModels, { provider, endpoint }, () => undefined),
  );
  let name: string | undefined = "";
  if (listed) {
    const usual = { label: "Its default", description: plain(listed.default), name };
    const typed = { label: "Another…", description: "type its name", name };
    const picked = await vscode.window.showQuickPick(
      [...(listed.default && !endpoint ? [usual] : []), ...listed.models.map((each) => ({ label: plain(each), name: each })), typed],
      { placeHolder: `Which model of ${plain(label)}?` });
    if (!picked) return false;
    if (picked !== typed) return use(run, provider, picked.name, picked.name || label, endpoint);
  }
  name = await vscode.window.showInputBox({
    prompt: `Which model of ${plain(label)}?${endpoint ? "" : " Leave empty for its default."}`, ignoreFocusOut: true });
  return name === undefined ? false : use(run, provider, name.trim(), name.trim() || label, endpoint);
}

async function use(run: Run, provider: string, name: string, shown: string, endpoint?: string): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration("bodkin.model");
  await keepApart(settings, provider);
  await settings.update("provider", provider, vscode.ConfigurationTarget.Global);
  await settings.update("name", name, vscode.ConfigurationTarget.Global);
  if (endpoint) await settings.update("endpoint", endpoint, vscode.ConfigurationTarget.Global);
  const now = await run<own.Status>(own.commands.status, {});
  void vscode.window.showInformationMessage(plain(`bodkin: now using ${shown}.${now?.host ? ` Your code is sent to ${now.host}.` : ""}`));
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
