// The VS Code client: makes its parts and connects them with the server and the workbench. All decisions about
// edits are the server's.
import { join } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClientOptions, MessageType, ProgressType, ShowMessageNotification, State, type StaticFeature } from "vscode-languageclient/node";
import { Asking } from "./asking.ts";
import { Bridge } from "./bridge.ts";
import { askFor, commandHandlers, type Parts } from "./commands.ts";
import type { Composer } from "./composer.ts";
import { duration } from "./conversation.ts";
import { composerOf, doesOf } from "./conversation_commands.ts";
import { editorServers } from "./editor_servers.ts";
import { Encodings } from "./encodings.ts";
import * as own from "./extensions.ts";
import { Keys } from "./keys.ts";
import { LogLines } from "./log_lines.ts";
import * as models from "./models.ts";
import { NextEdit } from "./next_edit.ts";
import { AskProgress } from "./progress.ts";
import { count, outOfDate } from "./proposals.ts";
import { isTyping } from "./prompt.ts";
import { PromptHere } from "./prompt_here.ts";
import { Questions } from "./questions.ts";
import { whyNotApplied } from "./read_only.ts";
import { Review, type Run } from "./review.ts";
import { alarm, inform, warn } from "./said.ts";
import { Server } from "./server.ts";
import { SessionText } from "./session_text.ts";
import { Sessions } from "./sessions.ts";
import { causeOf, tellFailure } from "./settings.ts";
import { sideOf } from "./sides.ts";
import { type Life, statusDetail, statusText } from "./status.ts";
import { ProposalTree, SessionTree } from "./trees.ts";

let server: Server | undefined;

const lives: Record<State, Life> = {
  [State.Stopped]: "stopped",
  [State.StartFailed]: "stopped",
  [State.Starting]: "starting",
  [State.Running]: "running",
};

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
  const questions = new Questions();
  const promptHere = new PromptHere();
  const log = new LogLines((line) => output.info(line));
  const progress = new AskProgress((askId, title) => asking.began(askId, title));
  const run: Run = async <T>(command: string, argument: object, failed?: (message: string, cause: own.Cause) => unknown): Promise<T | undefined> => {
    if (!(await made.isUp())) {
      if (failed) await failed("", {});
      else made.tellDown();
      return undefined;
    }
    try {
      const answer = (await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] })) as T;
      const askId = (answer as { askId?: string } | null)?.askId;
      if (askId) review.askStarted(askId);
      return answer;
    } catch (error) {
      const { message } = error as Error;
      if (message === "Cancelled.") return undefined;
      if (failed) await failed(message, causeOf(error));
      else void tellFailure(message, causeOf(error));
      return undefined;
    }
  };

  const encodings = new Encodings(() => made.client);
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    outputChannel: output,
    traceOutputChannel: keys.redacting(output),
    synchronize: { configurationSection: "bodkin" },
    // What the settings say of trust does not count: a folder's own may say it, too.
    initializationOptions: () => ({
      bodkin: { ...vscode.workspace.getConfiguration("bodkin"), workspaceTrusted: vscode.workspace.isTrusted, editorServers: editorServers(context.extensionPath) },
    }),
    middleware: {
      didOpen: async (document, next) => {
        await next(document);
        encodings.tell(document, true);
      },
      didChange: async (event, next) => {
        await next(event);
        encodings.tell(event.document);
      },
      didSave: async (document, next) => {
        await next(document);
        encodings.tell(document);
      },
      // From code actions.
      executeCommand: (command, args) => {
        const argument = (args[0] as object | undefined) ?? {};
        const isAsk = command === own.commands.ask || command === own.commands.fix;
        return isAsk ? asking.ask(command, argument) : run(command, argument);
      },
      workspace: {
        handleApplyEdit: async (params, next) => {
          const failureReason = await whyNotApplied(params);
          return failureReason ? { applied: false, failureReason } : next(params, new vscode.CancellationTokenSource().token);
        },
      },
      handleWorkDoneProgress: (token, value, next) => progress.handle(client, token, value, () => next(token, value)),
    },
  };
  const made = new Server(options, () => died());
  server = made;
  const { client } = made;
  client.registerFeature(announce);

  const item = vscode.window.createStatusBarItem("bodkin.status", vscode.StatusBarAlignment.Left);
  let status: own.Status = { state: "idle" };
  let composer: Composer | undefined;
  const showStatus = () => {
    composer?.refresh();
    const life = lives[client.state];
    const [ask] = asking.conversation.running;
    item.text = statusText(life, status, review.proposals.all.length, ask && duration(Date.now() - ask.begun));
    item.accessibilityInformation = { label: item.text.replace(/\$\([^)]*\)\s*/, "") };
    item.tooltip = new vscode.MarkdownString(statusDetail(life, status));
    item.backgroundColor = life === "stopped" ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
  };
  const nextEdit = new NextEdit(client, (document) => review.isIn(document.uri));
  const review = new Review(client, run, () => {
    nextEdit.clear();
    proposalTree.refresh();
    asking.proposalsChanged();
    proposalView.badge = { value: review.proposals.all.length, tooltip: count(review.proposals.all.length, "proposal") };
    showStatus();
  }, (proposal) => asking.wordsOf(proposal), (words) => asking.say(words), () => promptHere.isOpen || isTyping(), () => asking.view.isVisible, (askId) => asking.again(askId));
  const sessions = new Sessions(client, context.workspaceState);
  const asking = new Asking(context.workspaceState, run, made, review, sessions, progress, () => showStatus(), questions, join(context.extensionPath, "media"));
  const proposalTree = new ProposalTree(() => review.proposals.all, (id, file) => review.waiting(id, file), (proposal) => asking.wordsOf(proposal), (id) => outOfDate(review.standing(id)));
  const sessionTree = new SessionTree(
    () => sessions.list(),
    (id) => {
      const uri = vscode.window.activeTextEditor?.document.uri;
      return uri !== undefined && sessions.of(sideOf(uri)?.file ?? uri.toString()) === id;
    },
  );
  const sessionText = new SessionText(client);
  const proposalView = vscode.window.createTreeView("bodkin.proposals", { treeDataProvider: proposalTree, showCollapseAll: true });
  const sessionView = vscode.window.createTreeView("bodkin.sessions", { treeDataProvider: sessionTree });
  item.name = "bodkin";
  item.command = "bodkin.menu";
  item.show();
  context.subscriptions.push(output, item, nextEdit, review, asking, proposalView, sessionView, sessionText, promptHere, questions, asking.view.onDidTurn((visible) => asking.viewTurned(visible)),
    vscode.window.registerWebviewViewProvider("bodkin.conversation", asking.view, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.onDidChangeActiveTextEditor(() => {
      sessionTree.refresh();
      void review.inline.draw();
    }));

  const died = () => {
    progress.endAll();
    const lost = asking.allLost("bodkin ended before this was finished.");
    const what = lost > 0 ? `; ${count(lost, "request")} ${lost === 1 ? "was" : "were"} not finished` : "";
    void alarm(`bodkin ended unexpectedly${what}.`, "Restart", "Show Log").then((choice) => {
      if (choice === "Restart") void made.restart();
      if (choice === "Show Log") output.show();
    });
  };

  // In place of the language client's own, of whose messages a longer one is cut.
  client.onNotification(ShowMessageNotification.type, ({ type, message }) => {
    const say = type === MessageType.Error ? alarm : type === MessageType.Warning ? warn : inform;
    void say(message);
  });
  client.onNotification(own.proposal, (proposal: own.Proposal) => {
    if (proposal.askId) review.inline.writes(proposal.askId);
    return review.proposalArrived(proposal);
  });
  client.onNotification(own.didChangeProposal, async (change: own.ChangedProposal) => {
    await review.proposalChanged(change);
    asking.proposalsChanged(change);
  });
  client.onNotification(own.didEndAsk, async (ended: own.EndedAsk) => {
    review.inline.writes(ended.askId);
    log.end(ended.askId);
    sessionTree.refresh();
    if (ended.sessionId) void sessionText.refresh(ended.sessionId);
    await asking.ended(ended);
  });
  client.onNotification(own.status, (now: own.Status) => {
    status = now;
    asking.heard(now);
    showStatus();
  });
  client.onNotification(own.stream, (delta: own.Streamed) => {
    log.streamed(delta);
    if (delta.step) review.inline.writes(delta.askId);
    asking.streamed(delta);
  });
  client.onNotification(own.writing, (now: own.Writing) => {
    review.inline.writes(now.askId, now);
    asking.writes(now);
  });
  client.onRequest(own.input, async (question: { prompt: string; placeholder?: string }) => ({
    value: (await askFor(parts, question.prompt, question.placeholder)) ?? null,
  }));
  client.onRequest(own.permit, (question: own.Question, token: vscode.CancellationToken) => questions.asked(question, token));
  client.onRequest(own.listModels, () => models.listed());
  client.onRequest(own.requestModel, (request: own.ModelRequest, token: vscode.CancellationToken) =>
    models.answered(
      request,
      (text) => {
        const value = { kind: "text", text };
        if (request.partialResultToken) {
          void client.sendProgress(new ProgressType<typeof value>(), request.partialResultToken, value);
        }
      },
      token,
    ),
  );
  client.onRequest(own.secret, async ({ name }: { name: string }) => ({ value: await keys.forServer(name) }));
  // Whether the server would ask a model of the editor's, which has none.
  let editorModels = Number.POSITIVE_INFINITY;
  const countModels = async () => {
    const all = await models.chosen().catch(() => undefined);
    editorModels = all?.length ?? editorModels;
    showStatus();
  };
  // The server names none that it could ask, or only ours.
  const hasNoModel = () => editorModels === 0 && (status.model === "auto" ? !status.host : /^the editor's own models?$/.test(status.host ?? ""));
  void countModels();
  context.subscriptions.push(vscode.lm.onDidChangeChatModels(countModels));
  const bridge = new Bridge(client);
  client.onRequest(own.pullDiagnostics, (params: { uri: string; documentVersion: number }) => bridge.pulled(params));
  const parts: Parts = { context, server: made, run, asking, review, sessions, sessionTree, sessionText, keys, questions, promptHere, nextEdit, output, isBusy: () => status.state !== "idle", host: () => (status.mode === "human" ? "" : hasNoModel() ? "no model yet" : (status.host ?? "")), hasNoModel, selectedSession: () => sessionView.selection.find((node) => "id" in node) as own.Session | undefined };
  context.subscriptions.push(
    bridge.listen(),
    // Uninstalled: nothing of it runs on until the window is reloaded.
    vscode.extensions.onDidChange(() => {
      if (!vscode.extensions.getExtension(context.extension.id) && client.isRunning()) void client.stop();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (client.isRunning()) void client.sendNotification(own.didChangeTrust, { trusted: true });
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("files.encoding")) encodings.tellSetting();
      if (!change.affectsConfiguration("bodkin.server.path")) return;
      if (asking.conversation.running.length === 0) return void made.restart();
      void inform("bodkin: the program was changed in the settings. Restart to use it; that ends what is running.", "Restart").then((choice) => {
        if (choice) void made.restart();
      });
    }),
    client.onDidChangeState(({ newState }) => {
      void vscode.commands.executeCommand("setContext", "bodkin.isRunning", newState === State.Running);
      sessionTree.refresh();
      if (newState === State.Running) {
        encodings.tellSetting();
        bridge.sendAll();
        void sessionText.refresh();
      } else {
        status = { state: "idle" };
        progress.endAll();
        asking.allLost("bodkin was stopped before this was finished.");
        review.inline.endWrites();
        review.forget();
      }
      showStatus();
    }),
  );
  const does = doesOf(parts);
  composer = composerOf(parts, context.storageUri ?? context.globalStorageUri, () => status);
  context.subscriptions.push(composer, asking.view.onDidSay(({ does: what }) => what && does(what)));
  for (const [id, command] of Object.entries(commandHandlers(parts))) {
    context.subscriptions.push(vscode.commands.registerCommand(id, command));
  }

  asking.restore();
  await made.start();
  showStatus();
}

export async function deactivate(): Promise<void> {
  if (server?.client.isRunning()) await server.client.stop();
}
