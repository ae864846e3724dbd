// Where the lines that a request is about are now, after changes of their document. Pure.
import type { Position, Range } from "./extensions.ts";

export interface Change {
  range: Range;
  text: string;
}

const isBefore = (one: Position, other: Position) => one.line < other.line || (one.line === other.line && one.character < other.character);

function moved(position: Position, { range, text }: Change): Position {
  const lines = text.split("\n");
  const line = position.line - range.end.line + range.start.line + lines.length - 1;
  if (position.line > range.end.line) return { line, character: position.character };
  const character = position.character - range.end.character + lines[lines.length - 1].length + (lines.length === 1 ? range.start.character : 0);
  return { line, character };
}

// What comes in at either end is not part of it. Nothing if what it was about is gone: deleted, or replaced as a whole.
export function tracked(range: Range, change: Change): Range | undefined {
  const { start, end } = change.range;
  if (!isBefore(start, range.end) && (isBefore(range.start, range.end) || isBefore(range.end, start))) return range; // after it
  if (!isBefore(range.start, end)) return { start: moved(range.start, change), end: moved(range.end, change) };
  const coversAll = !isBefore(range.start, start) && !isBefore(end, range.end);
  if (coversAll) return undefined;
  const after = { range: { start, end }, text: change.text };
  return {
    start: isBefore(range.start, start) ? range.start : moved(end, after),
    end: isBefore(end, range.end) ? moved(range.end, after) : start,
  };
}

// Lines of a text, as a range; nothing unless they are there exactly once. For a document that was replaced by another text of itself,
// as formatters do.
export function found(text: string, selected: string): Range | undefined {
  const at = selected.trim() ? text.indexOf(selected) : -1;
  if (at < 0 || text.indexOf(selected, at + 1) >= 0) return undefined;
  const position = (offset: number) => {
    const before = text.slice(0, offset).split("\n");
    return { line: before.length - 1, character: before[before.length - 1].length };
  };
  return { start: position(at), end: position(at + selected.length) };
}
