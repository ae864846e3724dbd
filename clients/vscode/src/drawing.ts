// What of a pending change is drawn in the document itself: which lines go, and the new lines beside them. Pure.
import type { Hunk } from "./extensions.ts";

export interface Drawing {
  index: number; // of the hunk
  begin: number; // the first line, from 0, that the change is about
  removed: number[]; // lines that go or are replaced
  ghosts: { line: number; text: string }[]; // shown after the end of a line
  words: string; // all of it, for a tooltip and a screen reader
  diff: string;
}

const kMostGhost = 160; // characters
const shortened = (text: string) => (text.length > kMostGhost ? `${text.slice(0, kMostGhost)}…` : text);

// `line`: the document's text of a line. The range may begin and end inside a line.
export function drawingOf(hunk: Hunk, lineCount: number, line: (index: number) => string): Drawing {
  const { start, end } = hunk.range;
  const text = (index: number) => (index < lineCount ? line(index) : "");
  const old: string[] = [];
  for (let i = start.line; i <= end.line; i++) old.push(text(i));
  const made = (text(start.line).slice(0, start.character) + hunk.newText + text(end.line).slice(end.character)).split("\n");
  // Lines that stay, at both ends.
  let top = 0;
  while (top < old.length && top < made.length && old[top] === made[top]) top++;
  let bottom = 0;
  while (bottom < old.length - top && bottom < made.length - top && old.at(-1 - bottom) === made.at(-1 - bottom)) bottom++;
  const gone = old.slice(top, old.length - bottom);
  const come = made.slice(top, made.length - bottom);
  const first = start.line + top;
  const removed = gone.map((_, i) => first + i);
  const ghosts: Drawing["ghosts"] = [];
  if (gone.length === 0) {
    // Between two lines: after the one above, or before the first.
    const more = come.length > 1 ? `  (+${come.length - 1} more ${come.length === 2 ? "line" : "lines"})` : "";
    if (come.length > 0) ghosts.push({ line: Math.max(0, first - 1), text: `${first === 0 ? "↑" : "↓"} ${shortened(come[0].trim() || "(empty line)")}${more}` });
  } else {
    for (let i = 0; i < Math.min(gone.length, come.length); i++) ghosts.push({ line: first + i, text: `→ ${shortened(come[i].trim() || "(empty line)")}` });
    const extra = come.length - gone.length;
    if (extra > 0) ghosts[ghosts.length - 1].text += `  ↓ ${shortened(come[gone.length].trim())}${extra > 1 ? `  (+${extra - 1} more ${extra === 2 ? "line" : "lines"})` : ""}`;
    if (come.length === 0) ghosts.push({ line: first, text: gone.length === 1 ? "← deleted" : `← ${gone.length} lines deleted` });
  }
  const diff = [...gone.map((each) => `-${each}`), ...come.map((each) => `+${each}`)].join("\n");
  const size = [gone.length > 0 ? `−${gone.length}` : "", come.length > 0 ? `+${come.length}` : ""].filter(Boolean).join(" ");
  return { index: hunk.index, begin: Math.min(first, Math.max(0, lineCount - 1)), removed, ghosts, words: size, diff };
}

// The change after (or before) a line among those of all files, going round; `file`: where the line is.
export function neighbour<T extends { file: string; begin: number }>(all: readonly T[], file: string, line: number, by: 1 | -1): T | undefined {
  const files = [...new Set(all.map((each) => each.file))];
  const here = files.indexOf(file);
  const place = (each: T) => files.indexOf(each.file);
  const after = (each: T) => (here < 0 ? true : place(each) === here ? each.begin > line : place(each) > here);
  const before = (each: T) => (here < 0 ? true : place(each) === here ? each.begin < line : place(each) < here);
  return by > 0 ? (all.find(after) ?? all[0]) : (all.filter(before).at(-1) ?? all.at(-1));
}
