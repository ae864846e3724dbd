// The field below the Conversation: what it knows (the model, the place in the code, the files that are attached),
// and what is sent from it. The page is media/conversation.js.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { ConversationView, Said } from "./conversation_view.ts";
import * as own from "./extensions.ts";
import { plain } from "./plain.ts";
import { warn } from "./said.ts";

const kMaxPasted = 5_000_000; // bytes of a file
const kSettled = 100; // milliseconds until a selection is shown

// A request that was sent from the field.
export interface Composed {
  prompt: string;
  effort?: string;
  editor?: vscode.TextEditor; // the place that it is about
  attachments: string[]; // URIs
}

export interface ComposerHost {
  requests(): readonly string[]; // newest first
  model(): string; // "": it is not known yet
  mayEdit(uri: vscode.Uri): boolean; // bodkin works on it
  send(request: Composed): Promise<unknown>;
}

export class Composer implements vscode.Disposable {
  private attached: vscode.Uri[] = [];
  private readonly all: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private shown = "";

  // `storage`: the folder for what is pasted.
  constructor(
    private readonly view: ConversationView,
    private readonly client: () => LanguageClient,
    private readonly storage: vscode.Uri,
    private readonly host: ComposerHost,
  ) {
    this.all = vscode.Disposable.from(
      view.onDidSay((said) => this.heard(said)),
      vscode.window.onDidChangeActiveTextEditor(() => this.refreshSoon()),
      vscode.window.onDidChangeTextEditorSelection(() => this.refreshSoon()),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.all.dispose();
  }

  private refreshSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.refresh();
    }, kSettled);
  }

  // What the page shows may be another by now.
  refresh(): void {
    const { requests, model } = this.host;
    const state = {
      model: plain(model()).split("/").at(-1) || "Choose a model", // not who serves it
      requests: requests(),
      place: this.place(),
      files: this.attached.map((uri) => ({ name: plain(nameOf(uri)) })),
    };
    const now = JSON.stringify(state);
    if (now === this.shown) return;
    this.shown = now;
    this.view.compose(state);
  }

  private editor(): vscode.TextEditor | undefined {
    const editor = vscode.window.activeTextEditor;
    return editor && this.host.mayEdit(editor.document.uri) ? editor : undefined;
  }

  // "a.py:3", "a.py:3–5"
  private place(): string {
    const editor = this.editor();
    if (!editor) return "";
    const { start, end, isEmpty } = editor.selection;
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    const lines = isEmpty || last === start.line ? `${start.line + 1}` : `${start.line + 1}–${last + 1}`;
    return plain(`${nameOf(editor.document.uri)}:${lines}`);
  }

  private async heard(said: Said): Promise<void> {
    if (said.complete !== undefined) return this.complete(said.complete, said.number ?? 0);
    if (said.detach !== undefined) this.attached.splice(said.detach, 1);
    if (said.dropped) this.attach(said.dropped.flatMap(fileOf));
    if (said.pasted) await this.keep(said.pasted);
    if (said.does === "attach") {
      const picked = await vscode.window.showOpenDialog({
        canSelectMany: true,
        title: "Attach to the request",
        openLabel: "Attach",
      });
      this.attach(picked ?? []);
    }
    if (said.send !== undefined) await this.send(said.send, said.effort, said.withPlace !== false);
    this.refresh();
  }

  private attach(uris: readonly vscode.Uri[]): void {
    for (const uri of uris)
      if (!this.attached.some((each) => each.toString() === uri.toString())) this.attached.push(uri);
  }

  // What is pasted is a file as long as the window is open.
  private async keep({ name, data }: { name: string; data: string }): Promise<void> {
    const bytes = Buffer.from(data, "base64");
    if (bytes.length > kMaxPasted) {
      return void warn(
        plain(`bodkin: ${name} is larger than ${kMaxPasted / 1e6} MB, and was not attached.`),
      );
    }
    const safe = name.replace(/[^\w.-]+/g, "_").slice(-60) || "pasted";
    const uri = vscode.Uri.joinPath(this.storage, "attached", Date.now().toString(36), safe);
    await vscode.workspace.fs.writeFile(uri, bytes);
    this.attach([uri]);
  }

  private async complete(text: string, number: number): Promise<void> {
    const client = this.client();
    if (!client.isRunning()) return;
    const found = await client.sendRequest<own.Completions>(own.complete, { text }).catch(() => undefined);
    if (found) this.view.completed({ number, start: found.start, end: text.length, items: found.items });
  }

  private async send(prompt: string, effort: string | undefined, withPlace: boolean): Promise<void> {
    const attachments = this.attached.map((uri) => this.client().code2ProtocolConverter.asUri(uri));
    this.attached = [];
    await this.host.send({
      prompt,
      effort: effort || undefined,
      editor: withPlace ? this.editor() : undefined,
      attachments,
    });
  }
}

const nameOf = ({ path }: vscode.Uri) => path.slice(path.lastIndexOf("/") + 1);

// In a remote window the explorer names files as those of the other machine, which is the one that this runs on.
function fileOf(text: string): vscode.Uri[] {
  const uri = vscode.Uri.parse(text);
  return uri.scheme === "file" ? [uri] : uri.scheme === "vscode-remote" ? [vscode.Uri.file(uri.path)] : [];
}
