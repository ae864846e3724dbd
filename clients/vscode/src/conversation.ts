// What was asked and what came of it, ask by ask, newest last: what the view "Conversation" shows. Pure.
import type { Cause, EndedAsk, Range, Step, Streamed } from "./extensions.ts";
import { type Change, found, tracked } from "./tracked.ts";

// A server command that asks the same once more, about the same lines wherever they are by then.
export interface Again {
  command: string;
  argument: object;
  selected?: string; // the text that it is about
  isGone?: boolean; // the lines that it is about are no longer there
}
export interface Part {
  kind: "text" | "thought" | "tool" | "note"; // note: what went wrong, and what is done about it
  text: string;
  step?: Step;
}
export interface Ask {
  id: string;
  session?: string; // nothing: it is not known yet, or was never sent
  request: string;
  state: "running" | "lost" | EndedAsk["end"]; // lost: the server or the window ended first
  begun: number; // milliseconds since 1970, as are the next two
  heard: number; // of it, last
  ended?: number;
  doing: string; // one line, while it runs
  isWaiting?: boolean; // for the user
  parts: Part[];
  tokens?: { input: number; output: number };
  again?: Again;
  end?: EndedAsk;
  result?: string; // its proposal in words
  refusal?: string; // why its proposal, or a part of it, was not applied
  notes?: string[]; // what to know of its proposal: cautions, then problems that were found
  isRetried?: boolean; // another ask has taken its place
  isStale?: boolean; // a part of its proposal is out of date
  isSpent?: boolean; // nothing of its proposal can be applied any more
  isApplied?: boolean; // its proposal, all or a part of it, and can be undone
  canReview?: boolean; // what it was before is known
  canRedo?: boolean; // what was undone or discarded of it
  reason?: string; // why it is lost, in words
  cause?: Cause; // why it failed
}

const kMaxAsks = 50;
const kMaxText = 200_000; // characters of an ask that are kept
const kMaxLeft = 20; // asks that outlive a reload of the window
const kMaxLeftText = 20_000; // characters of each part of them

export class Conversation {
  private readonly asks = new Map<string, Ask>();

  get all(): Ask[] {
    return [...this.asks.values()];
  }
  get running(): Ask[] {
    return this.all.filter(({ state }) => state === "running");
  }
  byId(id: string): Ask | undefined {
    return this.asks.get(id);
  }

  // The first that is heard of an ask may be its progress, its text, or the answer to the command.
  private known(id: string, now: number): Ask {
    let ask = this.asks.get(id);
    if (!ask) {
      ask = { id, request: "", state: "running", begun: now, heard: now, doing: "", parts: [] };
      this.asks.set(id, ask);
      for (const old of this.all.slice(0, -kMaxAsks)) if (old.state !== "running") this.asks.delete(old.id);
    }
    return ask;
  }

  began(id: string, request: string, now: number, again?: Again): Ask {
    const ask = this.known(id, now);
    if (request && (again || !ask.request)) ask.request = request;
    ask.again ??= again;
    return ask;
  }

  streamed({ askId, kind, text, step, note }: Streamed, now: number): Ask {
    const ask = this.known(askId, now);
    ask.heard = now;
    if (kind === "plan") return ask; // all of it came as text, too
    const last = ask.parts.at(-1);
    if (kind === "tool") {
      ask.doing = step ? "" : text;
      if (note) ask.parts.push({ kind: "note", text });
      if (step) ask.parts.push({ kind, text, step }); // what is only begun is shown while it lasts
    } else if (last?.kind === kind) {
      if (last.text.length < kMaxText) last.text += text;
    } else {
      ask.parts.push({ kind, text });
    }
    return ask;
  }

  // What it does now, in one line.
  does(askId: string, doing: string, now: number): Ask {
    return Object.assign(this.known(askId, now), { heard: now, doing });
  }

  // What runs waits for the user, or goes on. Returns whether anything has turned.
  waits(is: boolean, now: number): boolean {
    const turned = this.running.filter((ask) => (ask.isWaiting ?? false) !== is);
    for (const ask of turned) Object.assign(ask, { isWaiting: is, heard: now });
    return turned.length > 0;
  }

  // What the user has answered, in the ask that has waited; of several it is not known which.
  noted(text: string, failed: boolean): void {
    const [ask, ...others] = this.running;
    if (ask && others.length === 0) ask.parts.push({ kind: "tool", text, step: { tool: "", ms: 0, failed, files: [] } });
  }

  ended(end: EndedAsk, now: number): Ask {
    const ask = this.known(end.askId, now);
    ask.state = end.end;
    ask.ended = now;
    ask.end = end;
    ask.session = end.sessionId ?? ask.session;
    ask.tokens = end.usage;
    ask.cause = { reason: end.reason, setting: end.setting };
    ask.doing = "";
    return ask;
  }

  // The asks of its session from this one on whose proposals are applied, newest first: what a restore takes back. Without one that began
  // before it there is nothing but its own.
  appliedSince(ask: Ask): Ask[] {
    const from = this.all.indexOf(ask);
    return this.all.slice(from).filter(({ session, isApplied }) => isApplied && session === ask.session && session !== undefined).reverse();
  }
  canRestore(ask: Ask): boolean {
    return ask.state !== "running" && this.appliedSince(ask).some((each) => each !== ask);
  }

  // For a reload of the window: the last asks that have ended.
  left(): Ask[] {
    const short = ({ kind, text, step }: Part): Part => {
      const files = step?.files.map((file) => ({ ...file, diff: "" }));
      return { kind, text: text.slice(0, kMaxLeftText), ...(step && files ? { step: { ...step, files } } : {}) };
    };
    const ended = this.all.filter(({ state }) => state !== "running").slice(-kMaxLeft);
    return ended.map((ask) => ({ ...ask, parts: ask.parts.map(short) }));
  }

  // What was left by the window before.
  restore(asks: readonly Ask[]): void {
    for (const ask of asks) this.asks.set(ask.id, { ...ask, canReview: false });
  }

  // What could not be sent, and why.
  unsent(id: string, request: string, now: number, again: Again, reason: string, cause: Cause): Ask {
    return Object.assign(this.began(id, request, now, again), { state: "lost", ended: now, reason, cause });
  }

  // A document has changed: what was asked about lines of it follows them. Returns whether anything did.
  moved(uri: string, changes: readonly Change[], text: () => string): boolean {
    let any = false;
    for (const { again } of this.asks.values()) {
      const about = again?.argument as { textDocument?: { uri: string }; range?: Range } | undefined;
      if (!again || again.isGone || !about?.range || about.textDocument?.uri !== uri) continue;
      let range: Range | undefined = about.range;
      for (const change of changes) range = range && tracked(range, change);
      range ??= found(text(), again.selected ?? "");
      again.isGone = range === undefined;
      if (range) about.range = range;
      any = true;
    }
    return any;
  }

  // All that were running are over, and why. Returns them.
  lost(reason: string, now: number): Ask[] {
    const all = this.running;
    for (const ask of all) Object.assign(ask, { state: "lost", ended: now, reason, doing: "" });
    return all;
  }
}

// What the model said of what it proposes, if it said anything.
export function explanation(ask: Ask): string {
  return isListing(ask.end?.message) ? "" : (ask.end?.message ?? "");
}
// The server's own sentence where the model said nothing: "Changed a.py, b.py."
const isListing = (message = "") => /^Changed [^\n]*\.$/.test(message);

// The text that ends an ask, unless it is the last that the model said.
export function lastWords(ask: Ask): string {
  const message = ask.reason ?? ask.end?.message ?? "";
  // Of a proposal it is said below what it changes, or would.
  if (ask.state === "cancelled" || (ask.state === "proposal" && ask.result && isListing(message))) return "";
  const said = ask.parts.filter(({ kind }) => kind === "text").at(-1)?.text.trim();
  return said?.endsWith(message.trim()) ? "" : message;
}

// "12 s", "2 min 5 s"
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 1) return "less than 1 s";
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export const kLongSilence = 20_000; // milliseconds
// Nothing, or how long nothing was heard of an ask.
export function silence(ask: Ask, now: number): string {
  const quiet = now - ask.heard;
  return ask.state === "running" && !ask.isWaiting && quiet >= kLongSilence ? `nothing heard for ${duration(quiet)}` : "";
}
