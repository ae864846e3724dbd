// The VS Code client: starts the server and wires it to the workbench. All decisions about edits are
// the server's.
import * as vscode from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  ProgressType,
  type ServerOptions,
  State,
  type StaticFeature,
} from "vscode-languageclient/node";
import { Answers } from "./answers.ts";
import { Bridge } from "./bridge.ts";
import * as own from "./extensions.ts";
import { Keys } from "./keys.ts";
import * as models from "./models.ts";
import { plain } from "./plain.ts";
import { askForRequest } from "./prompt.ts";
import { endMessage } from "./proposals.ts";
import { AskProgress } from "./progress.ts";
import { Questions } from "./questions.ts";
import { Review } from "./review.ts";
import { type Life, modes, statusDetail, statusText } from "./status.ts";
import { stepLine } from "./steps.ts";

let client: LanguageClient | undefined;

const lives: Record<State, Life> = {
  [State.Stopped]: "stopped",
  [State.StartFailed]: "stopped",
  [State.Starting]: "starting",
  [State.Running]: "running",
};

function serverPath(): string {
  return vscode.workspace.getConfiguration("bodkin").get<string>("server.path") || "bodkin";
}
const howToStart = () =>
  `bodkin is not running: put the program "${serverPath()}" on PATH, or set its path in bodkin.server.path.`;

const announce: StaticFeature = {
  fillClientCapabilities(capabilities) {
    const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
    capabilities.experimental = { ...experimental, bodkin: own.capabilities };
  },
  initialize() {},
  getState() {
    return { kind: "static" };
  },
  clear() {},
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("bodkin", { log: true });
  const keys = new Keys(context.secrets);
  const progress = new AskProgress();
  const questions = new Questions();
  // One of the server's commands; a failure is told to the user.
  const run = async <T>(command: string, argument: object): Promise<T | undefined> => {
    if (!client?.isRunning()) {
      await offerSettings(howToStart(), "bodkin.server.path");
      return undefined;
    }
    try {
      const answer = (await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] })) as T;
      const askId = (answer as { askId?: string } | null)?.askId;
      if (askId) review.askStarted(askId);
      return answer;
    } catch (error) {
      const { message } = error as Error;
      if (message !== "Cancelled.") void vscode.window.showErrorMessage(plain(`bodkin: ${message}`));
      return undefined;
    }
  };

  const serverOptions: ServerOptions = { command: serverPath(), args: ["--stdio"] };
  const clientOptions: LanguageClientOptions = {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    outputChannel: output,
    traceOutputChannel: keys.redacting(output),
    synchronize: { configurationSection: "bodkin" },
    // What the settings say of trust does not count: a folder's own may say it, too.
    initializationOptions: () => ({
      bodkin: { ...vscode.workspace.getConfiguration("bodkin"), workspaceTrusted: vscode.workspace.isTrusted },
    }),
    middleware: {
      // From code actions.
      executeCommand: (command, args) => run(command, (args[0] as object | undefined) ?? {}),
      handleWorkDoneProgress: (token, value, next) => progress.handle(client!, token, value, () => next(token, value)),
    },
  };
  client = new LanguageClient("bodkin", "bodkin", serverOptions, clientOptions);
  client.registerFeature(announce);

  const item = vscode.window.createStatusBarItem("bodkin.status", vscode.StatusBarAlignment.Left);
  let status: own.Status = { state: "idle" };
  const showStatus = () => {
    const life = lives[client?.state ?? State.Stopped];
    item.text = statusText(life, status, review.proposals.all.length);
    item.tooltip = new vscode.MarkdownString(statusDetail(life, status));
    item.backgroundColor = life === "stopped" ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
  };
  const review = new Review(client, run, showStatus);
  item.name = "bodkin";
  item.command = "bodkin.menu";
  item.show();
  context.subscriptions.push(output, item, review);

  client.onNotification(own.proposal, (proposal: own.Proposal) => review.proposalArrived(proposal));
  client.onNotification(own.didChangeProposal, (change: own.ChangedProposal) => review.proposalChanged(change));
  const answers = new Answers();
  context.subscriptions.push(answers);
  client.onNotification(own.didEndAsk, async (ended: own.EndedAsk) => {
    output.append("\n");
    const words = endMessage(ended);
    if (!words) return;
    if (ended.reason === "no_model") {
      const choice = await vscode.window.showWarningMessage(plain(words.text), "Set API Key…", "Choose Model…");
      if (choice === "Set API Key…") await keys.set();
      if (choice === "Choose Model…") await vscode.commands.executeCommand("bodkin.chooseModel");
    } else if (ended.plan) {
      const wanted = await answers.tell(words.text, "Carry It Out");
      if (wanted) await run(own.commands.ask, { sessionId: ended.sessionId, profile: "tools" });
    } else if (words.severity === "info") {
      await answers.tell(words.text);
    } else {
      const choice = await vscode.window.showWarningMessage(plain(words.text), "Show Log");
      if (choice === "Show Log") output.show();
    }
  });
  client.onNotification(own.status, (now: own.Status) => {
    status = now;
    showStatus();
  });
  client.onNotification(own.stream, (delta: own.Streamed) => {
    if (delta.kind === "plan") return; // all of it came as text, too
    const line = delta.step && stepLine(delta.step, delta.text);
    if (line) output.appendLine(line);
    if (delta.step) return;
    if (delta.kind === "tool") output.appendLine("\n" + delta.text);
    else output.append(delta.text);
  });
  client.onRequest(own.input, async (question: { prompt: string; placeholder?: string }) => ({
    value: (await askFor(question.prompt, question.placeholder)) ?? null,
  }));
  client.onRequest(own.permit, (question: own.Question, token: vscode.CancellationToken) => questions.asked(question, token));
  client.onRequest(own.listModels, () => models.listed());
  client.onRequest(own.requestModel, (request: own.ModelRequest, token: vscode.CancellationToken) =>
    models.answered(
      request,
      (text) => {
        const value = { kind: "text", text };
        if (request.partialResultToken) {
          void client!.sendProgress(new ProgressType<typeof value>(), request.partialResultToken, value);
        }
      },
      token,
    ),
  );
  client.onRequest(own.secret, async ({ name }: { name: string }) => ({ value: await keys.forServer(name) }));
  const bridge = new Bridge(client);
  client.onRequest(own.pullDiagnostics, (params: { uri: string; documentVersion: number }) => bridge.pulled(params));
  context.subscriptions.push(
    bridge.listen(),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (client?.isRunning()) void client.sendNotification(own.didChangeTrust, { trusted: true });
    }),
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        bridge.sendAll();
      } else {
        status = { state: "idle" };
        review.forget();
      }
      showStatus();
    }),
  );

  const askFor = (title: string, placeHolder = "for example: return an error instead of throwing") =>
    askForRequest({
      title,
      placeHolder,
      complete: async (text) => (client?.isRunning() ? client.sendRequest<own.Completions>(own.complete, { text }) : undefined),
    });
  // The selection of the active editor, or the cursor.
  const place = () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !client || editor.document.uri.scheme.startsWith("output")) {
      void vscode.window.showInformationMessage("bodkin: open a file first.");
      return undefined;
    }
    return {
      textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
      range: client.code2ProtocolConverter.asRange(editor.selection),
    };
  };
  const commandHandlers: Record<string, (argument?: unknown) => unknown> = {
    "bodkin.askSelection": async () => {
      const where = place();
      const prompt = where && (await askFor("What should I change?"));
      if (prompt) await run(own.commands.ask, { ...where, prompt });
    },
    "bodkin.resumeSession": async () => {
      const session = await chooseSession(client);
      const prompt = session && (await askFor(`Continue: ${plain(session.title)}`, "for example: and the tests, too"));
      if (!prompt) return;
      const editor = vscode.window.activeTextEditor;
      await run(own.commands.ask, { ...(editor && place()), prompt, sessionId: session.id });
    },
    "bodkin.fixHere": async () => {
      const where = place();
      if (where) await run(own.commands.fix, where);
    },
    "bodkin.showProposal": async (argument) => {
      const proposal = review.target(argument, true);
      if (proposal) await review.show(proposal);
    },
    "bodkin.applyProposal": async (argument) => {
      const proposal = review.target(argument);
      if (proposal) await review.apply(proposal);
    },
    "bodkin.discardProposal": async (argument) => {
      const proposal = review.target(argument);
      if (proposal) await review.discard(proposal);
    },
    "bodkin.refineProposal": async (argument) => {
      const proposal = review.target(argument);
      const prompt = proposal && (await askFor("What should be different in this proposal?", "for example: keep the name"));
      if (prompt) await run(own.commands.ask, { proposalId: proposal.proposalId, prompt });
    },
    "bodkin.undoProposal": () => review.undo(),
    "bodkin.answerQuestion": () => questions.answer(),
    "bodkin.applyChange": (argument) => review.change(argument, own.commands.applyHunk),
    "bodkin.discardChange": (argument) => review.change(argument, own.commands.discard),
    "bodkin.cancelAsk": () => run(own.commands.cancel, {}),
    "bodkin.applyClipboard": async () => {
      const text = await vscode.env.clipboard.readText();
      if (!text.trim()) {
        void vscode.window.showInformationMessage("bodkin: the clipboard is empty. Copy a chat's answer first.");
        return;
      }
      const where = vscode.window.activeTextEditor ? place() : undefined;
      await run(own.commands.applyReply, { text, textDocument: where?.textDocument });
    },
    "bodkin.copyPromptForChat": async () => {
      const where = place();
      const prompt = where && (await askFor("What should I change?"));
      if (!prompt) return;
      const answer = await run<{ text: string }>(own.commands.copyPrompt, { ...where, prompt });
      if (!answer) return;
      await vscode.env.clipboard.writeText(answer.text);
      void vscode.window.showInformationMessage(
        "bodkin: the prompt is on the clipboard. Paste it into any chat, copy the answer, and run “Apply a Chat Answer from the Clipboard”.",
      );
    },
    "bodkin.chooseModel": async () => chooseModel((await run<own.Models>(own.commands.selectModel, {}))?.models ?? []),
    "bodkin.chooseMode": async () => {
      const items = (Object.keys(modes) as own.Mode[]).map((mode) => ({ label: modes[mode], mode }));
      const picked = await vscode.window.showQuickPick(items, { title: "bodkin: mode, until the server stops" });
      if (picked) await run(own.commands.setMode, { mode: picked.mode });
    },
    "bodkin.setApiKey": () => keys.set(),
    "bodkin.checkSetup": async () => {
      const checked = await run<{ ok: boolean; text: string }>(own.commands.check, {});
      if (!checked) return;
      output.info(checked.text);
      output.show();
    },
    "bodkin.showOutput": () => output.show(),
    "bodkin.restart": () => client!.restart(),
    "bodkin.menu": () => menu(status.state !== "idle", review.proposals.all.length > 0, questions.oldest?.title),
  };
  for (const [id, command] of Object.entries(commandHandlers)) {
    context.subscriptions.push(vscode.commands.registerCommand(id, command));
  }

  try {
    await client.start();
  } catch {
    void offerSettings(howToStart(), "bodkin.server.path");
  }
  showStatus();
}

// One of the workspace's sessions, also of earlier runs.
async function chooseSession(from: LanguageClient | undefined): Promise<own.Session | undefined> {
  if (!from?.isRunning()) return undefined;
  try {
    const { sessions } = await from.sendRequest<{ sessions: own.Session[] }>(own.listSessions, {});
    const items = sessions.map((session) => ({
      label: plain(session.title),
      description: new Date(session.used).toLocaleString(),
      detail: session.asks === 1 ? "1 ask" : `${session.asks} asks`,
      session,
    }));
    if (items.length === 0) void vscode.window.showInformationMessage("bodkin: no sessions in this workspace yet.");
    return items.length > 0 ? (await vscode.window.showQuickPick(items, { placeHolder: "Choose a session", matchOnDescription: true }))?.session : undefined;
  } catch (error) {
    void vscode.window.showErrorMessage(plain(`bodkin: ${(error as Error).message}`));
    return undefined;
  }
}

async function offerSettings(message: string, setting: string): Promise<void> {
  const choice = await vscode.window.showErrorMessage(message, "Open Settings");
  if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", setting);
}

// What a click on the status bar offers.
async function menu(busy: boolean, hasProposal: boolean, question?: string): Promise<void> {
  const entries: [string, string, boolean?][] = [
    [`$(question) Answer: ${question}`, "bodkin.answerQuestion", question !== undefined],
    ["$(stop-circle) Cancel", "bodkin.cancelAsk", busy],
    ["$(diff) Show Proposal", "bodkin.showProposal", hasProposal],
    ["$(check) Apply Proposal", "bodkin.applyProposal", hasProposal],
    ["$(comment-discussion) Refine Proposal…", "bodkin.refineProposal", hasProposal],
    ["$(discard) Discard Proposal", "bodkin.discardProposal", hasProposal],
    ["$(history) Undo Applied Proposal", "bodkin.undoProposal"],
    ["$(sparkle) Ask Agent…", "bodkin.askSelection"],
    ["$(comment-discussion) Resume Session…", "bodkin.resumeSession"],
    ["$(server) Choose Model…", "bodkin.chooseModel"],
    ["$(settings) Choose Mode…", "bodkin.chooseMode"],
    ["$(key) Set API Key…", "bodkin.setApiKey"],
    ["$(output) Show Log", "bodkin.showOutput"],
    ["$(debug-restart) Restart", "bodkin.restart"],
  ];
  const items = entries.filter(([, , there]) => there !== false).map(([label, command]) => ({ label, command }));
  const picked = await vscode.window.showQuickPick(items, { title: "bodkin" });
  if (picked) await vscode.commands.executeCommand(picked.command);
}

// Writes the user's own settings: a folder may not choose where code goes. `reachable`: what the server has
// found.
async function chooseModel(reachable: own.ModelChoice[]): Promise<void> {
  const found = reachable.map(({ title, detail, ...choice }) => ({ ...choice, label: plain(title), description: plain(detail ?? "") }));
  const others = [
    ["Automatic", "an API key that is set, else a model server on this machine", "auto"],
    ["Anthropic", "", "anthropic"],
    ["OpenAI", "", "openai"],
    ["Google Gemini", "", "gemini"],
    ["OpenRouter", "", "openrouter"],
    ["Ollama", "on this machine", "ollama"],
    ["Another OpenAI-compatible server", "at bodkin.model.endpoint", "openai-compatible"],
  ].map(([label, description, provider]) => ({ label, description, provider, name: undefined }));
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, provider: "", name: "" });
  const picked = await vscode.window.showQuickPick(
    [separator("reachable now"), ...found, separator("by provider"), ...others], { placeHolder: "Choose a model" });
  if (!picked) return;
  let name: string | undefined = picked.name;
  if (name === undefined && picked.provider !== "auto") {
    name = await vscode.window.showInputBox({ prompt: `Which model of ${picked.label}? Leave empty for its default.` });
    if (name === undefined) return;
  }
  const settings = vscode.workspace.getConfiguration("bodkin.model");
  await keepApart(settings, picked.provider);
  await settings.update("provider", picked.provider, vscode.ConfigurationTarget.Global);
  await settings.update("name", name ?? "", vscode.ConfigurationTarget.Global);
  vscode.window.setStatusBarMessage(`bodkin: now using ${picked.label}.`, 8000);
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

export async function deactivate(): Promise<void> {
  await client?.stop();
}
