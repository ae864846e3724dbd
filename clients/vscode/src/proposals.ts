// The proposals that the user can still take, newest last, and what is said of them. Pure.
import { plain } from "./plain.ts";
import { fitted } from "./lengths.ts";
import { beside, type Drawing, drawingOf, indentOf } from "./drawing.ts";
import type { ChangedProposal, EndedAsk, Hunk, Proposal, ProposalContent, Verification } from "./extensions.ts";

const kMaxOver = 100;

export class Proposals {
  private readonly open = new Map<string, Proposal>();
  private readonly over = new Map<string, Proposal>(); // the last of them
  // The last that came, and how it ended, if it is over.
  private last: Proposal | undefined;
  private ended: ChangedProposal["state"] | undefined;

  add(proposal: Proposal): void {
    this.open.delete(proposal.proposalId);
    this.over.delete(proposal.proposalId);
    this.open.set(proposal.proposalId, proposal);
    this.last = proposal;
    this.ended = undefined;
  }

  // A proposal that was taken only in part, refused, or not seen to arrive can be tried again. One that was over is not any
  // more once something of it waits: the editor's undo took back what was applied, or what was typed there.
  change(change: ChangedProposal): void {
    const { proposalId, state, pending = 0, verification, part } = change;
    const { open, over } = this;
    const known = open.get(proposalId) ?? over.get(proposalId);
    if (known) Object.assign(known, { verification: verification ?? known.verification, part });
    if (isOver(change)) {
      const proposal = open.get(proposalId);
      if (proposal) over.set(proposalId, proposal);
      open.delete(proposalId);
      if (over.size > kMaxOver) over.delete([...over.keys()][0]);
    } else if (pending > 0 && (state === "ready" || state === "partly")) {
      const proposal = over.get(proposalId);
      if (proposal) open.set(proposalId, proposal);
      over.delete(proposalId);
    }
    if (proposalId === this.last?.proposalId) this.ended = isOver(change) ? state : undefined;
  }

  clear(): void {
    this.open.clear();
    this.over.clear();
    this.last = this.ended = undefined;
  }

  get all(): Proposal[] {
    return [...this.open.values()];
  }

  // What is meant where none is named: the last that came, and no older one if that is over.
  get newest(): Proposal | undefined {
    return this.last && this.open.get(this.last.proposalId);
  }

  // Why there is no `newest`.
  get whyNone(): string {
    if (!this.last) return "bodkin: no pending proposal.";
    const how = this.ended === "stale" ? "cannot be applied: its text has changed since" : `was ${this.ended}`;
    const older = this.open.size > 0 ? " To use an older one, show it first." : "";
    return `bodkin: the newest proposal, ${named(this.last)}, ${how}.${older}`;
  }

  byId(id: string): Proposal | undefined {
    return this.open.get(id);
  }
}

// “Wider, please.” (a.c, b.c)
export function named(proposal: Proposal): string {
  const files = filesOf(proposal).map(nameOf);
  return `“${proposal.title}” (${files.join(", ")})`;
}

// Of one that could not be applied as a whole, since a part of it is out of date, the others can still be taken one by one.
export function isOver({ state, pending = 0 }: Pick<ChangedProposal, "state" | "pending">): boolean {
  return state === "applied" || state === "discarded" || (state === "stale" && pending === 0);
}

export function filesOf(proposal: Proposal): string[] {
  return [...new Set(proposal.hunks.map((hunk) => hunk.uri))];
}

// The same without the second names of files that are renamed, whose changes are shown with the first.
export function filesShown(proposal: Proposal): string[] {
  const all = filesOf(proposal);
  return all.filter((file) => !all.some((each) => each !== file && uriAfter(proposal, each) === file));
}

export const nameOf = (uri: string) => decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));

// A file's name, with the folders in which it differs from another's.
function pathBeside(uri: string, other: string): string {
  const [its, others] = [uri, other].map((each) => each.split("/"));
  let same = 0;
  while (same < its.length - 1 && same < others.length - 1 && its[same] === others[same]) same++;
  return decodeURIComponent(its.slice(same).join("/"));
}

// What happens to a file as a whole, in words; nothing if only its text changes.
export function fateOf({ edit, hunks }: Proposal, file: string): "new file" | "deleted" | `renamed to ${string}` | `renamed from ${string}` | undefined {
  for (const { kind, uri, oldUri, newUri } of edit?.documentChanges ?? []) {
    if (kind === "rename" && oldUri === file && newUri) return `renamed to ${pathBeside(newUri, oldUri)}`;
    if (kind === "rename" && newUri === file && oldUri) return `renamed from ${pathBeside(oldUri, newUri)}`;
    if (kind === "delete" && uri === file) return "deleted";
  }
  return hunks.some(({ kind, uri }) => kind === "create" && uri === file) ? "new file" : undefined;
}

// The URI that a file has once the proposal is applied.
export function uriAfter({ edit }: Proposal, file: string): string {
  return edit?.documentChanges?.find(({ kind, oldUri, newUri }) => kind === "rename" && oldUri === file && newUri)?.newUri ?? file;
}

export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

// What is known of its correctness. "Not checked" is never "clean".
export function checked({ state, newProblems, by, words }: Verification = { state: "not_checked" }): string {
  if (words) return words;
  if (state === "verified") return by ? `checked by ${by}` : "checked";
  if (state === "failed") return newProblems ? count(newProblems, "new problem") : "has problems";
  return by ? `only ${by} was checked` : "not checked";
}

// The same of a proposal: of what is applied first, if that alone has problems.
export function verdictOf({ verification, part }: Proposal): string {
  const all = checked(verification);
  return hasProblems(part) ? `${checked(part)} as it is now; ${all} with all changes` : all;
}
export const hasProblems = (verification?: Verification) => ["problems", "failed"].includes(verification?.state ?? "");

// What a request is followed by, after one mark: "Wider: 1 change", "Why? It is one."
export function headed(title: string, text: string): string {
  const words = title.trimEnd().replace(/(?<!\.)[.:,;]$/, "");
  return words ? `${words}${/[?!…]$|\.\.$/.test(words) ? "" : ":"} ${text}` : text;
}

// "not checked. 3 changes in 2 files (new file)": what matters most is first, for a place that cuts what is long.
export function outcome(proposal: Proposal, verdict = verdictOf(proposal)): string {
  const files = filesShown(proposal);
  const fates = files.flatMap((file) => {
    const fate = fateOf(proposal, file);
    return fate === "deleted" ? `${nameOf(file)} deleted` : (fate ?? []);
  });
  const changes = proposal.hunks.filter(({ uri }) => files.includes(uri)).length;
  const size = `${count(changes, "change")} in ${count(files.length, "file")}${fates.length > 0 ? ` (${[...new Set(fates)].join(", ")})` : ""}`;
  return `${verdict}${verdict.endsWith("…") ? "" : "."} ${size}`;
}

export function summary(proposal: Proposal, verdict?: string): string {
  return `bodkin: ${outcome(proposal, verdict)}${proposal.title ? `: ${proposal.title}` : "."}`;
}

// The same for the status bar: why something was not checked is in the tree and in the diff.
export function briefSummary(proposal: Proposal): string {
  return summary(proposal, verdictOf(proposal).replace(/^\? (not checked|only the syntax was checked).*/s, "$1"));
}

// The tab of the diff of one file, or of its text alone; `path`: in its folder.
export function tabTitle(proposal: Proposal, file: string, path: string): string {
  const others = filesShown(proposal).length - 1;
  const folder = path.split("/").slice(0, -1).join("/");
  return `${nameOf(file)} (${fateOf(proposal, file) ?? "proposed"})${others > 0 ? ` and ${count(others, "more file")}` : ""}${folder ? ` · ${folder}` : ""}`;
}

// A tab's label, told apart from those of other proposals' tabs.
export function apart(label: string, title: string, others: string[]): string {
  const words = fitted(plain(title), 30);
  let told = others.includes(label) && words ? `${label} · “${words}”` : label;
  for (let n = 2; others.includes(told); n++) told = `${label} · ${words ? `“${words}” ` : ""}${n}`;
  return told;
}

// How many changes a proposal has, and what became of them, as the server sees it in the text. The others are out of date.
export interface Standing {
  all: number;
  left: number;
  applied: number;
  undone: number;
  discarded: number;
}

export function standingOf({ hunkCount, pending, applied, discarded, undone = 0 }: ProposalContent): Standing {
  return { all: hunkCount, left: pending, applied, undone, discarded: discarded - undone };
}

// Of a change that is out of date, at its place.
export const kOutOfDate = "out of date: the text here has changed";
export const kGone = "out of date: the file is gone";

export function outOfDate(standing: Standing | undefined): number {
  return standing ? Math.max(0, standing.all - standing.left - standing.applied - standing.undone - standing.discarded) : 0;
}

// "1 of 3 changes applied, 1 out of date"; nothing while all of them wait, or once all are applied.
export function standingWords(standing: Standing | undefined): string {
  if (!standing || standing.all < 2 || standing.left === standing.all || standing.applied === standing.all) return "";
  const old = outOfDate(standing);
  const parts: [number, string][] = [[standing.applied, "applied"], [standing.undone, "undone"], [standing.discarded, "discarded"], [old, "out of date"], [standing.left, "left"]];
  const [first, ...others] = parts.filter(([n]) => n > 0);
  return [`${first[0]} of ${count(standing.all, "change")} ${first[1]}`, ...others.map(([n, what]) => `${n} ${what}`)].join(", ");
}

// A refinement has taken its place.
export const isReplaced = ({ message }: Pick<ChangedProposal, "message">) => message === "Replaced by a newer version.";
// What is left of it then: nothing of that was discarded.
export function goesOn(standing: Standing | undefined): string {
  if (!standing || standing.applied === 0) return "Replaced by a newer version.";
  const others = standing.all - standing.applied;
  return `${standing.applied} of ${count(standing.all, "change")} applied; the ${others === 1 ? "other goes" : "others go"} on in the newer version.`;
}

// The server's "Applied. Not checked: …" and "Applied 1 of 2 changes (…). …", with how much of the proposal that was.
export function withCount(message: string, standing: Standing | undefined): string {
  const words = standingWords(standing);
  const begin = /^Applied(?: \d+ of \d+ \w+ \([^)]*\))?[.,]/;
  if (!words || !begin.test(message)) return message;
  return `${words[0].toUpperCase()}${words.slice(1)}.${message.replace(begin, "")}`;
}

// What to know before applying it: cautions, then the problems that were found.
export function notesOf({ notes, verification, part }: Proposal): string[] {
  const found = [...(part?.problems ?? []), ...(verification?.problems ?? [])];
  const problems = found.map(({ path, line, source, message }) => `✗ ${path}:${line}: ${source}: ${message.split("\n")[0]}`);
  // The server has notes of the first of them, too.
  const others = (notes ?? []).filter((note) => !found.some(({ path, message }) => note.includes(path) && note.includes(message.split("\n")[0])));
  return [...others, ...new Set(problems)];
}

// What the user is told when an ask ends, or nothing where a proposal says it already.
export function endMessage(ended: EndedAsk): { severity: "info" | "warning"; text: string } | undefined {
  if (ended.end === "cancelled") return undefined;
  if (ended.end === "proposal" && ended.proposalId) return undefined;
  const text = `bodkin: ${ended.message || "the model ended without an answer."}`;
  return { severity: ended.end === "answer" && !ended.overtaken ? "info" : "warning", text };
}

// For the status bar, which cuts what is long: why something was not checked is in the tree and in the diff.
export function brief(text: string): string {
  return text.replace(/\. Not checked:.*/s, ", not checked.");
}

// Of what a model is told of its edit that was refused: " It has “b = 3” where line 2 of the file is “b = 2”."
export function differs(feedback: string): string {
  const [, theirs, line, ours] = /The first line that differs:\n +yours: (.*)\n +file (\d+): (.*)/.exec(feedback) ?? [];
  return line ? ` It has “${theirs}” where line ${line} of the file is “${ours}”.` : "";
}

const linesIn = (text: string) => text.split("\n").length - 1;

// The lines of a hunk: those that it changes in the document, or where it is in the proposed
// text. `hunks`: all pending ones of the file, ascending. The end is not part of it.
function linesOf(hunks: readonly Hunk[], side: "document" | "proposed"): { hunk: Hunk; begin: number; end: number }[] {
  let shift = 0;
  return hunks.map((hunk) => {
    const { start, end } = hunk.range;
    const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    if (side === "document") return { hunk, begin: start.line, end: last };
    const begin = start.line + shift;
    shift += linesIn(hunk.newText) - (end.line - start.line);
    return { hunk, begin, end: Math.max(begin + 1, last + shift) };
  });
}

// The line of the proposed text at which a change begins.
export function lineOf(hunks: readonly Hunk[], hunk: Hunk): number {
  return linesOf(hunks, "proposed").find((each) => each.hunk === hunk)?.begin ?? 0;
}

// The line of the proposed text at which the next change (1) or the one before (-1) begins, if there is one in the file.
export function besideOf(hunks: readonly Hunk[], line: number, by: 1 | -1): number | undefined {
  const begins = linesOf(hunks, "proposed").map(({ begin }) => begin);
  return by > 0 ? begins.find((each) => each > line) : begins.filter((each) => each < line).at(-1);
}

// The hunk at a line (from 0). What is only added is below the line before it, too.
export function hunkAt(hunks: readonly Hunk[], line: number, side: "document" | "proposed"): Hunk | undefined {
  const all = linesOf(hunks, side);
  const isAdded = ({ range, kind }: Hunk) => kind === "create" || (range.start.line === range.end.line && range.start.character === range.end.character);
  const at = all.find(({ hunk, begin, end }) => (hunk.kind === "create" ? side === "proposed" : line >= begin && line < end));
  return (at ?? all.find(({ hunk, begin }) => side === "document" && isAdded(hunk) && begin === line + 1))?.hunk;
}

// The size of a change, as lines that go and lines that come, and its first line. `old`: the lines of the document, if they are known: then
// only those count that differ.
function sizeOf(hunk: Hunk, old?: readonly string[]): { removed: number; added: number; first: string } {
  const { range, newText } = hunk;
  if (old) {
    const drawing = drawingOf(hunk, old.length, (index) => old[index]);
    const at = drawing.added.findIndex((line) => line.trim());
    const first = at < 0 ? "" : at < drawing.old.length ? beside(drawing.old[at], drawing.added[at]) : drawing.added[at].trim();
    return { removed: drawing.old.length, added: drawing.added.length, first };
  }
  const isInside = range.end.character > 0 || (newText !== "" && !newText.endsWith("\n"));
  const removed = range.end.line - range.start.line + (isInside ? 1 : 0);
  const added = linesIn(newText) + (isInside ? 1 : 0);
  return { removed, added, first: newText.split("\n").find((line) => line.trim())?.trim() ?? "" };
}

// What stands for the first line where there are no words.
const wordless = ({ added }: { added: number }) => (added === 0 ? "deleted" : added === 1 ? "blank line" : "blank lines");

// A change in a few words: "−2 +3 return early(x)"
export function wordsOf(hunk: Hunk, old?: readonly string[]): string {
  if (hunk.kind === "create") return "new file";
  const size = sizeOf(hunk, old);
  const lines = [size.removed > 0 ? `−${size.removed}` : "", size.added > 0 ? `+${size.added}` : ""].filter(Boolean).join(" ");
  return [lines, size.first || wordless(size)].filter(Boolean).join("  ");
}

const kMaxHeard = 120; // characters of a line
// The same for who hears it: “Line 4: 2 lines removed, 3 added: return early(x). Problem: …”
export function spokenOf(hunk: Hunk, problems: readonly { message: string }[], old?: readonly string[]): string {
  if (hunk.kind === "create") return "New file";
  const { removed, added } = sizeOf(hunk, old);
  const text = old ? drawingOf(hunk, old.length, (index) => old[index]) : undefined;
  const size = [removed > 0 ? `${count(removed, "line")} removed` : "", added > 0 ? `${count(added, "line")} added` : ""].filter(Boolean);
  const first = (text?.added ?? hunk.newText.split("\n")).find((line) => line.trim())?.trim() ?? (added > 0 ? wordless({ added }) : "");
  const short = first.length > kMaxHeard ? `${first.slice(0, kMaxHeard)} …` : first;
  const said = [`Line ${hunk.range.start.line + 1}`, size.join(", "), indented(text), short].filter(Boolean).join(": ");
  return [said, ...problems.map(({ message }) => `Problem: ${message}`)].join(". ");
}

// A change of the blanks before the words of all lines alike: "indented by 4 more"; of nothing but other blanks: "blanks changed".
function indented(drawing: Drawing | undefined): string {
  const { old = [], added = [] } = drawing ?? {};
  if (old.length !== added.length) return "";
  const isOnlyBlanks = added.length > 0 && added.every((line, i) => old[i].trim() === line.trim());
  const depths = added.map((line, i) => (line.trim() && old[i].trim() ? indentOf(line).length - indentOf(old[i]).length : undefined)).filter((by) => by !== undefined);
  const [by = 0, ...others] = depths;
  if (by === 0 || others.some((each) => each !== by)) return isOnlyBlanks ? "blanks changed" : "";
  return `indented by ${Math.abs(by)} ${by > 0 ? "more" : "less"}`;
}
