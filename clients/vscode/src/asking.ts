// Asks from their beginning to their end: what is sent, what is heard of it, and what is told when it is over.
// The view "Conversation" shows all of it. More than 350 lines: an ask and what can be done about it are one state.
import * as vscode from "vscode";
import { type Again, type Ask, Conversation, explanation, silence } from "./conversation.ts";
import { type Action, actions, actionsOf } from "./conversation_html.ts";
import { ConversationView } from "./conversation_view.ts";
import { showDiff } from "./diffs.ts";
import * as own from "./extensions.ts";
import { htmlOf } from "./html.ts";
import { isLong, opening } from "./lengths.ts";
import { plain } from "./plain.ts";
import type { AskProgress } from "./progress.ts";
import {
  count, endMessage, goesOn, isOver, isReplaced, notesOf, outOfDate, outcome, standingWords, withCount,
} from "./proposals.ts";
import type { Questions } from "./questions.ts";
import type { Review, Run } from "./review.ts";
import { inBar, inform, warn } from "./said.ts";
import type { Sessions } from "./sessions.ts";
import type { Server } from "./server.ts";
import { openSetting, tellFailure } from "./settings.ts";

const kRunning = "bodkin.running"; // the asks that a reload of the window would end: {request, again}[]
const kEnded = "bodkin.endedAsks"; // of this workspace, as the conversation shows them
const kAside = "bodkin.conversationAside"; // the user has put the view away while an ask ran

type Argument = {
  textDocument?: { uri: string };
  range?: own.Range;
  sessionId?: string;
  prompt?: string;
  effort?: string;
  proposalId?: string;
  attachments?: string[];
};

export class Asking implements vscode.Disposable {
  readonly conversation = new Conversation();
  readonly view: ConversationView;
  private readonly timer: NodeJS.Timeout;
  private readonly watch: vscode.Disposable;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly run: Run,
    private readonly server: Server,
    private readonly review: Review,
    private readonly sessions: Sessions,
    private readonly progress: AskProgress,
    private readonly changed: () => void,
    private readonly questions: Questions,
    media: string, // the folder of that name
  ) {
    this.view = new ConversationView(media, this.conversation, (ask) => this.proposalOf(ask) !== undefined, (action, ask) => this.act(action, ask), questions);
    this.timer = setInterval(() => this.tick(), 1000);
    questions.onDidTurn(() => this.waits(questions.waiting.length > 0));
    questions.onDidAnswer(({ words, isRefused }) => {
      this.conversation.noted(words, isRefused);
      for (const ask of this.conversation.running) this.view.changed(ask);
    });
    this.watch = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const uri = this.server.client.code2ProtocolConverter.asUri(document.uri);
      if (this.conversation.moved(uri, contentChanges, () => document.getText())) this.rememberSoon();
    });
  }

  // What ran when the window was reloaded is shown, and can be asked again.
  restore(): void {
    this.conversation.restore(this.memory.get<Ask[]>(kEnded, []));
    const left = this.memory.get<{ request: string; again?: Again }[]>(kRunning, []);
    for (const [index, { request, again }] of left.entries()) this.conversation.began(`earlier-${Date.now().toString(36)}-${index + 1}`, request, Date.now(), again);
    this.allLost("The window was reloaded while this was running.");
    void this.showSession(this.conversation.all.at(-1)?.session);
  }

  // The Conversation shows this session; nothing: one that begins with the next request. What was said in it before this
  // window was opened is above.
  async showSession(id: string | undefined): Promise<void> {
    const asks = this.conversation.all.filter(({ session }) => session === id);
    const begun = asks.find(({ request }) => request)?.request.split("\n")[0] || "Session";
    const before = this.view.session === id ? this.view.earlier : "";
    this.view.show({ session: id, title: plain(id === undefined ? "New session" : begun), earlier: before });
    if (id === undefined) return;
    const known = (await this.sessions.list().catch(() => [])).find((session) => session.id === id);
    const text = asks.length === 0 ? (await this.sessions.read(id).catch(() => undefined))?.text : undefined;
    const earlier = text ? htmlOf(text, false, true) : before;
    if (this.view.session === id) this.view.show({ session: id, title: plain(known?.title || begun), earlier });
  }

  // The next request begins another session, in whatever file.
  async newSession(file?: string): Promise<void> {
    if (file) await this.sessions.remember(file, undefined);
    await this.showSession(undefined);
  }

  dispose(): void {
    clearInterval(this.timer);
    this.watch.dispose();
    clearTimeout(this.soon);
  }

  proposalOf(ask: Ask): own.Proposal | undefined {
    return this.review.proposals.all.find(({ proposalId, askId }) => proposalId === ask.end?.proposalId || askId === ask.id);
  }

  // What the model said of a proposal.
  wordsOf(proposal: own.Proposal): string {
    const ask = this.conversation.byId(proposal.askId ?? "");
    return ask ? explanation(ask) : "";
  }

  // Asks, in the session of the file. What cannot be sent is not lost: it is shown, and can be asked again.
  // `isNew`: in a session of its own.
  async ask(command: string, argument: Argument, isNew = false): Promise<void> {
    const file = argument.textDocument?.uri;
    const session = argument.sessionId ?? (argument.proposalId || isNew ? undefined : this.sessions.of(file));
    const whole = { ...argument, ...(session ? { sessionId: session } : {}), ...(command === own.commands.ask ? { whenBusy: "queue" } : {}) };
    const { sessionId: _, ...same } = argument;
    const again: Again = { command, argument: structuredClone(argument.sessionId ? argument : same), selected: selectedBy(argument) };
    const answer = await this.run<{ sessionId: string; askId: string }>(command, whole, async (message, cause) => {
      // A session that is gone is no reason to refuse: a new one begins.
      if (session && cause.reason === "no_session") {
        if (file) await this.sessions.remember(file, undefined);
        await this.ask(command, { ...argument, sessionId: undefined });
        return;
      }
      const isDown = message === "";
      const ask = this.conversation.unsent(`unsent-${Date.now().toString(36)}-${++this.unsent}`, argument.prompt ?? "", Date.now(), again, message || "bodkin was not running.", cause);
      this.shown(ask.id);
      if (isDown) return this.server.tellDown(undefined, () => this.act("retry", ask));
      if (!this.view.isVisible && (await tellFailure(message, cause, "Retry"))) await this.act("retry", ask);
    });
    if (!answer) return;
    this.sessionOfAsk.set(answer.askId, answer.sessionId);
    const { sessionId: __, ...unbound } = again.argument as Argument;
    const begun = this.conversation.began(answer.askId, argument.prompt ?? "", Date.now(), { ...again, argument: unbound });
    begun.session = answer.sessionId;
    if (this.view.session !== answer.sessionId) void this.showSession(answer.sessionId);
    if (file) await this.sessions.remember(file, answer.sessionId);
    this.shown(answer.askId);
  }
  private unsent = 0;

  // The same request, about the same lines wherever they are now.
  private async askAgain({ command, argument, isGone }: Again, before: Ask): Promise<void> {
    if (!isGone) {
      before.isRetried = true;
      this.shown(before.id);
      return this.ask(command, argument);
    }
    void warn("bodkin: the lines that this request was about are gone. Select the new ones, press Ctrl+Alt+J, and Up brings the request back.");
  }
  private readonly sessionOfAsk = new Map<string, string>();

  // Its progress began. Returns whether the view is to be seen.
  began(askId: string, title: string): boolean {
    this.conversation.began(askId, title, Date.now());
    this.shown(askId);
    return this.reveal(askId, true);
  }

  streamed(delta: own.Streamed): void {
    this.view.changed(this.conversation.streamed(delta, Date.now()));
  }

  writes({ askId, path, lines }: own.Writing): void {
    this.view.changed(this.conversation.does(askId, `${path}: ${count(lines, "line")} so far`, Date.now()));
    this.progress.report(askId, `${path}: ${count(lines, "line")} so far`);
  }

  private waits(is: boolean): void {
    if (!this.conversation.waits(is, Date.now())) return;
    for (const ask of this.conversation.running) this.view.changed(ask);
  }

  heard(status: own.Status): void {
    this.waits(status.state === "waiting" || this.questions.waiting.length > 0);
  }

  // Which proposals there are has changed, and perhaps what is known of one.
  proposalsChanged(change?: own.ChangedProposal): void {
    for (const ask of this.conversation.all) {
      const proposal = this.proposalOf(ask);
      // What the user has made of it is what can be undone now.
      if (ask.end && proposal?.replaces && proposal.replaces === ask.end.proposalId) Object.assign(ask, { end: { ...ask.end, proposalId: proposal.proposalId }, isApplied: false });
      const isIt = change && (change.proposalId === ask.end?.proposalId || change.proposalId === proposal?.proposalId);
      const standing = this.review.standing(change && isIt ? change.proposalId : (proposal?.proposalId ?? ""));
      const words = standingWords(standing);
      if (proposal) ask.result = [`${outcome(proposal)}.`, words && `${words}.`].filter(Boolean).join(" ");
      if (proposal) ask.notes = notesOf(proposal);
      if (isIt && isOver(change) && change.message) {
        ask.result = isReplaced(change) ? goesOn(standing) : withCount(change.message, standing);
      }
      if (isIt && change.state !== "applying") ask.refusal = !isOver(change) && ["refused", "stale"].includes(change.state) ? change.message : undefined;
      if (standing) ask.isStale = outOfDate(standing) > 0;
      if (standing) ask.isSpent = standing.left === 0;
      if (isIt && change.state !== "applying") {
        if (["applied", "partly", "ready", "discarded"].includes(change.state)) ask.isApplied = change.state === "applied" || (change.state !== "discarded" && (standing?.applied ?? 0) > 0);
        ask.canRedo = !isReplaced(change) && (change.state === "discarded" || (standing?.undone ?? 0) > 0);
      }
      ask.canReview = this.review.applied.has(ask.end?.proposalId);
      if (proposal || isIt || this.open.has(ask.id)) this.view.changed(ask);
      if (proposal) this.open.add(ask.id);
      else this.open.delete(ask.id);
    }
    if (!change) return;
    if (change.state !== "applying") this.undoing.get(change.proposalId)?.(change);
    for (const ask of this.conversation.all) if (ask.isApplied || ask.end?.proposalId) this.view.changed(ask); // it may be restored to
    this.remember();
  }

  // To a screen reader: by the view, or where that is not shown by a message, for who has said to use one.
  say(words: string): void {
    if (this.view.isVisible) this.view.say(words);
    else if (vscode.workspace.getConfiguration("editor").get("accessibilitySupport") === "on") void inform(`bodkin: ${words}`);
  }

  private readonly open = new Set<string>(); // asks whose proposal could be taken when they were drawn last

  async ended(end: own.EndedAsk): Promise<void> {
    const ask = this.conversation.ended(end, Date.now());
    this.shown(ask.id);
    if (ask.session && ask.session === this.view.session) void this.showSession(ask.session); // it may have a title by now
    // A session in which nothing was said is not gone on with: a key or a model may be another by then.
    const file = (ask.again?.argument as Argument | undefined)?.textDocument?.uri;
    if (end.end === "failed" && ask.parts.length === 0 && file && !(await this.sessions.isAnswered(end.sessionId))) await this.sessions.remember(file, undefined);
    const words = endMessage(end);
    if (!words) return;
    // The view says it, with the same buttons.
    if (this.reveal(ask.id, false) && (ask.session === undefined || ask.session === this.view.session)) return;
    const isFailure = words.severity === "warning";
    const offered = actionsOf(ask, false).filter((action) => action !== "copy");
    const titles = [...offered.map((action) => actions[action]), ...(isFailure ? [] : ["Read"])];
    const show = isFailure ? warn : inform;
    const text = isLong(words.text) && !isFailure ? opening(words.text) : words.text;
    const choice = await show(plain(text), ...titles);
    if (choice === "Read") return void vscode.commands.executeCommand("bodkin.conversation.focus");
    const action = offered.find((each) => actions[each] === choice);
    if (action) await this.act(action, ask);
  }

  // The server or the window has ended, and all asks with it. Returns how many there were.
  allLost(reason: string): number {
    const lost = this.conversation.lost(reason, Date.now());
    for (const ask of lost) this.shown(ask.id);
    const [last] = lost.slice(-1);
    void this.memory.update(kRunning, []);
    if (last && reason.startsWith("The window")) {
      void warn(`bodkin: “${last.request}” was not finished: the window was reloaded.`, "Retry").then((choice) => {
        if (choice) void this.act("retry", last);
      });
    }
    return lost.length;
  }

  async again(askId: string): Promise<void> {
    const ask = this.conversation.byId(askId);
    if (ask) await this.act("retry", ask);
  }

  async act(action: Action, ask: Ask): Promise<void> {
    const proposal = this.proposalOf(ask);
    const again = ask.again;
    switch (action) {
      case "cancel":
        return void (await this.run(own.commands.cancel, { askId: ask.id }));
      case "retry":
        return again && this.askAgain(again, ask);
      case "show":
        return void (proposal && (await showDiff(proposal, "all")));
      case "apply":
        return void (proposal && (await this.review.apply(proposal)));
      case "discard":
        return void (proposal && (await this.review.discard(proposal)));
      case "review":
        return this.review.applied.review(ask.end?.proposalId);
      case "undo":
        return void (await this.run(own.commands.undo, { proposalId: ask.end?.proposalId }));
      case "redo":
        return this.review.redo(ask.end?.proposalId);
      case "restore":
        return this.restoreTo(ask);
      case "carryOut":
        return this.ask(own.commands.ask, { sessionId: ask.end?.sessionId, ...{ profile: "tools" } });
      case "setUp":
        if ((await vscode.commands.executeCommand<boolean>("bodkin.chooseModel")) && again) await this.askAgain(again, ask);
        return;
      case "setKey":
        if ((await vscode.commands.executeCommand<boolean>("bodkin.setApiKey", true)) && again) await this.askAgain(again, ask);
        return;
      case "copyPrompt":
        if (again) await vscode.commands.executeCommand("bodkin.copyPromptForChat", again.argument);
        return;
      case "raise":
      case "setting":
        return openSetting(ask.cause?.setting ?? "bodkin");
      case "copy":
        return vscode.env.clipboard.writeText(ask.parts.filter(({ kind }) => kind === "text").map(({ text }) => text).join("\n\n"));
    }
  }

  // The files as they were before this request: what it and later ones have changed is undone, newest first. What cannot be
  // undone ends it.
  private async restoreTo(ask: Ask): Promise<void> {
    const all = this.conversation.appliedSince(ask);
    for (const [done, { end }] of all.entries()) {
      const proposalId = end?.proposalId ?? "";
      const over = new Promise<own.ChangedProposal>((resolve) => this.undoing.set(proposalId, resolve));
      const begun = await this.run<object>(own.commands.undo, { proposalId });
      const change = begun ? await over : undefined;
      this.undoing.delete(proposalId);
      if (change?.state === "discarded") continue;
      const words = `${done} of ${count(all.length, "request")} undone; the next could not be undone as a whole.`;
      return void warn(`bodkin: ${words}`);
    }
    inBar(`bodkin: restored to before “${ask.request.split("\n")[0]}”.`);
  }
  private readonly undoing = new Map<string, (change: own.ChangedProposal) => void>(); // by the proposal's id

  // Shows the view without taking the focus, once for each ask: who puts it away does not want it. `quietly`: not if it was put away
  // lately. Returns whether it is to be seen now.
  private reveal(askId: string, quietly: boolean): boolean {
    if (this.view.isVisible) this.revealed.add(askId);
    if (this.view.isVisible || (quietly && this.memory.get(kAside, false))) return this.view.isVisible;
    if (this.revealed.has(askId)) return !this.isAway; // it may be about to be drawn
    this.revealed.add(askId);
    this.isAway = false;
    this.view.reveal();
    return true;
  }
  private readonly revealed = new Set<string>();
  private isAway = false; // since it was revealed last

  // The view was opened, or put away.
  viewTurned(visible: boolean): void {
    this.isAway = !visible;
    this.progress.viewTurned(visible);
    if (visible) void this.memory.update(kAside, false);
    else if (this.conversation.running.length > 0) void this.memory.update(kAside, true);
  }

  private shown(askId: string): void {
    const ask = this.conversation.byId(askId);
    if (ask) this.view.changed(ask);
    this.changed();
    void vscode.commands.executeCommand("setContext", "bodkin.isBusy", this.conversation.running.length > 0);
    this.remember();
  }

  // Not with every key.
  private rememberSoon(): void {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.remember();
    }, 1000);
  }
  private soon: NodeJS.Timeout | undefined;

  // For a reload of the window.
  private remember(): void {
    void this.memory.update(kRunning, this.conversation.running.map(({ request, again }) => ({ request, again })));
    const keeps = vscode.workspace.getConfiguration("bodkin").get<number>("history.retentionDays", 30) > 0;
    void this.memory.update(kEnded, keeps ? this.conversation.left() : []);
  }

  private tick(): void {
    const { running } = this.conversation;
    if (running.length === 0) return;
    this.changed();
    for (const ask of running) {
      const quiet = silence(ask, Date.now());
      if (quiet) this.progress.report(ask.id, quiet);
    }
  }
}

// The text of the lines that a request is about, if it is about any and their document is open.
function selectedBy({ textDocument, range }: Argument): string | undefined {
  const document = textDocument && vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === vscode.Uri.parse(textDocument.uri).toString());
  return document && range && document.getText(new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character));
}
