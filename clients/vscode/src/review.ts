// What the user sees of proposals, and does with them: the buttons and commands; diffs.ts shows the diffs.
// Longer than others: what is shown, taken and counted of a proposal is one state.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { Applied } from "./applied.ts";
import * as own from "./extensions.ts";
import { targetOf } from "./added_lines.ts";
import { closeDiffs, showFile, showText } from "./diffs.ts";
import { EditedTexts } from "./edited.ts";
import { documentHere, Inline, showInFile } from "./inline.ts";
import { Lenses } from "./lenses.ts";
import { onDidStartTerminalShellExecution } from "./newer_api.ts";
import { Proposals, type Standing, besideOf, brief, count, fateOf, filesOf, filesShown, hasProblems, hunkAt, isOver, isReplaced, kOutOfDate, lineOf, nameOf, named, outOfDate, standingOf, summary, uriAfter, withCount } from "./proposals.ts";
import { onDidChangeRoom } from "./room.ts";
import { inBar, inform, warn } from "./said.ts";
import { type Side, isAbout, kScheme, proposalIn, sideIn, sideOf, uriOf } from "./sides.ts";
import { exists, textOf } from "./texts.ts";
import { Unified } from "./unified.ts";

// One of the server's commands. A failure is told, unless `failed` does.
export type Run = <T>(command: string, argument: object, failed?: (message: string, cause: own.Cause) => unknown) => Promise<T | undefined>;

interface Taken {
  file: string;
  line: number;
  goesOn: boolean; // to the next change: a single one was taken
  isDiff: boolean; // in the diff
  done?: string; // what is said once it is: "Applied: line 3 of a.c."
}

export class Review implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly proposals = new Proposals();
  readonly applied = new Applied();
  readonly inline = new Inline(
    () => this.proposals.all,
    (proposalId, file) => this.waiting(proposalId, file),
    (words) => {
      inBar(words);
      this.say(words);
    },
    async (proposalId, file) => {
      const proposal = this.proposals.byId(proposalId);
      if (proposal) await showText(proposal, file, "documents", { preview: false });
    },
  );
  private readonly lenses = new Lenses(() => this.proposals.all, (proposalId, file) => this.waiting(proposalId, file));
  readonly unified: Unified;
  readonly edited: EditedTexts;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly all: vscode.Disposable;
  readonly onDidChange = this.changed.event;
  // What the user has done, now and when each ask began: who types, in whatever, or looks at another file is not pulled
  // away when the proposal comes.
  private typed = 0;
  private readonly asked = new Map<string, { typed: number; document: string | undefined }>();
  // Where the user has just taken something, until the server says how that ended.
  private readonly taken = new Map<string, Taken>();
  private readonly standings = new Map<string, Standing>();

  constructor(
    private readonly client: LanguageClient,
    private readonly run: Run,
    private readonly countChanged: () => void,
    words: (proposal: own.Proposal) => string, // of the model
    private readonly say: (words: string) => void, // to a screen reader
    private readonly isPrompting: () => boolean, // a request is being typed
    private readonly isSeen: () => boolean, // the view "Conversation"
    private readonly askAgain: (askId: string) => unknown,
  ) {
    this.unified = new Unified((id) => this.proposals.byId(id), (proposalId, file) => this.waiting(proposalId, file), words);
    this.edited = new EditedTexts(run, async (proposalId, file) => (await this.content(proposalId, file)).text);
    this.all = vscode.Disposable.from(
      this.changed,
      this.applied,
      this.lenses,
      this.inline,
      this.unified,
      this.edited,
      onDidChangeRoom(() => this.update()),
      vscode.workspace.registerTextDocumentContentProvider(kScheme, this),
      vscode.window.tabGroups.onDidChangeTabs(() => this.setContext()),
      vscode.window.onDidChangeActiveTextEditor(() => this.setContext()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // Also into the message of a commit, a notebook or a search.
        // Below what is drawn there is a field for answers, in which nobody can type.
        const isOurs = document.uri.scheme === "comment" && document.uri.authority.startsWith("bodkin");
        if (contentChanges.length > 0 && document.uri.scheme !== "output" && !isOurs && !sideOf(document.uri)) ++this.typed;
        if (document.uri.scheme === "file" || document.uri.scheme === "untitled") this.refresh(document.uri);
      }),
      ...[vscode.window.onDidChangeActiveTerminal, vscode.window.onDidChangeTerminalState, onDidStartTerminalShellExecution].map((happens) => happens?.(() => ++this.typed) ?? new vscode.Disposable(() => {})),
    );
  }

  dispose(): void {
    this.all.dispose();
  }

  askStarted(askId: string): void {
    this.asked.set(askId, { typed: this.typed, document: documentHere() });
  }

  async proposalArrived(proposal: own.Proposal): Promise<void> {
    this.proposals.add(proposal);
    this.update();
    void this.count(proposal);
    if (proposal.atOnce) void this.applied.keep(proposal);
    if (proposal.atOnce && !proposal.askId) return; // an agent's: there is nothing to decide
    if (proposal.restored) return; // the status bar has it; nothing opens by itself when a window is reloaded
    const notes = proposal.notes ?? [];
    // The view "Conversation" lists them.
    if (notes.length > 0 && (!proposal.askId || !this.isSeen())) void warn(`bodkin: caution: ${notes[0]}${notes.length > 1 ? ` (and ${notes.length - 1} more: in the view bodkin)` : ""}`);
    // A quick model's proposal can be here before the answer to the ask is.
    const then = this.asked.get(proposal.askId ?? "");
    const isBusy = () => this.isPrompting() || (then !== undefined && (then.typed !== this.typed || (then.document ?? documentHere()) !== documentHere()));
    if (!isBusy()) return this.showInFile(proposal);
    const ways: Record<string, (its: own.Proposal) => unknown> = { Show: (its) => this.showInFile(its), Apply: (its) => this.apply(its), Discard: (its) => this.discard(its) };
    await ways[(await inform(summary(proposal), ...Object.keys(ways))) ?? ""]?.(proposal);
  }

  // The first change, where it is drawn.
  showInFile(proposal: own.Proposal): Promise<void> {
    return showInFile(proposal, this.inline, (file) => this.pending(proposal.proposalId, file));
  }

  async proposalChanged(change: own.ChangedProposal): Promise<void> {
    const proposal = this.proposals.byId(change.proposalId);
    if (proposal && change.state === "applying") void this.applied.keep(proposal);
    this.proposals.change(change);
    this.update();
    if (proposal) this.fire(proposal);
    this.unified.refresh(change.proposalId);
    const taken = this.taken.get(change.proposalId);
    if (change.state !== "applying") this.taken.delete(change.proposalId);
    if (change.state !== "applying") await this.count(proposal ?? this.proposals.byId(change.proposalId));
    const isDone = ["ready", "partly", "applied", "discarded"].includes(change.state) && !change.message?.startsWith("Only");
    if (taken?.done && isDone) this.tell(taken.done); // before what is next is said
    if (taken) await this.goOn(change, taken); // before the diff goes: the focus moves once
    if (isOver(change)) await closeDiffs(change.proposalId);
    if (change.state === "applied" && proposal?.askId) this.askStarted(proposal.askId); // it may be repaired
    if (!change.message) return;
    const whose = proposal?.atOnce && !proposal.askId ? `${proposal.title}: ` : ""; // else the user has asked for it
    const isFine = change.state === "applied" || change.state === "partly";
    if (isReplaced(change)) return; // what has taken its place is told
    if ((isFine && !hasProblems(change.verification) && !hasProblems(change.part)) || change.state === "discarded") {
      const words = `${whose}${withCount(change.message, this.standing(change.proposalId))}`;
      inBar(brief(`bodkin: ${words}`));
    } else if (!["applying", "ready"].includes(change.state)) {
      const isUnapplied = proposal && ["stale", "refused"].includes(change.state);
      void this.tellRefused(proposal, isUnapplied && !change.message.includes(`“${proposal.title}”`) ? `${named(proposal)}: ${change.message}` : change.message);
    }
  }

  private async tellRefused(proposal: own.Proposal | undefined, words: string): Promise<void> {
    const again = "Retry";
    const isOld = proposal?.askId !== undefined && outOfDate(this.standing(proposal.proposalId)) > 0;
    const choice = await warn(`bodkin: ${words}`, ...(isOld ? [again] : []));
    if (choice === again && proposal?.askId) await this.askAgain(proposal.askId);
  }

  // What became of its changes.
  standing(proposalId: string): Standing | undefined {
    return this.standings.get(proposalId);
  }

  // What became of its changes by now. Those that have become out of date are told.
  private async count(proposal: own.Proposal | undefined): Promise<void> {
    const content = proposal && (await this.content(proposal.proposalId, filesOf(proposal)[0]).catch(() => undefined));
    if (!content) return;
    const { proposalId } = proposal;
    const before = this.standings.get(proposalId);
    const now = standingOf(content);
    this.standings.set(proposalId, now);
    const more = outOfDate(now) - outOfDate(before);
    const isOpen = this.proposals.byId(proposalId) !== undefined;
    if (isOpen && more > 0) {
      const isThere = await Promise.all(content.changed.map(({ uri }) => exists(vscode.Uri.parse(uri))));
      const why = isThere.includes(true) ? "the text has changed" : "the file is gone";
      this.tell(`${count(more, "change")} ${more === 1 ? "is" : "are"} out of date, ${why}: ${named(proposal)}`);
    }
    if (before?.left !== now.left || more !== 0) this.countChanged();
  }

  private tell(words: string): void {
    inBar(`bodkin: ${words}`);
    this.say(words);
  }

  // To the next change, or, after the last, to what was taken: with nothing selected.
  private async goOn({ proposalId, state }: own.ChangedProposal, { file, line, goesOn, isDiff }: Taken): Promise<void> {
    if (state === "applied") return this.inline.reveal(file, line).catch(() => {}); // its file may be gone with it
    if (!goesOn || !["partly", "ready"].includes(state)) return;
    if (!isDiff) return void (await this.inline.go(1, proposalId));
    if ((await this.goInDiff(1)) || (await this.goInDiff(-1))) return;
    // In the diff of all files the others are below.
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (tab && (await this.goToFile(1))) await vscode.window.tabGroups.close(tab, true);
  }

  // In a diff: the cursor to the next change (1) or the one before (-1) of its file, or of another file. Returns whether it is in a diff.
  async go(by: 1 | -1): Promise<boolean> {
    const editor = vscode.window.activeTextEditor;
    const side = editor && sideOf(editor.document.uri);
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const proposalId = side?.proposalId ?? (tab && proposalIn(tab));
    if (proposalId === undefined) return this.inline.go(by);
    return (await this.goInDiff(by)) || (await this.goToFile(by)) || this.inline.go(by, proposalId, side?.file);
  }

  // From the diff of one file to that of the next (1) or the one before (-1) in which something waits, round. Returns whether there is one.
  private async goToFile(by: 1 | -1): Promise<boolean> {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const proposal = tab && this.proposals.byId(proposalIn(tab) ?? "");
    const side = sideIn(tab);
    if (!proposal || !side || side.alone === "documents") return false;
    const files = filesShown(proposal);
    const at = files.findIndex((file) => file === side.file || uriAfter(proposal, file) === side.file);
    for (let i = 1; i < files.length; i++) {
      const file = files[(at + by * i + files.length) % files.length];
      const hunks = await this.pending(proposal.proposalId, file);
      const hunk = by > 0 ? hunks[0] : hunks.at(-1);
      if (!hunk) continue;
      await showFile(proposal, file, false, lineOf(hunks, hunk));
      await this.inline.tell(proposal.proposalId, hunk);
      return true;
    }
    return false;
  }

  // Returns whether there was one in this file.
  private async goInDiff(by: 1 | -1): Promise<boolean> {
    const editor = vscode.window.activeTextEditor;
    const side = editor && sideOf(editor.document.uri);
    if (!editor || !side?.file || this.isDeleted(side)) return false;
    const { text, hunks } = await this.content(side.proposalId, side.file);
    // What was taken or discarded just now comes into the diff a little later.
    for (let i = 0; i < 20 && editor.document.getText().replaceAll("\r\n", "\n") !== text.replaceAll("\r\n", "\n"); i++) await new Promise((wake) => setTimeout(wake, 50));
    const line = besideOf(hunks, editor.selection.active.line, by);
    if (line === undefined) return false;
    const hunk = hunkAt(hunks, line, "proposed");
    if (hunk) await this.inline.tell(side.proposalId, hunk);
    editor.selection = new vscode.Selection(line, 0, line, 0);
    editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return true;
  }

  // The server has ended, and its proposals with it.
  forget(): void {
    const gone = this.proposals.all;
    this.proposals.clear();
    this.asked.clear();
    this.taken.clear();
    this.standings.clear();
    this.update();
    for (const { proposalId } of gone) void closeDiffs(proposalId);
  }

  // All that hangs on which proposals there are.
  private update(): void {
    this.lenses.refresh();
    void this.inline.draw();
    this.countChanged();
    this.setContext();
    void vscode.commands.executeCommand("setContext", "bodkin.hasProposal", this.proposals.all.length > 0);
    const several = this.proposals.all.filter(({ hunks }) => hunks.length > 1);
    void vscode.commands.executeCommand("setContext", "bodkin.hasSeveralChanges", several.length > 0);
  }

  // Whether changes wait in this document.
  isIn(document: vscode.Uri): boolean {
    return this.proposals.all.some((proposal) => isAbout(proposal, document));
  }

  // Whether what is in front shows changes that can be taken: a document that has some, or a diff.
  private setContext(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const here = vscode.window.activeTextEditor?.document.uri;
    const has = here !== undefined && this.isIn(here);
    const id = (tab && proposalIn(tab)) ?? (here && sideOf(here)?.proposalId);
    const shown = id === undefined ? undefined : this.proposals.byId(id);
    void vscode.commands.executeCommand("setContext", "bodkin.isReview", has || shown !== undefined);
    const isOne = shown !== undefined && sideIn(tab) !== undefined && filesShown(shown).length > 1;
    void vscode.commands.executeCommand("setContext", "bodkin.isOneOfSeveral", isOne);
  }

  private refresh(document: vscode.Uri): void {
    for (const proposal of this.proposals.all.filter((each) => isAbout(each, document))) {
      this.fire(proposal);
      this.unified.refresh(proposal.proposalId);
      void this.inline.draw();
      void this.count(proposal);
    }
  }

  // Its texts are other ones now.
  private fire(proposal: own.Proposal): void {
    const { proposalId } = proposal;
    for (const file of filesOf(proposal)) {
      for (const name of new Set([file, uriAfter(proposal, file)])) this.changed.fire(uriOf({ proposalId, file }, name));
      for (const alone of ["diffs", "documents"] as const) this.changed.fire(uriOf({ proposalId, file, alone }));
    }
  }

  private content = (proposalId: string, uri: string) => this.client.sendRequest<own.ProposalContent>(own.proposalContent, { proposalId, uri });

  // The changes of a file, as the document is now: those that wait, and those that are out of date.
  async waiting(proposalId: string, uri: string): Promise<{ hunks: own.Hunk[]; outOfDate: own.Hunk[] }> {
    const { hunks, changed } = await this.content(proposalId, uri);
    return { hunks, outOfDate: changed.filter((hunk) => hunk.uri === uri) };
  }

  // The first of these.
  private pending = async (proposalId: string, uri: string): Promise<own.Hunk[]> => (await this.content(proposalId, uri)).hunks;

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const side = sideOf(uri);
    if (!side?.file) return "";
    if (!this.isDeleted(side)) return (await this.content(side.proposalId, side.file)).text;
    return (await textOf(vscode.Uri.parse(side.file))) ?? "";
  }

  // Whether it is the text of a file that goes, as it is.
  private isDeleted({ proposalId, file, alone }: Side): boolean {
    const proposal = this.proposals.byId(proposalId);
    return alone !== undefined && proposal !== undefined && file !== undefined && fateOf(proposal, file) === "deleted";
  }

  // The proposed text of the file here, else of the first that has one.
  async edit(proposal: own.Proposal, given?: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const here = given ?? this.unified.here()?.file ?? (editor && sideOf(editor.document.uri)?.file) ?? editor?.document.uri.toString();
    const files = filesOf(proposal).filter((file) => fateOf(proposal, file) !== "deleted");
    const file = files.find((uri) => here && vscode.Uri.parse(uri).toString() === vscode.Uri.parse(here).toString()) ?? files[0];
    if (file) await this.edited.begin(proposal, file);
    else void inform("bodkin: this proposal only deletes files: there is no text to edit.");
  }

  async apply(proposal: own.Proposal): Promise<unknown> {
    const { proposalId, hunks } = proposal;
    const [file] = filesOf(proposal);
    const now = await this.pending(proposalId, file).catch(() => []);
    this.taken.set(proposalId, { file, line: (now[0] ?? hunks[0]).range.start.line, goesOn: false, isDiff: false });
    const answer = await this.run(own.commands.apply, { proposalId });
    if (!answer) this.taken.delete(proposalId);
    return answer;
  }
  discard = (proposal: own.Proposal): Promise<unknown> => this.run(own.commands.discard, { proposalId: proposal.proposalId });
  undo = (): Promise<unknown> => this.run(own.commands.undo, {});

  // What was undone is applied again. What was discarded is proposed again, and shown. Without an id what was put aside last.
  async redo(proposalId?: string): Promise<void> {
    const answer = await this.run<{ state: string; proposalId?: string }>(own.commands.redo, { proposalId });
    const again = answer?.state === "ready" && answer.proposalId ? this.proposals.byId(answer.proposalId) : undefined;
    if (again) await this.showInFile(again);
  }

  // The proposal that a command applies to: that of its lens, that of the active diff, else the newest.
  // With `mayBeOld` an older one if the newest is closed: showing it is harmless.
  target(argument?: unknown, mayBeOld = false): own.Proposal | undefined {
    const given = ((targetOf(argument) ?? argument) as { proposalId?: string } | undefined)?.proposalId;
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const id = given ?? (tab && proposalIn(tab));
    const proposal = id ? this.proposals.byId(id) : (this.proposals.newest ?? (mayBeOld ? this.proposals.all.at(-1) : undefined));
    if (!proposal) {
      const words = id ? "bodkin: this proposal is closed: it was applied, discarded or replaced." : this.proposals.whyNone;
      void inform(words);
    }
    return proposal;
  }

  // The change that a command means: that of its lens or thread, else the one at or next to the cursor. `whole`: all of its file.
  async change(argument: unknown, command: string, whole = false): Promise<void> {
    const proposal = this.target(argument);
    if (!proposal) return;
    const { proposalId } = proposal;
    const given = (targetOf(argument) ?? argument ?? this.unified.here()) as { hunk?: number; file?: string } | undefined;
    const editor = vscode.window.activeTextEditor;
    const side = editor && sideOf(editor.document.uri);
    const hunkFile = proposal.hunks.find(({ index }) => index === given?.hunk)?.uri;
    const file =
      given?.file ?? hunkFile ?? side?.file ?? filesOf(proposal).find((uri) => vscode.Uri.parse(uri).toString() === editor?.document.uri.toString());
    const { hunks: left, outOfDate: old } = file ? await this.waiting(proposalId, file).catch(() => ({ hunks: [], outOfDate: [] })) : { hunks: [], outOfDate: [] };
    const isDiscarded = command === own.commands.discard;
    const hunks = isDiscarded ? [...left, ...old] : left;
    const index = given?.hunk ?? (editor && hunkAt(hunks, editor.selection.active.line, side && !this.isDeleted(side) ? "proposed" : "document")?.index);
    const wanted = whole ? hunks : hunks.filter((hunk) => hunk.index === index);
    if (!file || wanted.length === 0) {
      // What is not seen is not taken: it is shown first.
      const isOld = !whole && (given?.hunk === undefined ? editor && !side && hunkAt(old, editor.selection.active.line, "document") : old.some((hunk) => hunk.index === given.hunk));
      const where = isOld ? `the change is ${kOutOfDate}` : editor && !whole && given?.hunk === undefined ? `no change at line ${editor.selection.active.line + 1}` : "no change is pending there any more";
      const isMoved = await this.go(1);
      void inform(`bodkin: nothing ${isDiscarded ? "discarded" : "applied"}: ${where}${isMoved ? "; now at the next" : ""}.`);
      return;
    }
    const { line } = wanted[0].range.start;
    const what = whole ? nameOf(file) : `line ${line + 1} of ${nameOf(file)}`;
    this.taken.set(proposalId, { file, line, goesOn: true, isDiff: side !== undefined, done: `${isDiscarded ? "Discarded" : "Applied"}: ${what}.` });
    const answer = await this.run(command, { proposalId, hunks: wanted.map((hunk) => hunk.index) });
    if (!answer) this.taken.delete(proposalId);
  }
}
