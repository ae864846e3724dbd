// Texts that are too long for their place. Pure.

// The beginning of a line for a place of so many characters.
export function fitted(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}

const kFitting = 200; // characters: what a message can show at once

export function isLong(text: string): boolean {
  return text.length > kFitting || text.includes("\n");
}

// The beginning of a long text, up to the end of a word.
export function opening(text: string): string {
  const line = text.split("\n", 1)[0];
  return (line.length > kFitting ? line.slice(0, kFitting).replace(/\s+\S*$/, "") : line) + " …";
}
