// The possible answers to a permission question, with their labels. Pure.
import type { Question } from "./extensions.ts";

export type Choice = "once" | "always" | "reject";

export function choicesOf(question: Question): { label: string; choice: Choice | "show" }[] {
  const all: { label: string; choice: Choice | "show" }[] = [
    { label: "Allow Once", choice: "once" },
    { label: "Allow for this Session", choice: "always" },
    { label: "Refuse", choice: "reject" },
  ];
  const offered = all.filter(({ choice }) => !question.options || question.options.includes(choice));
  return question.detail ? [...offered, { label: "Show", choice: "show" }] : offered;
}
