// The stream of asks as readable lines of the log: whole lines of text, not one line for each piece that came. Pure.
import type { Streamed } from "./extensions.ts";
import { stepLine } from "./steps.ts";

export class LogLines {
  private readonly open = new Map<string, { kind: string; text: string }>();
  private readonly add: (line: string) => void;

  constructor(add: (line: string) => void) {
    this.add = add;
  }

  streamed({ askId, kind, text, step }: Streamed): void {
    if (kind === "plan") return; // all of it came as text, too
    if (kind === "tool") {
      this.end(askId);
      const line = step ? stepLine(step, text) : text;
      if (line) this.add(`${askId}: ${line}`);
      return;
    }
    if (this.open.get(askId)?.kind !== kind) this.end(askId);
    const lines = ((this.open.get(askId)?.text ?? "") + text).split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) this.line(askId, kind, line);
    this.open.set(askId, { kind, text: rest });
  }

  // What is left of a line.
  end(askId: string): void {
    const left = this.open.get(askId);
    this.open.delete(askId);
    if (left?.text) this.line(askId, left.kind, left.text);
  }

  private line(askId: string, kind: string, line: string): void {
    this.add(`${askId} ${kind === "thought" ? "(thought) " : ""}| ${line}`);
  }
}
