// Texts that are too long for their place. Pure.

// The beginning of a line for a place of so many characters, up to the end of a word if that is not far before.
export function fitted(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join("");
  const words = characters[most - 1] === " " ? cut : cut.replace(/ [^ ]*$/, "");
  return `${(words.length * 2 >= cut.length ? words : cut).trimEnd()}…`;
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
