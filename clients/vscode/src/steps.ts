// What the log shows of a finished step. Pure.
import type { Step } from "./extensions.ts";

// Its line, or nothing for a step that needs none: it changed nothing, worked, and was quick.
export function stepLine(step: Step, text: string): string | undefined {
  return step.failed || step.files.length > 0 || step.ms >= 1000 ? `  ${text}` : undefined;
}
