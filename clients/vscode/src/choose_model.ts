// Choosing which model is asked, and who acts.
import * as vscode from "vscode";
import { addressOf } from "./address.ts";
import * as own from "./extensions.ts";
import type { Keys } from "./keys.ts";
import { plain } from "./plain.ts";
import type { Run } from "./review.ts";
import { modes } from "./status.ts";

const efforts = { auto: "as long as it does by itself", none: "as little as it can", low: "briefly", medium: "longer", high: "long", max: "as long as it can" };

// Writes the user's own settings: a folder may not choose where code goes. `reachable`: what the server has
// found.
// Returns whether one was chosen.
export async function chooseModel(run: Run, keys: Keys): Promise<boolean> {
  const known = await run<own.Models>(own.commands.selectModel, {});
  if (!known) return false;
  const found = known.models.map(({ title, detail, ...choice }) => ({ ...choice, label: plain(title), description: plain(detail ?? "") }));
  const automatic = { label: "Automatic", description: "an API key that is set, else a model server on this machine", provider: "auto", name: "" };
  const others = known.providers.map((of) => ({ label: of.title, description: of.place, provider: of.provider, name: "", of }));
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, provider: "", name: "" });
  type Row = vscode.QuickPickItem & { provider: string; name: string; of?: own.Provider };
  const picked = await vscode.window.showQuickPick<Row>(
    [separator("reachable now"), ...found, separator("by provider"), automatic, ...others], { placeHolder: "Choose a model" });
  if (!picked) return false;
  if (!picked.of) return use(run, picked.provider, picked.name, picked.label);
  const endpoint = picked.of.needsAddress ? await askAddress(picked.of) : undefined;
  if (picked.of.needsAddress && !endpoint) return false;
  return chooseModelOf(run, picked.of, keys, endpoint);
}

// The address of a provider's server that has no host of its own.
export async function askAddress({ title }: own.Provider): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: `bodkin: the address of ${title}`,
    prompt: "Your code is sent there. For example: http://127.0.0.1:8080/v1",
    value: vscode.workspace.getConfiguration("bodkin.model").get<string>("endpoint"),
    validateInput: (text) => (text && !addressOf(text) ? "This is not an address." : undefined),
    ignoreFocusOut: true,
  });
  return typed && addressOf(typed);
}

// One of the models that the provider's server lists, or any name; a key that is missing is asked for. `endpoint`: of a server that
// the settings do not name yet. Returns whether one was chosen.
export async function chooseModelOf(run: Run, provider: own.Provider, keys: Keys, endpoint?: string): Promise<boolean> {
  const { provider: id, title: label } = provider;
  let why: own.Cause = {};
  const list = () =>
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `bodkin: asking ${plain(label)} for its list of models` },
      () => run<own.ListedModels>(own.commands.listModels, { provider: id, endpoint }, (_, cause) => (why = cause)),
    );
  let listed = await list();
  if (!listed && why.setting?.startsWith("bodkin.model.apiKey")) {
    if (!(await keys.ask(provider, endpoint))) return false;
    listed = await list();
  }
  if (listed) {
    const usual = { label: "The default", description: plain(listed.default), name: "" };
    const typed = { label: "Another…", description: "type its name", name: "" };
    const picked = await vscode.window.showQuickPick(
      [...(listed.default && !endpoint ? [usual] : []), ...listed.models.map((each) => ({ label: plain(each), name: each })), typed],
      { placeHolder: `Which model of ${plain(label)}?` });
    if (!picked) return false;
    if (picked !== typed) return use(run, id, picked.name, picked.name || label, endpoint);
  }
  const name = await vscode.window.showInputBox({
    title: `bodkin: which model of ${plain(label)}?`, prompt: endpoint ? "Its name" : "Its name; leave it empty for the default.", ignoreFocusOut: true });
  return name === undefined ? false : use(run, id, name.trim(), name.trim() || label, endpoint);
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

// How long the model may think about one request.
export async function chooseEffort(): Promise<string | undefined> {
  const items = Object.entries(efforts).map(([label, description]) => ({ label, description }));
  return (await vscode.window.showQuickPick(items, { title: "bodkin: how long may the model think about this request?" }))?.label;
}

export async function chooseMode(run: Run): Promise<void> {
  const items = (Object.keys(modes) as own.Mode[]).map((mode) => ({ label: modes[mode], mode }));
  const picked = await vscode.window.showQuickPick(items, { title: "bodkin: who acts, until bodkin ends" });
  if (picked) await run(own.commands.setMode, { mode: picked.mode });
}
