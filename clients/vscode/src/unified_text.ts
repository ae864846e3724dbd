// A proposal as one diff of all its files, below what the model said, and where each change is in it. Pure.
import { type Drawing, diffOf } from "./drawing.ts";
import { kOutOfDate } from "./proposals.ts";

const kContext = 3; // lines around a change
const kWidth = 78; // characters in a line of what the model said

export interface UnifiedFile {
  uri: string;
  words: string; // its name, and what happens to all of it
  lines: readonly string[]; // of the document
  outOfDate?: readonly number[]; // the lines of changes that nobody can take any more
  changes: readonly { drawing: Drawing; problems: readonly string[] }[];
}
export interface UnifiedPlace {
  file: string;
  hunk: number;
  first: number; // lines of the diff, from 0
  last: number;
}

// What the model said, not to be taken for lines of a diff ("- this" in a list of its), and not wider than a window; code stays as it is.
function apart(words: string): string[] {
  let isCode = false;
  return words.split("\n").flatMap((line) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode) return wrapped(line);
    return [line];
  }).map((line) => line && `  ${line}`);
}

// The further lines of an item of a list are below its words.
function wrapped(line: string): string[] {
  const indent = " ".repeat(/^\s*(?:[-*+]\s+|\d+[.)]\s+)?/.exec(line)?.[0].length ?? 0);
  const out: string[] = [];
  for (let left = line; ; ) {
    const at = left.length > kWidth ? left.lastIndexOf(" ", kWidth) : -1;
    if (at <= indent.length) return [...out, left];
    out.push(left.slice(0, at));
    left = indent + left.slice(at + 1);
  }
}

// `head`: lines.
export function unifiedOf(head: readonly string[], words: string, files: readonly UnifiedFile[]): { text: string; places: UnifiedPlace[] } {
  const lines = [...head, "", ...(words ? [...apart(words), ""] : [])];
  const places: UnifiedPlace[] = [];
  for (const file of files) {
    lines.push(`diff ${file.words}`);
    const end = file.lines.at(-1) === "" ? file.lines.length - 1 : file.lines.length; // an editor shows a line that is none
    for (const { drawing, problems } of file.changes) {
      const first = lines.length;
      const after = drawing.first + drawing.old.length;
      lines.push(`@@ line ${drawing.first + 1} @@`);
      lines.push(...file.lines.slice(Math.max(0, drawing.first - kContext), drawing.first).map((line) => ` ${line}`));
      lines.push(...diffOf(drawing).split("\n"));
      lines.push(...file.lines.slice(after, Math.min(end, after + kContext)).map((line) => ` ${line}`));
      lines.push(...problems.map((problem) => `✗ ${problem}`));
      places.push({ file: file.uri, hunk: drawing.index, first, last: lines.length - 1 });
    }
    lines.push(...(file.outOfDate ?? []).map((line) => `⚠ line ${line + 1}: ${kOutOfDate}`), "");
  }
  return { text: lines.join("\n"), places };
}

// The change at a line, else the next one, else the last.
export function placeAt(places: readonly UnifiedPlace[], line: number): UnifiedPlace | undefined {
  return places.find(({ last }) => line <= last) ?? places.at(-1);
}
