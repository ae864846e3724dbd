// A model's Markdown as HTML that can do nothing: no links, no images, no markup of its own. Pure.
import { visible } from "./plain.ts";

export function escaped(text: string): string {
  return visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

// Inside a line: `code`, **strong**, *emphasis*. The text is escaped first, so that nothing else is markup.
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, index) => {
      if (index % 2 === 1) return `<code>${escaped(piece.slice(1, -1))}</code>`;
      return escaped(piece).replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>").replace(/(^|\s)\*([^*\s][^*]*)\*/g, "$1<em>$2</em>");
    })
    .join("");
}

export function htmlOf(markdown: string): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let list: "ul" | "ol" | undefined;
  const close = () => {
    if (paragraph.length > 0) out.push(`<p>${paragraph.map(inline).join("<br>")}</p>`);
    if (list) out.push(`</${list}>`);
    paragraph = [];
    list = undefined;
  };
  const lines = markdown.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      close();
      const code: string[] = [];
      while (++i < lines.length && !lines[i].trim().startsWith(fence)) code.push(lines[i]);
      out.push(`<pre tabindex="0"><code>${escaped(code.join("\n"))}</code></pre>`); // the end may still be on its way
      continue;
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^\s*(?:([-*+])|\d+[.)])\s+(.*)$/.exec(line);
    if (heading) {
      close();
      out.push(`<h4>${inline(heading[2])}</h4>`);
    } else if (item) {
      const kind = item[1] ? "ul" : "ol";
      if (list !== kind) {
        close();
        list = kind;
        out.push(`<${kind}>`);
      }
      out.push(`<li>${inline(item[2])}</li>`);
    } else if (!line.trim()) {
      close();
    } else {
      if (list) close();
      paragraph.push(line);
    }
  }
  close();
  return out.join("\n");
}
