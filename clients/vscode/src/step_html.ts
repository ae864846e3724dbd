// What the agent did, step by step, as the view "Conversation" shows it. Pure.
import { duration } from "./conversation.ts";
import type { Step } from "./extensions.ts";
import { diffHtml, escaped } from "./html.ts";

const kTail = 3; // lines of a command's output that are always shown

const verbs: [RegExp, string][] = [
  [/undo/i, "Took back an edit"],
  [/bash|shell|run|exec|command|terminal/i, "Ran"],
  [/write|edit|patch|replace|create|insert|delete|rename/i, "Edited"],
  [/grep|search|glob|find|list|^ls$|symbol|reference/i, "Searched"],
  [/read|view|cat|open|diagnostic|problem/i, "Read"],
];
const verbOf = (tool: string) => verbs.find(([pattern]) => pattern.test(tool))?.[1];

const linkTo = (path: string, line = 0) =>
  `<button class="link" data-open="${escaped(path)}" data-line="${line}">${escaped(path)}</button>`;

// The first changed line of a unified diff, in the new text, from 1; 0: there is none.
function firstLine(diff: string): number {
  const lines = diff.split("\n");
  const head = lines.findIndex((line) => line.startsWith("@@ "));
  const begin = Number(/\+(\d+)/.exec(lines[head] ?? "")?.[1] ?? 0);
  if (head < 0 || begin === 0) return 0;
  let line = begin;
  for (let i = head + 1; i < lines.length && lines[i].startsWith(" "); i++) line++;
  return line;
}

const folded = (key: string, title: string, html: string) =>
  `<details data-key="${key}"><summary>${title}</summary><pre tabindex="0">${html}</pre></details>`;

function outputHtml(output: string, key: string): string {
  const lines = output.replace(/\n+$/, "").split("\n");
  const last = lines.slice(-kTail).join("\n");
  if (!last) return "";
  const all = folded(key, `Last ${lines.length} lines`, escaped(lines.join("\n")));
  return `<pre tabindex="0">${escaped(last)}</pre>${lines.length > kTail ? all : ""}`;
}

// `text`: the server's line for it; `number`: of the step in its ask.
export function htmlOfStep(step: Step | undefined, text: string, number: number): string {
  const sign = step?.failed || (step?.command && step.command.exitCode !== 0) ? "✗" : "✓";
  const said =
    sign === "✗"
      ? '<span class="sign" aria-label="Failed">✗</span>'
      : '<span class="sign" aria-hidden="true">✓</span>';
  const facts = [
    step?.command ? `exit ${step.command.exitCode}` : "",
    step && step.ms >= 1000 ? duration(step.ms) : "",
  ].filter(Boolean);
  const aside = facts.length > 0 ? ` <span class="dim">${facts.join(" · ")}</span>` : "";
  const files = (step?.files ?? []).map(({ path, movedTo, change, added, removed, diff }, index) => {
    const fate = movedTo ? ` renamed to ${linkTo(movedTo)}` : change === "edited" ? "" : ` ${escaped(change)}`;
    const shown = diff
      ? folded(`${number}-${index}`, "Diff", `<code>${diffHtml(diff.split("\n"))}</code>`)
      : "";
    const size = `<span class="added">+${added}</span> <span class="removed">−${removed}</span>`;
    return `<li>${linkTo(path, firstLine(diff))}${fate} ${size}${shown}</li>`;
  });
  const list = files.length > 0 ? `<ul>${files.join("")}</ul>` : "";
  const verb = step && verbOf(step.tool);
  const about = step?.path
    ? linkTo(step.path)
    : step?.subject
      ? `<code>${escaped(step.subject.split("\n")[0])}</code>`
      : "";
  const inPath = step?.path && step.subject ? ` <code>${escaped(step.subject.split("\n")[0])}</code>` : "";
  const why = step?.reason ? `: ${escaped(step.reason)}` : "";
  let what = escaped(text.replace(/, \d+\.\d s$/, ""));
  if (files.length > 0 && !step?.failed) what = "Edits";
  else if (verb && about) what = `${verb} ${about}${inPath}${step?.failed ? " failed" : ""}${why}`;
  const reason = step?.why ? ` <span class="dim">${escaped(step.why)}</span>` : "";
  const output = step?.command ? outputHtml(step.command.output, `${number}-output`) : "";
  return `<div class="step${sign === "✗" ? " failed" : ""}">${said} ${what}${aside}${reason}${list}${output}</div>`;
}
