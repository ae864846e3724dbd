// What the commands do, one row each; they are declared in package.json.
import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import * as vscode from "vscode";
import { State } from "vscode-languageclient/node";
import { targetOf } from "./added_lines.ts";
import type { Asking } from "./asking.ts";
import { chooseEffort, chooseMode, chooseModel } from "./choose_model.ts";
import { withRequest } from "./completion.ts";
import { switchSession } from "./conversation_commands.ts";
import { showDiff } from "./diffs.ts";
import * as early from "./early_keys.ts";
import * as own from "./extensions.ts";
import type { Keys } from "./keys.ts";
import { menu } from "./menu.ts";
import { kNoModel } from "./models.ts";
import type { NextEdit } from "./next_edit.ts";
import { askForRequest, type Prompt, pressed } from "./prompt.ts";
import type { PromptHere } from "./prompt_here.ts";
import { differs } from "./proposals.ts";
import type { Questions } from "./questions.ts";
import type { Review, Run } from "./review.ts";
import { alarm, inform, warn } from "./said.ts";
import type { Server } from "./server.ts";
import type { SessionText } from "./session_text.ts";
import type { Sessions } from "./sessions.ts";
import { proposalAt } from "./sides.ts";
import { exists } from "./texts.ts";
import type { Node, SessionTree } from "./trees.ts";

export const kRequests = "bodkin.requests"; // newest first

export interface Parts {
  context: vscode.ExtensionContext;
  server: Server;
  run: Run;
  asking: Asking;
  review: Review;
  sessions: Sessions;
  sessionTree: SessionTree;
  sessionText: SessionText;
  keys: Keys;
  questions: Questions;
  promptHere: PromptHere;
  nextEdit: NextEdit;
  output: vscode.LogOutputChannel;
  isBusy(): boolean;
  selectedSession(): own.Session | undefined;
  hasNoModel(): boolean; // nothing that could be asked is known
  host(): string; // where the code goes; "" if that is not known yet
}

// Why bodkin does not work on a document, if it does not.
export function whyNotEdited({ scheme }: vscode.Uri): string | undefined {
  if (scheme === "file" || scheme === "untitled") return undefined;
  return scheme.startsWith("vscode-notebook") ? "bodkin: notebooks cannot be edited yet." : "bodkin: open a file first. This tab does not show a file.";
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it is not saved yet
  }
}

// Only what is in the window's folders can be changed, by whatever links; without a folder, what is open.
export function isOutside(uri: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (uri.scheme !== "file" || folders.length === 0 || vscode.workspace.getWorkspaceFolder(uri)) return false;
  const file = realPath(uri.fsPath);
  return !folders.some((folder) => {
    const inside = relative(realPath(folder.uri.fsPath), file);
    return folder.uri.scheme === "file" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside); // on another drive
  });
}

// What can be done without a model, before a request is typed in vain.
async function tellNoModel(): Promise<void> {
  const ways = { "Choose Model…": "bodkin.chooseModel", "Set API Key…": "bodkin.setApiKey", "Copy Prompt…": "bodkin.copyPromptForChat" };
  const choice = await inform(`bodkin: ${kNoModel}`, ...Object.keys(ways));
  if (choice) await vscode.commands.executeCommand(ways[choice as keyof typeof ways]);
}

async function tellOutside(uri: vscode.Uri): Promise<void> {
  const folder = vscode.Uri.joinPath(uri, "..");
  const add = "Add Its Folder";
  const choice = await warn(`bodkin: ${uri.fsPath} is in none of this window's folders, and bodkin changes only what is in them.`, add);
  if (choice === add) vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, { uri: folder });
}

// The request that the user types, kept for the next time.
export async function askFor(parts: Parts, title: string, placeHolder = "for example: return an error instead of throwing", begun = "") {
  return kept(parts, await askForRequest(promptOf(parts, title, placeHolder), begun));
}

// The same at the selection of an editor, and the lines that it is about by then.
async function askAt(parts: Parts, editor: vscode.TextEditor): Promise<{ prompt: string; range: own.Range } | undefined> {
  const prompt = promptOf(parts, "What should I change?", "");
  const typed = await parts.promptHere.ask(prompt, editor);
  if (typed && "elsewhere" in typed) {
    const text = await askFor(parts, "What should I change?", undefined, typed.elsewhere);
    return text === undefined ? undefined : { prompt: text, range: editor.selection };
  }
  return typed && { prompt: (await kept(parts, typed.text)) ?? "", range: typed.range };
}

function promptOf(parts: Parts, title: string, placeHolder: string): Prompt {
  const { context, server, host } = parts;
  const { client } = server;
  return {
    title: host() ? `${title} → ${host()}` : title,
    placeHolder,
    earlier: context.workspaceState.get<string[]>(kRequests, []),
    complete: async (typed) => (client.isRunning() ? client.sendRequest<own.Completions>(own.complete, { text: typed }) : undefined),
    keep: (text) => void kept(parts, text),
  };
}

export async function kept({ context }: Parts, text: string | undefined): Promise<string | undefined> {
  if (text) await context.workspaceState.update(kRequests, withRequest(context.workspaceState.get<string[]>(kRequests, []), text));
  return text;
}

const rangeOf = ({ start, end }: own.Range) => new vscode.Range(start.line, start.character, end.line, end.character);

export function commandHandlers(parts: Parts): Record<string, (argument?: unknown, ...more: unknown[]) => unknown> {
  const { server, run, asking, review, sessions, sessionTree, sessionText, keys, questions, output } = parts;
  const { client } = server;
  // The selection of the active editor, or the cursor.
  const place = () => {
    const editor = vscode.window.activeTextEditor;
    const hindrance = editor ? whyNotEdited(editor.document.uri) : "bodkin: open a file first.";
    if (!editor || hindrance) {
      void inform(hindrance ?? "");
      return undefined;
    }
    if (isOutside(editor.document.uri)) {
      void tellOutside(editor.document.uri);
      return undefined;
    }
    return {
      textDocument: { uri: client.code2ProtocolConverter.asUri(editor.document.uri) },
      range: client.code2ProtocolConverter.asRange(editor.selection),
    };
  };
  // That of the entry, or for its keys the one that has the focus.
  const sessionOf = (argument: unknown): Promise<own.Session | undefined> | own.Session | undefined => {
    if ((argument as { focused?: boolean } | undefined)?.focused) return parts.selectedSession();
    return (argument as own.Session | undefined) ?? sessions.choose();
  };
  let copied: string | undefined; // for a chat, last
  const refine = async (proposal: own.Proposal | undefined) => {
    const prompt = proposal && (await askFor(parts, "What should be different in this proposal?", "for example: keep the name"));
    if (prompt) await asking.ask(own.commands.ask, { proposalId: proposal.proposalId, prompt });
  };
  const askSelection = async (effort?: string) => {
      if (parts.promptHere.isOpen && vscode.window.activeTextEditor?.document.uri.scheme === "comment") return; // its field has the focus
      if (parts.hasNoModel()) void tellNoModel();
      early.taken(); // what came too late for a field that could not be opened
      // The key has opened the list of quick access, so that no letter typed now comes into the document: what is opened below closes it.
      const closeList = () => {
        early.end();
        early.taken();
        void vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      };
      // In the diff of a proposal, what is asked is about it.
      const shown = proposalAt(vscode.window.activeTextEditor?.document.uri);
      const about = shown && review.target({ proposalId: shown });
      if (shown && !about) closeList();
      if (shown) return refine(about || undefined);
      const editor = vscode.window.activeTextEditor;
      // Without a file it is about the folder.
      const prompt = editor ? undefined : await askFor(parts, "What should I do in this folder?");
      if (prompt) return asking.ask(own.commands.ask, { prompt, effort });
      const where = editor && place();
      if (editor && !where) closeList();
      const typed = where && (await askAt(parts, editor));
      if (typed) await asking.ask(own.commands.ask, { ...where, range: client.code2ProtocolConverter.asRange(rangeOf(typed.range)), prompt: typed.prompt, effort });
  };
  return {
    "bodkin.askSelection": () => askSelection(),
    "bodkin.askWithEffort": async () => {
      const effort = await chooseEffort();
      if (effort) await askSelection(effort);
    },
    // The same, in a menu in which other agents have theirs.
    "bodkin.askHere": () => vscode.commands.executeCommand("bodkin.askSelection"),
    "bodkin.resumeSession": async (argument) => {
      const session = (argument as own.Session | undefined)?.id ? (argument as own.Session) : await sessions.choose();
      if (!session) return;
      await asking.showSession(session.id);
      await asking.view.focus();
    },
    "bodkin.switchSession": () => switchSession(parts),
    "bodkin.focusConversation": () => asking.view.focus(),
    "bodkin.readSession": async (argument) => {
      const session = (argument as own.Session | undefined)?.id ? (argument as own.Session) : await sessions.choose();
      if (session) await sessionText.show(session);
    },
    "bodkin.beginSession": async () => {
      const uri = vscode.window.activeTextEditor?.document.uri;
      await asking.newSession(uri && client.code2ProtocolConverter.asUri(uri));
      sessionTree.refresh();
      await asking.view.focus();
    },
    "bodkin.renameSession": async (argument) => {
      const session = await sessionOf(argument);
      if (!session) return;
      await sessions.rename(session);
      sessionTree.refresh();
      if (asking.view.session === session.id) await asking.showSession(session.id);
      await sessionText.refresh(session.id);
    },
    "bodkin.deleteSession": async (argument) => {
      const session = await sessionOf(argument);
      if (!session || !(await sessions.remove(session))) return;
      sessionTree.refresh();
      if (asking.view.session === session.id) await asking.showSession(undefined);
      sessionText.close(session.id);
    },
    "bodkin.fixHere": async () => {
      const where = place();
      if (where) await asking.ask(own.commands.fix, where);
    },
    "bodkin.fixFile": async () => {
      const where = place();
      if (where) await asking.ask(own.commands.fix, { textDocument: where.textDocument });
    },
    "bodkin.showProposal": async (argument) => {
      const proposal = review.target(argument, true);
      const { kind, hunk, file } = (targetOf(argument) ?? argument ?? {}) as { kind?: string; hunk?: number; file?: string };
      const its = kind === "proposal" ? "all" : (file ?? proposal?.hunks.find(({ index }) => index === hunk)?.uri);
      if (proposal) await showDiff(proposal, its);
    },
    "bodkin.olderRequest": () => pressed(1),
    "bodkin.newerRequest": () => pressed(-1),
    "bodkin.olderRequestHere": () => parts.promptHere.recall(1),
    "bodkin.newerRequestHere": () => parts.promptHere.recall(-1),
    "bodkin.sendRequest": (comment) => parts.promptHere.send(comment as vscode.Comment | undefined),
    "bodkin.closePrompt": () => parts.promptHere.close(),
    "bodkin.takeNextEdit": () => parts.nextEdit.go(),
    "bodkin.typeEarly": (letter) => early.add(letter),
    "bodkin.newLine": () => pressed(0),
    "bodkin.completeRequest": () => pressed("complete"),
    "bodkin.showUnified": async (argument) => {
      const proposal = review.target(argument, true);
      if (proposal) await review.unified.show(proposal);
    },
    "bodkin.editProposal": async (argument) => {
      const proposal = review.target(argument);
      if (proposal) await review.edit(proposal, (argument as { file?: string } | undefined)?.file);
    },
    "bodkin.proposeEdited": () => review.edited.proposeActive(),
    "bodkin.applyProposal": async (argument) => {
      const proposal = review.target(argument);
      if (proposal) await review.apply(proposal);
    },
    "bodkin.discardProposal": async (argument) => {
      const proposal = review.target(argument);
      if (proposal) await review.discard(proposal);
    },
    // The same, for the keys: a button of the title bar would have the names of two keys in it.
    "bodkin.applyAll": () => vscode.commands.executeCommand("bodkin.applyProposal"),
    "bodkin.discardAll": () => vscode.commands.executeCommand("bodkin.discardProposal"),
    // The same, for the buttons over one of several files.
    "bodkin.applyAllFiles": () => vscode.commands.executeCommand("bodkin.applyProposal"),
    "bodkin.discardAllFiles": () => vscode.commands.executeCommand("bodkin.discardProposal"),
    "bodkin.refineProposal": (argument) => refine(review.target(argument)),
    "bodkin.reviewApplied": () => review.applied.review(),
    "bodkin.undoProposal": () => review.undo(),
    "bodkin.redoProposal": () => review.redo(),
    "bodkin.answerQuestion": () => questions.answer(),
    "bodkin.applyChange": (argument) => review.change(argument, own.commands.applyHunk),
    "bodkin.discardChange": (argument) => review.change(argument, own.commands.discard),
    "bodkin.applyFile": (argument) => review.change(argument, own.commands.applyHunk, true),
    "bodkin.discardFile": (argument) => review.change(argument, own.commands.discard, true),
    "bodkin.nextChange": () => goTo(1),
    "bodkin.previousChange": () => goTo(-1),
    "bodkin.revealChange": async (argument) => {
      const node = argument as Node;
      if (node.kind === "proposal") return;
      const all = node.kind === "hunk" ? undefined : await review.waiting(node.proposalId, node.file);
      const at = node.kind === "hunk" ? node.at : (all?.hunks[0] ?? all?.outOfDate[0]);
      const uri = vscode.Uri.parse(node.file);
      if (at && (await exists(uri))) await review.inline.reveal(node.file, at.range.start.line);
      else if (at) void inform(`bodkin: ${vscode.workspace.asRelativePath(uri)} is gone.`);
    },
    "bodkin.askAgain": async (argument) => {
      const proposal = review.target(argument);
      if (proposal?.askId) await asking.again(proposal.askId);
    },
    "bodkin.cancelAsk": () => {
      if (parts.isBusy() || asking.conversation.running.length > 0) return run(own.commands.cancel, {});
      void inform("bodkin: there is nothing to cancel.");
    },
    "bodkin.applyClipboard": async () => {
      const text = await vscode.env.clipboard.readText();
      const hindrance = !text.trim() ? "is empty" : text === copied ? "still has what was copied for the chat" : undefined;
      if (hindrance) {
        void inform(`bodkin: the clipboard ${hindrance}. Copy a chat's answer first.`);
        return;
      }
      const where = vscode.window.activeTextEditor ? place() : undefined;
      await run(own.commands.applyReply, { text, textDocument: where?.textDocument }, async (message, { feedback = "" }) => {
        if (!message) return server.tellDown();
        const copy = "Copy for the Chat";
        const choice = await alarm(`bodkin: ${message}${differs(feedback)}`, ...(feedback ? [copy] : []));
        if (choice !== copy) return;
        copied = feedback;
        await vscode.env.clipboard.writeText(copied);
      });
    },
    // With what was asked already, or asked for.
    "bodkin.copyPromptForChat": async (argument) => {
      const asked = argument as { prompt?: string } | undefined;
      const where = asked?.prompt ? {} : place();
      const prompt = asked?.prompt ?? (where && (await askFor(parts, "What should I change?")));
      if (!prompt) return;
      const answer = await run<{ text: string }>(own.commands.copyPrompt, { ...where, ...asked, prompt });
      if (!answer) return;
      copied = answer.text;
      await vscode.env.clipboard.writeText(copied);
      const then = "Apply Answer";
      const choice = await inform("bodkin: the prompt is copied. Paste it into any chat, then copy the chat's answer.", then);
      if (choice === then) await vscode.commands.executeCommand("bodkin.applyClipboard");
    },
    "bodkin.chooseModel": async () => (await server.mustBeUp()) && chooseModel(run, keys),
    "bodkin.chooseMode": async () => {
      if (await server.mustBeUp()) await chooseMode(run);
    },
    "bodkin.setApiKey": (forFailed) => keys.set(run, forFailed === true),
    "bodkin.checkSetup": async () => {
      const checked = await run<{ ok: boolean; text: string }>(own.commands.check, {});
      if (!checked) return;
      output.info(checked.text);
      output.show();
    },
    "bodkin.showConversation": async () => {
      await vscode.commands.executeCommand("bodkin.conversation.focus");
      asking.view.toNewest();
    },
    "bodkin.showOutput": () => output.show(),
    "bodkin.restart": () => server.restart(),
    "bodkin.menu": () => menu(client.state === State.Running, parts.isBusy(), review.proposals.all.length > 0, questions.oldest?.title),
  };
  async function goTo(by: 1 | -1) {
    if (!review.unified.go(by) && !(await review.go(by))) void inform(review.proposals.whyNone);
  }
}
