// The text of the status bar. Pure; the icons are VS Code's.
import type { Mode, Status } from "./extensions.ts";
import { markdown } from "./plain.ts";
import { count } from "./proposals.ts";

const doing: Record<Status["state"], string> = {
  idle: "",
  thinking: "the model is thinking",
  editing: "editing",
  verifying: "checking the edit",
  waiting: "waiting for you",
};

export const modes: Record<Mode, string> = {
  confirm: "confirm: edits wait for you, and commands are asked about first",
  auto: "auto: edits without problems are applied, and commands run in the sandbox",
  human: "human: you type the commands and edits; no model is asked",
  plan: "plan: the model plans; nothing is edited",
};

export type Life = "starting" | "running" | "stopped";

// `note`: how long it has been at it.
export function statusText(life: Life, status: Status, proposals: number, note = ""): string {
  if (life === "starting") return "$(sync~spin) bodkin: starting";
  if (life === "stopped") return "$(error) bodkin: not running";
  if (status.state === "waiting") return "$(bell-dot) bodkin: waiting for you";
  if (status.state !== "idle") return `$(sync~spin) bodkin: ${doing[status.state]}${note && `, ${note}`}`;
  const mode = status.mode && status.mode !== "confirm" ? ` (${status.mode})` : "";
  return proposals > 0 ? `$(diff) bodkin: ${count(proposals, "proposal")}${mode}` : `$(sparkle) bodkin${mode}`;
}

export function statusDetail(life: Life, status: Status): string {
  if (life !== "running") return life === "starting" ? "bodkin is starting." : "bodkin is not running.";
  const lines = ["**bodkin**"];
  if (status.state !== "idle" && status.message) lines.push(markdown(status.message));
  if (status.mode) lines.push(`Mode: ${modes[status.mode]}`);
  if (status.model) lines.push(`Model: ${markdown(status.model)}`);
  if (status.host) lines.push(`Your code is sent to ${markdown(status.host)}`);
  if (status.nextEdits) {
    const { input, output } = status.nextEditsUsage ?? { input: 0, output: 0 };
    const used = input + output > 0 ? `; ${input} tokens in, ${output} out` : "";
    lines.push(`Next edits: ${markdown(status.nextEdits)}${used}`);
  }
  const { input = 0, output = 0 } = status.usage ?? {};
  if (input + output > 0) lines.push(`${input} tokens in, ${output} out`);
  return lines.join("\n\n");
}
