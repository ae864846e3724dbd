// Choosing which model is asked, and who acts.
import * as vscode from "vscode";
import { addressOf } from "./address.ts";
import * as own from "./extensions.ts";
import type { Keys } from "./keys.ts";
import { plain } from "./plain.ts";
import type { Run } from "./review.ts";
import { inform, warn } from "./said.ts";
import { modes } from "./status.ts";

const efforts = {
  auto: "as long as it does by itself",
  none: "as little as it can",
  low: "briefly",
  medium: "longer",
  high: "long",
  max: "as long as it can",
};

interface Row extends vscode.QuickPickItem {
  provider: string;
  name: string;
  of?: own.Provider;
  address?: string; // that was typed
}

const separator = (label: string): Row => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
  provider: "",
  name: "",
});

// Writes the user's own settings: a folder may not choose where code goes. At most: a server, its key, its model.
// Returns whether one was chosen.
export async function chooseModel(run: Run, keys: Keys): Promise<boolean> {
  const known = await keys.models(run);
  if (!known) return false;
  const found = known.models.map(
    ({ title, detail, ...choice }): Row => ({ ...choice, label: plain(title), description: plain(detail ?? "") }),
  );
  const automatic: Row = {
    label: "Automatic",
    description: "an API key that is set, else a model server on this machine",
    provider: "auto",
    name: "",
  };
  const others = known.providers.map(
    (of): Row => ({ label: of.title, description: of.place, provider: of.provider, name: "", of }),
  );
  const rows = [
    ...(found.length > 0 ? [separator("ready to use"), ...found] : []),
    separator("by provider"),
    automatic,
    ...others,
  ];
  const picked = await pickServer(
    rows,
    known.providers.find(({ provider }) => provider === "openai-compatible"),
  );
  if (!picked) return false;
  if (!picked.of) return use(run, picked.provider, picked.name, picked.label);
  const endpoint = picked.address ?? (picked.of.needsAddress ? await askAddress(picked.of) : undefined);
  if (picked.of.needsAddress && !endpoint) return false;
  return chooseModelOf(run, picked.of, keys, endpoint);
}

// A row, or an address that is typed in its place: of a server that speaks as OpenAI's does.
function pickServer(rows: readonly Row[], compatible: own.Provider | undefined): Promise<Row | undefined> {
  const field = vscode.window.createQuickPick<Row>();
  field.placeholder = "Choose a model, or type a server's address (http://127.0.0.1:8080/v1)";
  field.matchOnDescription = true;
  field.ignoreFocusOut = true;
  field.items = rows;
  field.onDidChangeValue((text) => {
    const address = /^https?:\/\/\S|^[\w.-]+:\d+/.test(text.trim()) ? addressOf(text) : undefined;
    const typed: Row[] =
      address && compatible
        ? [
            {
              label: `$(server) Use the server at ${plain(address)}`,
              alwaysShow: true,
              provider: compatible.provider,
              name: "",
              of: compatible,
              address,
            },
          ]
        : [];
    field.items = [...typed, ...rows];
  });
  return new Promise((resolve) => {
    field.onDidAccept(() => {
      resolve(field.activeItems[0]);
      field.hide();
    });
    field.onDidHide(() => {
      resolve(undefined);
      field.dispose();
    });
    field.show();
  });
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

const kAgain = "Try again";
const kKey = "Give another API key…";
const kType = "Type the model's name…";
const kAddress = "Give another address…";

// One of the models that the provider's server lists, or any name; a key that is missing is asked for. What goes
// wrong is said, with what can be done. `endpoint`: of a server that the settings do not name yet. Returns whether
// one was chosen.
export async function chooseModelOf(
  run: Run,
  provider: own.Provider,
  keys: Keys,
  endpoint?: string,
): Promise<boolean> {
  const { provider: id, title: label } = provider;
  const ofServer = plain(label);
  for (let tries = 0; ; tries++) {
    let why = "";
    let cause: own.Cause = {};
    const listed = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: `bodkin: asking ${ofServer} for its list of models`,
      },
      () =>
        run<own.ListedModels>(own.commands.listModels, { provider: id, endpoint }, (message, its) => {
          why = message;
          cause = its;
        }),
    );
    if (listed) return pickModel(run, provider, listed, endpoint);
    // Of a provider it is known that it wants one; the server at an address has said so.
    const refused = endpoint || tries > 0 || cause.reason === "authentication" ? why : "";
    const needsKey = cause.setting?.startsWith("bodkin.model.apiKey") ?? false;
    // The first time it is plain what is missing.
    if (needsKey && tries === 0) {
      if (!(await keys.ask(provider, endpoint, refused))) return false;
      continue;
    }
    const ways = [...(needsKey ? [kKey] : [kAgain]), ...(endpoint ? [kAddress] : []), kType];
    const way = await vscode.window.showQuickPick(ways, {
      title: plain(`bodkin: ${ofServer}`),
      placeHolder: plain(why || "There is no list of models."),
      ignoreFocusOut: true,
    });
    if (!way) return false;
    if (way === kType) return typeName(run, provider, endpoint);
    if (way === kKey && !(await keys.ask(provider, endpoint, refused))) return false;
    if (way === kAddress) {
      const other = await askAddress(provider);
      return other ? chooseModelOf(run, provider, keys, other) : false;
    }
  }
}

async function pickModel(
  run: Run,
  provider: own.Provider,
  listed: own.ListedModels,
  endpoint?: string,
): Promise<boolean> {
  const usual = { label: "The default", description: plain(listed.default), name: "" };
  const typed = { label: "Another…", description: "type its name", name: "" };
  const picked = await vscode.window.showQuickPick(
    [
      ...(listed.default && !endpoint ? [usual] : []),
      ...listed.models.map((each) => ({ label: plain(each), name: each })),
      typed,
    ],
    { title: plain(provider.title), placeHolder: "Choose one of its models", ignoreFocusOut: true },
  );
  if (!picked) return false;
  if (picked === typed) return typeName(run, provider, endpoint);
  return use(run, provider.provider, picked.name, picked.name || provider.title, endpoint);
}

async function typeName(run: Run, { provider, title }: own.Provider, endpoint?: string): Promise<boolean> {
  const prompt = endpoint ? "Its name" : "Its name; leave it empty for the default.";
  const name = await vscode.window.showInputBox({
    title: `bodkin: which model of ${plain(title)}?`,
    prompt,
    ignoreFocusOut: true,
  });
  return name === undefined ? false : use(run, provider, name.trim(), name.trim() || title, endpoint);
}

async function use(run: Run, provider: string, name: string, shown: string, endpoint?: string): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration("bodkin.model");
  await keepApart(settings, provider);
  await settings.update("provider", provider, vscode.ConfigurationTarget.Global);
  await settings.update("name", name, vscode.ConfigurationTarget.Global);
  if (endpoint) await settings.update("endpoint", endpoint, vscode.ConfigurationTarget.Global);
  const now = await run<own.Status>(own.commands.status, {});
  const sent = now?.host ? ` Your code goes to ${now.host}.` : "";
  // The editor's own has no address and no key, and each request counts.
  if (provider === "editor") void inform(`bodkin: now using ${shown}.${sent}`);
  else void tryModel(run, shown, sent);
  return true;
}

// Whether it answers, which is said; what the user wants meanwhile is not held up.
async function tryModel(run: Run, shown: string, sent: string): Promise<void> {
  const tried = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: plain(`bodkin: asking ${shown} for one word`) },
    () => run<{ ok: boolean; text: string }>(own.commands.check, { name: "model" }, () => {}),
  );
  const answers = /^request +Answered/m.test(tried?.text ?? "") ? ", which answers" : "";
  if (!tried || tried.ok) {
    void inform(`bodkin: now using ${shown}${answers}.${sent}`);
    return;
  }
  const reason = /^(?:request|model) +(?:Failed \([^)]*\): )?(.*)$/m.exec(
    tried.text
      .split("\n")
      .reverse()
      .find((line) => /^(request|model) /.test(line)) ?? "",
  )?.[1];
  const choice = await warn(
    `bodkin: now using ${shown}, but it does not answer: ${reason ?? "see Check Setup"}`,
    "Choose Model…",
    "Set Key…",
  );
  if (choice === "Choose Model…") await vscode.commands.executeCommand("bodkin.chooseModel");
  if (choice === "Set Key…") await vscode.commands.executeCommand("bodkin.setApiKey", true);
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
  return (
    await vscode.window.showQuickPick(items, { title: "bodkin: how long may the model think about this request?" })
  )?.label;
}

export async function chooseMode(run: Run): Promise<void> {
  const items = (Object.keys(modes) as own.Mode[]).map((mode) => ({ label: modes[mode], mode }));
  const picked = await vscode.window.showQuickPick(items, {
    title: "bodkin: what may happen without asking you? (until this window is closed)",
  });
  if (picked) await run(own.commands.setMode, { mode: picked.mode });
}
