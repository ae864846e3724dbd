// A model's Markdown as HTML that can do nothing: no links, no images, no markup of its own. Pure.
import { coloured, piecesOf } from "./code_html.ts";
import { visible } from "./plain.ts";

export function escaped(text: string): string {
  return visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

// "See [a.py](src/a.py)" without the marks of the link: where it leads is read.
const linksTold = (text: string) =>
  text.replace(/(`[^`]+`)|(?<=^|[\s(])\[([^\]]+)\]\(([^()\s]+)\)/g, (all, code, name, where) =>
    code ? all : name.replaceAll("`", "") === where ? name : `${name} (${where})`,
  );

// Inside a line: `code`, **strong**, *emphasis* and _emphasis_. The text is escaped first, so that nothing else is markup.
function inline(text: string): string {
  return linksTold(text)
    .split(/(`[^`]+`)/)
    .map((piece, index) => {
      if (index % 2 === 1) return `<code>${escaped(piece.slice(1, -1))}</code>`;
      return escaped(piece)
        .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
        .replace(/(^|\s)\*([^*\s][^*]*)\*/g, "$1<em>$2</em>")
        .replace(/(^|[\s(])_([^_\s](?:[^_]*[^_\s])?)_(?=[\s.,;:!?)]|$)/g, "$1<em>$2</em>");
    })
    .join("");
}

const cellsOf = (row: string) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inline(cell.trim()));
const isRule = (line: string | undefined): boolean => !!line?.includes("-") && line.trim().replace(/^\||\|$/g, "").split("|").every((cell) => /^:?-+:?$/.test(cell.trim()));
const itemOf = (line: string) => /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/.exec(line);

// How that looks. All colours are the theme's.
export const kStyle = `body { padding: 0 12px 12px; color: var(--vscode-foreground); overflow-wrap: anywhere; }
h4 { margin: 8px 0 4px; font-size: 1em; }
p, ul, ol { margin: 4px 0; }
li ul, li ol { margin: 0; }
table { border-collapse: collapse; }
th, td { padding: 2px 8px; text-align: left; border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, var(--vscode-descriptionForeground))); }
blockquote { margin: 4px 0; padding-left: 10px; border-left: 3px solid var(--vscode-textBlockQuote-border, var(--vscode-descriptionForeground)); }
hr { border: none; border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, var(--vscode-descriptionForeground))); }
ul, ol { padding-left: 20px; }
code, pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
pre { padding: 6px 8px; overflow-x: auto; background: var(--vscode-textCodeBlock-background); border: 1px solid var(--vscode-contrastBorder, transparent); }
pre code { color: inherit; background: none; }
.dim { color: var(--vscode-descriptionForeground); }
.added { color: var(--vscode-gitDecoration-addedResourceForeground); }
.removed { color: var(--vscode-gitDecoration-deletedResourceForeground); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
`;

// `withLevels`: headings keep their levels, for a page of its own.
// `copies`: code has colours and a button that copies it, for a page whose script knows that.
export function htmlOf(markdown: string, withLevels = false, copies = false): string {
  return blocks(markdown.split("\n"), 0, withLevels, copies);
}

function codeHtml(html: string, copies: boolean): string {
  const code = `<pre tabindex="0"><code>${html}</code></pre>`;
  return copies ? `<div class="code">${code}<button data-copy>Copy</button></div>` : code;
}

// Lines of a diff, with their colours.
export function diffHtml(lines: readonly string[]): string {
  return lines.map((line) => (/^[-+]/.test(line) ? `<span class="${line.startsWith("+") ? "added" : "removed"}">${escaped(line)}</span>` : escaped(line))).join("\n");
}

// An edit that a model has written without a fence around it, as the lines of a diff, and the line after it: its marks are Markdown's for
// quotes, headings and rules.
function editAt(lines: readonly string[], begin: number): { diff: string[]; end: number } | undefined {
  const until = (last: RegExp) => {
    const found = lines.findIndex((line, i) => i > begin && last.test(line));
    return found < 0 ? lines.length : found; // the end may still be on its way
  };
  if (/^<{5,9}( |$)/.test(lines[begin])) {
    const end = until(/^>{5,9}( |$)/);
    let sign = "-";
    const diff = lines.slice(begin + 1, end).flatMap((line) => {
      if (sign === "+" || !/^={5,9}$/.test(line)) return [sign + line];
      sign = "+";
      return [];
    });
    return { diff, end: end + 1 };
  }
  if (/^\*\*\* Begin Patch/.test(lines[begin])) {
    const end = until(/^\*\*\* End Patch/);
    return { diff: lines.slice(begin + 1, end), end: end + 1 };
  }
  if (/^--- \S/.test(lines[begin]) && /^\+\+\+ \S/.test(lines[begin + 1] ?? "")) {
    const end = until(/^[^-+ @\\]|^$/);
    return { diff: lines.slice(begin, end), end };
  }
  return undefined;
}

const kMaxDepth = 8; // of lists and quotes in each other

function blocks(lines: readonly string[], depth: number, withLevels = false, copies = false): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  const close = () => {
    if (paragraph.length > 0) out.push(`<p>${paragraph.map(inline).join("<br>")}</p>`);
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const [, fence, language] = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(line) ?? [];
    if (fence) {
      close();
      const code: string[] = [];
      const indent = line.length - line.trimStart().length;
      while (++i < lines.length && !lines[i].trim().startsWith(fence)) code.push(lines[i].slice(Math.min(indent, lines[i].length - lines[i].trimStart().length)));
      const html = language === "diff" ? diffHtml(code) : copies ? coloured(code.join("\n"), language) : escaped(code.join("\n"));
      out.push(codeHtml(html, copies)); // the end may still be on its way
      continue;
    }
    const edit = editAt(lines, i);
    if (edit) {
      close();
      out.push(codeHtml(diffHtml(edit.diff), copies));
      i = edit.end - 1;
      continue;
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = itemOf(line);
    if (heading) {
      close();
      const tag = withLevels ? `h${heading[1].length}` : "h4";
      out.push(`<${tag}>${inline(heading[2])}</${tag}>`);
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      close();
      out.push("<hr>");
    } else if (item && depth < kMaxDepth) {
      close();
      const [html, next] = listAt(lines, i, depth, copies);
      out.push(html);
      i = next - 1;
    } else if (line.startsWith(">") && depth < kMaxDepth) {
      close();
      const quoted: string[] = [];
      while (i < lines.length && lines[i].startsWith(">")) quoted.push(lines[i++].replace(/^> ?/, ""));
      i--;
      out.push(`<blockquote>${blocks(quoted, depth + 1, false, copies)}</blockquote>`);
    } else if (line.includes("|") && isRule(lines[i + 1]) && cellsOf(line).length === cellsOf(lines[i + 1]).length) {
      close();
      const row = (cells: string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
      const rows = [row(cellsOf(line), "th")];
      for (i += 2; i < lines.length && lines[i].includes("|"); i++) rows.push(row(cellsOf(lines[i]), "td"));
      i--;
      out.push(`<table>${rows.join("")}</table>`);
    } else if (!line.trim()) {
      close();
    } else {
      paragraph.push(line);
    }
  }
  close();
  return out.join("\n");
}

// The list that begins at a line, and the line after it. What is indented below an item belongs to it; code that is not, between two
// numbered items, does not end the numbers.
function listAt(lines: readonly string[], begin: number, depth: number, copies: boolean): [string, number] {
  const [, indent, bullet, number] = itemOf(lines[begin]) ?? [];
  const items: string[] = [];
  let i = begin;
  while (i < lines.length) {
    const item = itemOf(lines[i]);
    if (!item || item[1].length !== indent.length || (item[2] === undefined) !== (bullet === undefined)) break;
    const inside: string[] = [];
    i++;
    for (;;) {
      let next = i; // after blank lines
      while (next < lines.length && !lines[next].trim()) next++;
      if (next >= lines.length || lines[next].length - lines[next].trimStart().length <= indent.length) break;
      while (i <= next) inside.push(lines[i++]);
    }
    const depths = inside.filter((each) => each.trim()).map((each) => each.length - each.trimStart().length);
    const least = depths.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
    const below = depths.length > 0 ? `\n${blocks(inside.map((each) => each.slice(least)), depth + 1, false, copies)}` : "";
    items.push(`<li>${inline(item[4])}${below}</li>`);
    let next = i;
    while (next < lines.length && !lines[next].trim()) next++;
    if (next < lines.length && next > i && itemOf(lines[next])?.[1].length === indent.length) i = next;
  }
  const start = number === undefined || Number(number) === 1 ? "" : ` start="${Number(number)}"`;
  const tag = bullet === undefined ? "ol" : "ul";
  return [`<${tag}${start}>\n${items.join("\n")}\n</${tag}>`, i];
}

// New lines as a diff shows them, for a place that lets through no more than a span's two colours: in the editor's font, as wide as the
// longest of those that have room everywhere, so that the colour behind them makes one block; longer ones are broken between words. A theme
// with high contrast has no such colour: its lines have the sign.
export function addedHtml(text: string, language = ""): string {
  const lines: string[] = [""];
  const widths: number[] = [0];
  const put = (words: string, kind: keyof typeof kColours) => {
    const pieces = words.match(/^\s+|\S+\s*/g) ?? [];
    lines[lines.length - 1] += pieces.map((each) => spanOf(each, kColours[kind])).join("<wbr>");
    widths[widths.length - 1] += words.length;
  };
  for (const { text: piece, kind } of piecesOf(text.replace(/\t/g, "    "), language)) {
    const [first, ...others] = piece.split("\n");
    put(first, kind);
    for (const each of others) {
      lines.push("");
      widths.push(0);
      put(each, kind);
    }
  }
  const width = Math.min(kNarrow, Math.max(...widths) + 1);
  const sign = spanOf("+ ", "gitDecoration-addedResourceForeground");
  const rest = (i: number) => spanOf(" ".repeat(Math.max(0, width - widths[i])), kColours[""]);
  return `<p><code>${lines.map((line, i) => sign + line + rest(i)).join("<br>")}</code></p>`;
}
const kNarrow = 40; // characters, for which there is always room

const kColours = {
  "": "editor-foreground",
  comment: "descriptionForeground",
  string: "debugTokenExpression-string",
  number: "debugTokenExpression-number",
  keyword: "debugTokenExpression-name",
} as const;
const spanOf = (text: string, colour: string) =>
  `<span style="color:var(--vscode-${colour});background-color:var(--vscode-diffEditor-insertedTextBackground);">${escaped(text)}</span>`;
