// What the field below the Conversation, and the buttons around it, lead to.
import * as vscode from "vscode";
import { isOutside, kept, kRequests, type Parts, whyNotEdited } from "./commands.ts";
import { type Composed, Composer } from "./composer.ts";
import * as own from "./extensions.ts";
import { plain } from "./plain.ts";

export function composerOf(parts: Parts, storage: vscode.Uri, status: () => own.Status): Composer {
  const { asking, server, context } = parts;
  const mayEdit = (uri: vscode.Uri) => whyNotEdited(uri) === undefined && !isOutside(uri);
  const send = async ({ prompt, effort, editor, attachments }: Composed) => {
    await kept(parts, prompt);
    const converter = server.client.code2ProtocolConverter;
    const where = editor && {
      textDocument: { uri: converter.asUri(editor.document.uri) },
      range: converter.asRange(editor.selection),
    };
    const { session } = asking.view;
    const files = attachments.length > 0 ? { attachments } : {};
    await asking.ask(
      own.commands.ask,
      { ...where, ...files, prompt, effort, sessionId: session },
      session === undefined,
    );
  };
  return new Composer(asking.view, () => server.client, storage, {
    requests: () => context.workspaceState.get<string[]>(kRequests, []),
    model: () => (parts.hasNoModel() ? "No model" : (status().model ?? "")),
    mayEdit,
    send,
  });
}

// The buttons of the page.
export function doesOf(parts: Parts): (what: string) => unknown {
  const run = (command: string) => vscode.commands.executeCommand(command);
  const all: Record<string, () => unknown> = {
    switch: () => run("bodkin.switchSession"),
    new: () => run("bodkin.beginSession"),
    model: () => run("bodkin.chooseModel"),
    check: () => run("bodkin.checkSetup"),
    copyPrompt: () => run("bodkin.copyPromptForChat"),
    applyAnswer: () => run("bodkin.applyClipboard"),
    here: async () => {
      if (vscode.window.activeTextEditor) await run("workbench.action.focusActiveEditorGroup");
      else return parts.asking.view.focus();
      await run("bodkin.askSelection");
    },
  };
  return (what) => all[what]?.();
}

// Another session in the Conversation; the first of the list begins one.
export async function switchSession({ sessions, asking }: Parts): Promise<void> {
  const begin = { label: "$(add) New Session", description: "", id: undefined as string | undefined };
  const others = (await sessions.list()).map(({ id, title, used }) => ({
    label: `${id === asking.view.session ? "$(check) " : ""}${plain(title)}`,
    description: new Date(used).toLocaleString(),
    id: id as string | undefined,
  }));
  const picked = await vscode.window.showQuickPick([begin, ...others], {
    placeHolder: "Show which session?",
    matchOnDescription: true,
  });
  if (picked === begin) await vscode.commands.executeCommand("bodkin.beginSession");
  else if (picked) {
    await asking.showSession(picked.id);
    await asking.view.focus();
  }
}
