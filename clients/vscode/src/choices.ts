// The possible answers to a permission question, with their labels. Pure.
import type { Question } from "./extensions.ts";

export type Choice = "once" | "session" | "workspace" | "reject";
// explain: a rejection whose reason the user is asked for
export type Button = Choice | "explain" | "show";

export function choicesOf(question: Question): { label: string; choice: Button }[] {
  const isLimit = question.tool === "limit";
  const all: { label: string; choice: Choice }[] = [
    { label: isLimit ? "Continue" : "Allow Once", choice: "once" },
    { label: "Allow for This Session", choice: "session" },
    { label: "Allow in This Workspace", choice: "workspace" },
    { label: isLimit ? "Stop" : "Deny", choice: "reject" },
  ];
  const options = question.options ?? ["once", "reject"];
  const buttons: { label: string; choice: Button }[] = all.filter(({ choice }) => options.includes(choice));
  if (["read", "edit", "run", "mcp"].includes(question.tool)) buttons.push({ label: "Deny, and Say Why…", choice: "explain" });
  if (question.detail) buttons.push({ label: "Show", choice: "show" });
  return buttons;
}

// What was answered, for the conversation.
export function inWords({ tool, title }: Question, choice: Choice, reason?: string): string {
  if (choice === "reject") return `You ${tool === "limit" ? "stopped here" : "denied"}: ${title}${reason ? ` (${reason})` : ""}`;
  const how = { once: "", session: " for this session", workspace: " in this workspace" }[choice];
  return `You allowed${how}: ${title}`;
}
