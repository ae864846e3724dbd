// Text from outside (a model, a file, a server) is never markup of VS Code. Pure.

const wide = "\u200b"; // a zero width space splits what would be markup

// Control characters, those that turn the direction of text, and invisible ones, which are made readable: as the server's
// agent/support/shown_text.cpp does. One joiner or selector behind a sign is a part of it.
const joined = /(?<=[^\x00-\x7f\p{DI}\p{Cf}])(?:\ufe0f?[\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])|\ufe0f(?=\u20e3)|(?<=\])\u200b(?=\()|(?<=\$)\u200b(?=\()/u;
const acting = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800]/u;
const pieces = new RegExp(`(${joined.source})|${acting.source}`, "gu");

export function visible(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(pieces, (c, part?: string) => part ?? `<U+${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`);
}

// For messages, progress, labels and the status bar: [words](command:…) is not a link, $(icon) not an icon.
export function plain(text: string): string {
  return visible(text).replaceAll("](", `]${wide}(`).replaceAll("$(", `$${wide}(`);
}

// For a place that shows Markdown.
export function markdown(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]()#+!<>|~$&@]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}
