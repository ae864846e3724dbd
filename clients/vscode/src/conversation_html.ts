// An ask as the view shows it. Pure.
import { choicesOf } from "./choices.ts";
import { type Ask, type Part, duration, lastWords } from "./conversation.ts";
import type { Question } from "./extensions.ts";
import { escaped, htmlOf } from "./html.ts";
import { fitted } from "./lengths.ts";
import { count, headed } from "./proposals.ts";
import { htmlOfStep } from "./step_html.ts";

// What the buttons of an ask do.
export const actions = {
  cancel: "Cancel",
  retry: "Retry",
  show: "Show Diff",
  apply: "Apply",
  discard: "Discard",
  review: "Review",
  undo: "Undo",
  redo: "Redo",
  restore: "Restore to Before This",
  carryOut: "Carry It Out",
  setUp: "Choose Model…",
  setKey: "Set Key…",
  copyPrompt: "Copy Prompt",
  raise: "Raise the Limit",
  setting: "Open the Setting",
  copy: "Copy",
} as const;
export type Action = keyof typeof actions;

// After a decision: nothing of these is what a person most likely wants next.
const kAside: readonly Action[] = ["review", "undo", "redo", "restore", "copy"];

// What can be done about an ask now, most wanted first. `isOpen`: its proposal can still be taken.
// `canRestore`: later requests of its session have changed files, too.
export function actionsOf(ask: Ask, isOpen: boolean, canRestore = false): Action[] {
  if (ask.state === "running") return ["cancel"];
  // What is out of date as a whole can only be asked for again, or put away.
  const isSpent = isOpen && ask.isSpent && !ask.isRetried && ask.again !== undefined;
  const can: Action[] = isSpent ? ["retry", "show", "discard"] : isOpen ? ["apply", "show", "discard"] : [];
  if (ask.isApplied && ask.canReview) can.push("review");
  if (ask.isApplied) can.push("undo");
  if (ask.canRedo) can.push("redo");
  if (canRestore) can.push("restore");
  if (ask.end?.plan) can.push("carryOut");
  const isWithout = ask.state === "answer" && ask.end?.overtaken;
  const failed = !ask.isRetried && (isWithout || ["failed", "lost", "limit", "refused", "cancelled"].includes(ask.state));
  const { reason = "", setting } = (failed && ask.cause) || {};
  const needsModel = ["no_model", "authentication", "permission"].includes(reason);
  if (needsModel) can.push("setUp", "setKey");
  else if (["not_found", "quota"].includes(reason)) can.push("setUp");
  else if (setting) can.push(reason === "limit" ? "raise" : "setting");
  if ((failed || (ask.isStale && !ask.isRetried)) && ask.again && !isSpent) can.push("retry");
  if (reason === "network") can.push("setUp"); // after Retry: it may be gone by itself
  if ((needsModel || ["not_found", "network"].includes(reason)) && ask.again) can.push("copyPrompt");
  if (ask.parts.some(({ kind }) => kind === "text")) can.push("copy");
  return can;
}

// “Answered” would say that it was done.
const stateOf = ({ state, end }: Ask): string => (state === "answer" && end?.overtaken ? "Left out" : states[state]);

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

function partHtml({ kind, text, step }: Part, number: number): string {
  if (kind === "thought") return `<details class="thought" data-key="${number}"><summary>Thoughts</summary>${htmlOf(text)}</details>`;
  if (kind === "text") return `<div class="text">${htmlOf(text, false, true)}</div>`;
  if (kind === "note") return `<div class="note"><span aria-hidden="true">↻</span> ${escaped(text)}</div>`;
  return htmlOfStep(step, text, number);
}

// Text and thoughts between their tags are escaped; ids are the server's, and escaped as well.
export function htmlOfAsk(ask: Ask, isOpen: boolean, canRestore = false): string {
  const isUnsent = ask.id.startsWith("unsent-");
  const time = ask.ended
    ? `<span>${duration(ask.ended - ask.begun)}</span>`
    : `<span class="time" data-begun="${ask.begun}" data-heard="${ask.heard}"></span>`;
  const facts = [`<span class="state ${ask.state}">${isUnsent ? "Not sent" : stateOf(ask)}</span>`];
  if (!isUnsent) facts.push(time);
  if (ask.tokens) facts.push(`${ask.tokens.input} tokens in, ${ask.tokens.output} out`);
  const words = lastWords(ask);
  const named = fitted(ask.request.split("\n")[0], 80) || "Repair";
  const buttons = actionsOf(ask, isOpen, canRestore).map((action, index) => `<button${index === 0 && !kAside.includes(action) ? ' class="primary"' : ""} data-action="${action}" aria-description="${escaped(named)}">${actions[action]}</button>`);
  return `<header><h3>${escaped(ask.request || "Repair")}</h3>
<p class="dim"${isUnsent ? "" : ` title="${escaped(ask.id)}"`}>${facts.join(" · ")}</p></header>
${ask.parts.map(partHtml).join("\n")}
${ask.doing ? `<p class="doing">${escaped(ask.doing)}</p>` : ""}
${ask.isWaiting && !ask.doing && ask.state === "running" ? '<p class="doing">Waiting for your answer.</p>' : ""}
${ask.state === "running" && !ask.isWaiting ? '<p class="hang" hidden></p>' : ""}
${words ? `<div class="end ${ask.state}">${htmlOf(words, false, true)}</div>` : ""}
${ask.refusal ? `<div class="end failed">${escaped(ask.refusal)}</div>` : ""}
${ask.result ? `<p class="result">${escaped(ask.result)}</p>` : ""}
${ask.notes?.length ? `<ul class="notes">${ask.notes.map((note) => `<li>${escaped(note)}</li>`).join("")}</ul>` : ""}
${buttons.length > 0 ? `<div class="buttons">${buttons.join("")}</div>` : ""}`;
}

// The questions that wait, with all that can be answered.
export function htmlOfQuestions(all: readonly { id: number; question: Question }[]): string {
  return all.map(({ id, question }) => {
    const buttons = choicesOf(question).map(({ label, choice }, index) => `<button${index === 0 ? ' class="primary"' : ""} data-choice="${choice}" data-question="${id}" aria-label="${escaped(`${label}: ${question.title}`)}">${escaped(label)}</button>`);
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
  return `${stateOf(ask)}: ${words.trim() ? headed(ask.request.split("\n")[0], words.trim()) : ask.request.split("\n")[0]}${steps > 0 ? ` ${count(steps, "step")}.` : ""}`;
}
