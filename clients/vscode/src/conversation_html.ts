// An ask as the view shows it. Pure.
import { choicesOf } from "./choices.ts";
import { type Ask, type Part, duration, lastWords } from "./conversation.ts";
import type { Question } from "./extensions.ts";
import { escaped, htmlOf } from "./html.ts";
import { count, headed } from "./proposals.ts";

// What the buttons of an ask do.
export const actions = {
  cancel: "Cancel",
  retry: "Retry",
  show: "Show Diff",
  apply: "Apply",
  discard: "Discard",
  undo: "Undo",
  carryOut: "Carry It Out",
  setUp: "Choose Model…",
  setKey: "Set Key…",
  copyPrompt: "Copy Prompt",
  raise: "Raise the Limit",
  setting: "Open the Setting",
  copy: "Copy",
} as const;
export type Action = keyof typeof actions;

// What can be done about an ask now, most wanted first. `isOpen`: its proposal can still be taken.
export function actionsOf(ask: Ask, isOpen: boolean): Action[] {
  if (ask.state === "running") return ["cancel"];
  const can: Action[] = isOpen ? ["apply", "show", "discard"] : [];
  if (ask.isApplied) can.push("undo");
  if (ask.end?.plan) can.push("carryOut");
  const failed = !ask.isRetried && ["failed", "lost", "limit", "refused", "cancelled"].includes(ask.state);
  const { reason = "", setting } = (failed && ask.cause) || {};
  const needsModel = ["no_model", "authentication", "permission"].includes(reason);
  if (needsModel) can.push("setUp", "setKey");
  else if (["not_found", "quota"].includes(reason)) can.push("setUp");
  else if (setting) can.push(reason === "limit" ? "raise" : "setting");
  if ((failed || (ask.isStale && !ask.isRetried)) && ask.again) can.push("retry");
  if (reason === "network") can.push("setUp"); // after Retry: it may be gone by itself
  if ((needsModel || ["not_found", "network"].includes(reason)) && ask.again) can.push("copyPrompt");
  if (ask.parts.some(({ kind }) => kind === "text")) can.push("copy");
  return can;
}

const states: Record<Ask["state"], string> = {
  running: "Running",
  lost: "Not finished",
  proposal: "Proposal",
  answer: "Answered",
  failed: "Failed",
  cancelled: "Cancelled",
  limit: "Stopped at a limit",
  refused: "Refused",
};

function partHtml({ kind, text, step }: Part): string {
  if (kind === "thought") return `<details class="thought"><summary>Thoughts</summary>${htmlOf(text)}</details>`;
  if (kind === "text") return `<div class="text">${htmlOf(text)}</div>`;
  const sign = step?.failed ? "✗" : "✓";
  const took = step && step.ms >= 1000 ? ` <span class="dim">${duration(step.ms)}</span>` : "";
  const files = (step?.files ?? []).map(({ path, movedTo, change, added, removed }) => {
    const fate = movedTo ? `renamed to ${movedTo}` : change === "edited" ? "" : change;
    return `<li><code>${escaped(path)}</code> ${escaped(fate)} <span class="added">+${added}</span> <span class="removed">−${removed}</span></li>`;
  });
  const list = files.length > 0 ? `<ul>${files.join("")}</ul>` : "";
  // The files are listed below, and the time is beside it if it was long.
  const what = files.length > 0 && !step?.failed ? "Edits" : text.replace(/, \d+\.\d s$/, "");
  return `<div class="step${step?.failed ? " failed" : ""}"><span aria-hidden="true">${sign}</span> ${escaped(what)}${took}${list}</div>`;
}

// Text and thoughts between their tags are escaped; ids are the server's, and escaped as well.
export function htmlOfAsk(ask: Ask, isOpen: boolean): string {
  const isUnsent = ask.id.startsWith("unsent-");
  const time = ask.ended
    ? `<span>${duration(ask.ended - ask.begun)}</span>`
    : `<span class="time" data-begun="${ask.begun}" data-heard="${ask.heard}"></span>`;
  const facts = [`<span class="state ${ask.state}">${isUnsent ? "Not sent" : states[ask.state]}</span>`];
  if (!isUnsent) facts.push(time);
  if (ask.tokens) facts.push(`${ask.tokens.input} tokens in, ${ask.tokens.output} out`);
  if (!/^(unsent|earlier)-/.test(ask.id)) facts.push(escaped(ask.id));
  const words = lastWords(ask);
  const named = ask.request.split("\n")[0].slice(0, 80) || "Repair";
  const buttons = actionsOf(ask, isOpen).map((action) => `<button data-action="${action}" aria-description="${escaped(named)}">${actions[action]}</button>`);
  return `<header><h3>${escaped(ask.request || "Repair")}</h3>
<p class="dim">${facts.join(" · ")}</p></header>
${ask.parts.map(partHtml).join("\n")}
${ask.doing ? `<p class="doing">${escaped(ask.doing)}</p>` : ""}
${ask.isWaiting && !ask.doing && ask.state === "running" ? '<p class="doing">Waiting for your answer.</p>' : ""}
${ask.state === "running" && !ask.isWaiting ? '<p class="hang" hidden></p>' : ""}
${words ? `<div class="end ${ask.state}">${htmlOf(words)}</div>` : ""}
${ask.refusal ? `<div class="end failed">${escaped(ask.refusal)}</div>` : ""}
${ask.result ? `<p class="result">${escaped(ask.result)}</p>` : ""}
${ask.notes?.length ? `<ul class="notes">${ask.notes.map((note) => `<li>${escaped(note)}</li>`).join("")}</ul>` : ""}
${buttons.length > 0 ? `<div class="buttons">${buttons.join("")}</div>` : ""}`;
}

// The questions that wait, with all that can be answered.
export function htmlOfQuestions(all: readonly { id: number; question: Question }[]): string {
  return all.map(({ id, question }) => {
    const buttons = choicesOf(question).map(({ label, choice }) => `<button data-choice="${choice}" data-question="${id}" aria-label="${escaped(`${label}: ${question.title}`)}">${escaped(label)}</button>`);
    return `<section class="question"><h4>May the model do this?</h4><p>${escaped(question.title)}</p><div class="buttons">${buttons.join("")}</div></section>`;
  }).join("");
}

const kMaxSpoken = 300; // characters
// What a screen reader says when this is new.
export function spoken(ask: Ask): string {
  if (ask.state === "running") return ask.isWaiting ? "Waiting for your answer." : ask.doing || "The model is working.";
  const steps = ask.parts.filter(({ step }) => step).length;
  const said = ask.refusal ?? ask.result ?? (ask.reason ?? ask.end?.message ?? "");
  const words = said.length > kMaxSpoken ? `${said.slice(0, kMaxSpoken).replace(/\s+\S*$/, "")} …` : said;
  return `${states[ask.state]}: ${words.trim() ? headed(ask.request.split("\n")[0], words.trim()) : ask.request.split("\n")[0]}${steps > 0 ? ` ${count(steps, "step")}.` : ""}`;
}
