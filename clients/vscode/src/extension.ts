// The VS Code client: commands, the diff of a proposal, the bridge of diagnostics. All decisions
// about edits are the server's.
import * as vscode from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import * as own from "./extensions.ts";
import { Proposals, farewell, filesOf, summary } from "./proposals.ts";

const kScheme = "bodkin-proposal";

let client: LanguageClient | undefined;

function serverPath(): string {
  return vscode.workspace.getConfiguration("bodkin").get<string>("server.path") || "bodkin";
}

// experimental.bodkin of the client capabilities (lsp/extensions.h).
const announce: StaticFeature = {
  fillClientCapabilities(capabilities) {
    const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
    capabilities.experimental = { ...experimental, bodkin: { proposals: true, diagnostics: true, input: true } };
  },
  initialize() {},
  getState() {
    return { kind: "static" };
  },
  clear() {},
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("bodkin", { log: true });
  const item = vscode.window.createStatusBarItem("bodkin.status", vscode.StatusBarAlignment.Left);
  item.name = "bodkin";
  item.command = "bodkin.showOutput";
  context.subscriptions.push(output, item);

  const serverOptions: ServerOptions = { command: serverPath(), args: ["--stdio"] };
  const clientOptions: LanguageClientOptions = {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    outputChannel: output,
    synchronize: { configurationSection: "bodkin" },
    initializationOptions: { bodkin: vscode.workspace.getConfiguration("bodkin") },
  };
  client = new LanguageClient("bodkin", "bodkin", serverOptions, clientOptions);
  client.registerFeature(announce);

  const proposals = new Proposals();
  const run = async <T>(command: string, argument: object): Promise<T | undefined> => {
    if (!client?.isRunning()) {
      void vscode.window.showErrorMessage(
        `bodkin is not running: put the program "${serverPath()}" on PATH or name it in the setting bodkin.server.path.`,
      );
      return undefined;
    }
    try {
      return (await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] })) as T;
    } catch (error) {
      void vscode.window.showErrorMessage(`bodkin: ${(error as Error).message}`);
      return undefined;
    }
  };

  // The proposed text of a file, for the right side of the diff.
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const proposedUri = (id: string, file: string) =>
    vscode.Uri.from({ scheme: kScheme, path: vscode.Uri.parse(file).path, query: JSON.stringify([id, file]) });
  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(kScheme, {
      onDidChange: changed.event,
      async provideTextDocumentContent(uri) {
        const [proposalId, file] = JSON.parse(uri.query) as [string, string];
        const content = await client!.sendRequest<own.ProposalContent>(own.proposalContent, { proposalId, uri: file });
        return content.text;
      },
    }),
  );
  const show = async (proposal: own.Proposal) => {
    for (const file of filesOf(proposal)) {
      const uri = vscode.Uri.parse(file);
      const name = vscode.workspace.asRelativePath(uri);
      await vscode.commands.executeCommand(
        "vscode.diff", uri, proposedUri(proposal.proposalId, file), `${name}: proposed`, { preview: true });
    }
  };
  const offer = async (proposal: own.Proposal) => {
    const choice = await vscode.window.showInformationMessage(summary(proposal), "Apply", "Discard");
    if (choice === "Apply") await run(own.commands.apply, { proposalId: proposal.proposalId });
    if (choice === "Discard") await run(own.commands.discard, { proposalId: proposal.proposalId });
  };

  client.onNotification(own.proposal, async (proposal: own.Proposal) => {
    proposals.add(proposal);
    await show(proposal);
    void offer(proposal);
  });
  client.onNotification(own.didChangeProposal, (state: own.ChangedProposal) => {
    const proposal = proposals.byId(state.proposalId);
    proposals.change(state);
    for (const file of proposal ? filesOf(proposal) : []) changed.fire(proposedUri(state.proposalId, file));
    if (!state.message) return;
    if (state.state === "applied") vscode.window.setStatusBarMessage(`bodkin: ${state.message}`, 5000);
    else if (state.state !== "applying" && state.state !== "ready")
      void vscode.window.showWarningMessage(`bodkin: ${state.message}`);
  });
  client.onNotification(own.didEndAsk, (ended: own.EndedAsk) => {
    const words = farewell(ended);
    if (!words) return;
    if (words.severity === "info") void vscode.window.showInformationMessage(words.text);
    else void vscode.window.showWarningMessage(words.text);
  });
  client.onNotification(own.status, (status: own.Status) => {
    item.text = status.state === "idle" ? "bodkin" : `$(sync~spin) bodkin: ${status.message || status.state}`;
    item.show();
  });
  client.onNotification(own.stream, (delta: { text: string }) => output.append(delta.text));
  client.onRequest(own.input, async (question: { prompt: string; placeholder?: string }) => ({
    value: (await vscode.window.showInputBox({ prompt: question.prompt, placeHolder: question.placeholder })) ?? null,
  }));

  // The bridge: what the editor's other servers say, with the version of the text that is shown.
  let sequence = 0;
  context.subscriptions.push(
    vscode.languages.onDidChangeDiagnostics((event) => {
      if (!client?.isRunning()) return;
      for (const uri of event.uris) {
        const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
        const theirs = vscode.languages.getDiagnostics(uri).filter((diagnostic) => diagnostic.source !== "bodkin");
        void client.sendNotification(own.didChangeDiagnostics, {
          uri: client.code2ProtocolConverter.asUri(uri),
          documentVersion: document?.version ?? null,
          sequence: ++sequence,
          diagnostics: theirs.map((diagnostic) => client!.code2ProtocolConverter.asDiagnostic(diagnostic)),
          complete: true,
        } satisfies own.DidChangeDiagnostics);
      }
    }),
  );

  const place = () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !client) {
      void vscode.window.showInformationMessage("bodkin: open a file first.");
      return undefined;
    }
    return {
      textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
      range: client.code2ProtocolConverter.asRange(editor.selection),
    };
  };
  const newest = () => {
    const proposal = proposals.newest;
    if (!proposal) void vscode.window.showInformationMessage("bodkin: there is no proposal.");
    return proposal;
  };
  const own_commands: Record<string, () => Promise<unknown>> = {
    "bodkin.askSelection": async () => {
      const where = place();
      if (!where) return;
      const prompt = await vscode.window.showInputBox({
        prompt: "What should change here?",
        placeHolder: "for example: return an error instead of throwing",
      });
      if (prompt) await run(own.commands.ask, { ...where, prompt });
    },
    "bodkin.fixHere": async () => {
      const where = place();
      if (where) await run(own.commands.fix, where);
    },
    "bodkin.showProposal": async () => {
      const proposal = newest();
      if (proposal) await show(proposal);
      if (proposal) void offer(proposal);
    },
    "bodkin.applyProposal": async () => {
      const proposal = newest();
      if (proposal) await run(own.commands.apply, { proposalId: proposal.proposalId });
    },
    "bodkin.discardProposal": async () => {
      const proposal = newest();
      if (proposal) await run(own.commands.discard, { proposalId: proposal.proposalId });
    },
    "bodkin.cancelAsk": () => run(own.commands.cancel, {}),
    "bodkin.applyClipboard": async () => {
      const text = await vscode.env.clipboard.readText();
      const where = vscode.window.activeTextEditor ? place() : undefined;
      await run(own.commands.applyReply, { text, textDocument: where?.textDocument });
    },
    "bodkin.copyPromptForChat": async () => {
      const where = place();
      if (!where) return;
      const prompt = await vscode.window.showInputBox({ prompt: "What should change here?" });
      if (!prompt) return;
      const answer = await run<{ text: string }>(own.commands.copyPrompt, { ...where, prompt });
      if (!answer) return;
      await vscode.env.clipboard.writeText(answer.text);
      void vscode.window.showInformationMessage("bodkin: the prompt is on the clipboard; paste it into any chat.");
    },
    "bodkin.showOutput": async () => output.show(),
  };
  for (const [id, command] of Object.entries(own_commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(id, command));
  }

  try {
    await client.start();
  } catch {
    void vscode.window.showErrorMessage(
      `bodkin could not be started: put the program "${serverPath()}" on PATH or name it in the setting bodkin.server.path.`,
    );
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
