// What of a pending change is drawn in the document itself: which lines go, and the new lines beside them. Pure.
import type { Hunk } from "./extensions.ts";

export interface Drawing {
  index: number; // of the hunk
  first: number; // the line, from 0, that is removed first, or before which lines are added
  begin: number; // the first line of the document that the change is about
  removed: number[]; // lines that go or are replaced
  struck: { line: number; begin: number; end: number }[]; // what of them is struck through, in characters
  ghosts: { line: number; text: string; isDeletion?: true }[]; // shown after the end of a line
  old: string[];
  added: string[];
  addedBelow?: number; // the line below which the added lines are shown: the ghosts have no room for all
  isAbove: boolean; // they come in above the first line, although nothing can be drawn there
  words: string; // its size, for a label: "−2 +3"
}

export const kMaxGhost = 80; // characters of an old line with the new one beside it

const signs = (blanks: string) => blanks.replaceAll(" ", "·").replaceAll("\t", "⇥");
export const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";
const kNoIndent = "⇤";

// A new line as it is shown beside another one, without its own blanks: those of its beginning are seen where they differ from the
// other's, and those of its end where nothing else differs.
export function beside(other: string, added: string): string {
  const words = added.trim();
  if (!words) return "(empty line)";
  const begin = indentOf(added) === indentOf(other) ? "" : signs(indentOf(added)) || kNoIndent;
  const end = other.trim() === words ? signs(added.slice(added.trimEnd().length)) : "";
  return begin + words + end;
}

// What of a line goes where it becomes another one: the words that differ, without those that stay before and behind them. All of it
// where little stays.
export function changedIn(old: string, added: string): { begin: number; end: number } {
  const whole = { begin: indentOf(old).length, end: old.length };
  const words = (line: string) => line.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
  const [before, after] = [words(old), words(added)];
  const most = Math.min(before.length, after.length);
  let top = 0;
  while (top < most && before[top] === after[top]) top++;
  let bottom = 0;
  while (bottom < most - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
  const begin = before.slice(0, top).join("").length;
  const end = old.length - before.slice(before.length - bottom).join("").length;
  const stays = old.slice(0, begin).trim().length + old.slice(end).trim().length;
  return stays * 2 < old.trim().length ? whole : { begin, end };
}

// `line`: the document's text of a line. The range may begin and end inside a line. `room`: characters that are seen of a line.
export function drawingOf(hunk: Hunk, lineCount: number, line: (index: number) => string, room = kMaxGhost): Drawing {
  const { start, end } = hunk.range;
  const text = (index: number) => (index < lineCount ? line(index) : "");
  const before: string[] = [];
  for (let i = start.line; i <= end.line; i++) before.push(text(i));
  const after = (text(start.line).slice(0, start.character) + hunk.newText + text(end.line).slice(end.character)).split("\n");
  // Lines that stay, at both ends.
  let top = 0;
  while (top < before.length && top < after.length && before[top] === after[top]) top++;
  let bottom = 0;
  while (bottom < before.length - top && bottom < after.length - top && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
  const old = before.slice(top, before.length - bottom);
  const added = after.slice(top, after.length - bottom);
  const first = start.line + top;
  const ghosts: Drawing["ghosts"] = [];
  const last = Math.max(0, first + old.length - 1); // the line above, if nothing goes
  // Each of the others is beside the line before it.
  const shown = added.map((each, i) => beside(i < old.length ? old[i] : i > 0 ? added[i - 1] : text(last), each));
  const fits = added.length <= old.length + 1 && shown.every((each, i) => (old[i]?.length ?? 0) + each.length <= room);
  const isAbove = old.length === 0 && first === 0;
  if (!fits) {
    const what = added.length === 1 ? "1 new line" : `${added.length} new lines`;
    const isBrief = old.length > 0 && room < kMaxGhost; // they are below
    ghosts.push({ line: old.length > 0 ? first : last, text: isBrief ? "↓" : `${old.length > 0 ? "→" : first === 0 ? "↑" : "↓"} ${what}${isAbove ? " come above this line" : ""}` });
  } else if (old.length === 0) {
    if (added.length > 0) ghosts.push({ line: last, text: `${first === 0 ? "↑" : "↓"} ${shown[0]}` });
  } else {
    for (let i = 0; i < Math.min(old.length, added.length); i++) ghosts.push({ line: first + i, text: `→ ${shown[i]}` });
    if (added.length > old.length) ghosts[ghosts.length - 1].text += `  ↓ ${shown[old.length]}`;
    if (added.length === 0) ghosts.push({ line: first, text: old.length === 1 ? "← deleted" : `← ${old.length} lines deleted`, isDeletion: true });
  }
  return {
    index: hunk.index,
    first,
    begin: Math.min(first, Math.max(0, lineCount - 1)),
    removed: old.map((_, i) => first + i),
    struck: old.map((each, i) => ({ line: first + i, ...(fits && i < added.length ? changedIn(each, added[i]) : { begin: indentOf(each).length, end: each.length }) })),
    ghosts,
    old,
    added,
    isAbove,
    ...(fits ? {} : { addedBelow: last }),
    words: [old.length > 0 ? `−${old.length}` : "", added.length > 0 ? `+${added.length}` : ""].filter(Boolean).join(" "),
  };
}

export function diffOf({ old, added }: Drawing): string {
  return [...old.map((each) => `-${each}`), ...added.map((each) => `+${each}`)].join("\n");
}

// The change after (or before) a line among those of all files, going round; `file`: where the line is; `files`: all of them in
// their order, also those in which nothing waits any more.
export function neighbour<T extends { file: string; begin: number }>(all: readonly T[], files: readonly string[], file: string, line: number, by: 1 | -1): T | undefined {
  const here = files.indexOf(file);
  const place = (each: T) => files.indexOf(each.file);
  const after = (each: T) => (here < 0 ? true : place(each) === here ? each.begin > line : place(each) > here);
  const before = (each: T) => (here < 0 ? true : place(each) === here ? each.begin < line : place(each) < here);
  return by > 0 ? (all.find(after) ?? all[0]) : (all.filter(before).at(-1) ?? all.at(-1));
}
