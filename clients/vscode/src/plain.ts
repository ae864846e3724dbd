// Text from outside (a model, a file, a server) is never markup of VS Code. Pure.

const wide = "\u200b"; // a zero width space splits what would be markup

// Control characters and bidirectional overrides, which are made readable.
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

export function visible(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(acting, (c) => `<U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);
}

// For messages, progress, labels and the status bar: [words](command:…) is not a link, $(icon) not an icon.
export function plain(text: string): string {
  return visible(text).replaceAll("](", `]${wide}(`).replaceAll("$(", `$${wide}(`);
}

// For a place that shows Markdown.
export function markdown(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]()#+!<>|~$&@]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}
