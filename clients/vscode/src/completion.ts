// The list below a request that is being typed: the request itself, then its completions. Pure.
import type { Completions } from "./extensions.ts";
import { plain } from "./plain.ts";

export interface Entry {
  label: string;
  description?: string;
  alwaysShow: true;
  typed: string; // what it was made for
  text: string; // what that becomes
  isRequest: boolean; // it is sent, and not only completed
}

const icons = { command: "terminal", file: "file", folder: "folder", symbol: "symbol-function", keyword: "mention" };

export function entries(text: string, completions: Completions): Entry[] {
  const request: Entry = { label: `$(send) ${plain(text)}`, alwaysShow: true, typed: text, text, isRequest: true };
  const others = completions.items.map(({ label, insertText, kind, detail }): Entry => ({
    label: `$(${icons[kind] ?? "symbol-misc"}) ${plain(label)}`,
    description: plain(detail ?? ""),
    alwaysShow: true,
    typed: text,
    text: text.slice(0, completions.start) + insertText,
    isRequest: false,
  }));
  return text.trim() ? [request, ...others] : others;
}

// Whether a row of the list is what <Enter> means: the word at the end of the text is only the beginning of a completion.
export function isIncomplete(text: string, { start, items }: Completions): boolean {
  const word = text.slice(start);
  return /^[@/]/.test(word) && items.length > 0 && !items.some(({ insertText }) => insertText.trim() === word.trim());
}

// A field has one line only: there a sign stands for each break.
export const inField = (text: string | undefined) => text?.replace(/ *\r?\n/g, " ⏎ ");
export const inText = (text: string) => text.replace(/ ?⏎ ?/g, "\n").trim();

// What <Up> (1), <Down> (-1) and <Shift+Enter> (0) make of the field. `at`: which of the earlier requests is in it, or -1.
export function afterKey(key: 1 | -1 | 0, text: string, at: number, before: readonly string[]): { text: string; at: number } {
  if (key === 0) return { text: `${text.trimEnd()} ⏎ `, at: -1 };
  const next = Math.min(at + key, before.length - 1);
  return next < 0 ? { text: "", at: -1 } : { text: inField(before[next]) ?? "", at: next };
}

// What was asked before, newest first, below an empty field.
export function earlier(requests: readonly string[]): Entry[] {
  return requests.map((text): Entry => ({
    label: `$(history) ${plain(text.replace(/\s+/g, " "))}`,
    alwaysShow: true,
    typed: "",
    text: inField(text) ?? "",
    isRequest: false,
  }));
}

const kMax = 50;
export function withRequest(requests: readonly string[], text: string): string[] {
  return [text, ...requests.filter((each) => each !== text)].slice(0, kMax);
}
