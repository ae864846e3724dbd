// Whether a program is there to be started, and how one has ended.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

// Why a program cannot be started, if that is already known. Without a folder in its name it is looked for on PATH.
export function whyNotStartable(program: string, path = process.env.PATH ?? ""): string | undefined {
  const isName = !program.includes("/") && !program.includes("\\");
  const places = isName ? path.split(delimiter).filter(isAbsolute).map((folder) => join(folder, program)) : [program];
  if (process.platform === "win32") places.push(...places.map((place) => `${place}.exe`));
  let found = "";
  for (const place of places) {
    try {
      if (!statSync(place).isFile()) continue;
      found ||= place;
      accessSync(place, constants.X_OK);
      return undefined;
    } catch {}
  }
  if (found) return `"${found}" cannot be run: it is not executable.`;
  return isName ? `program "${program}" not found on PATH.` : `program "${program}" not found.`;
}

const kMaxTold = 4000; // characters

// What a program has said on its standard error, for the sentence on its end.
export class Told {
  private text = "";

  add(piece: string): void {
    this.text = (this.text + piece).slice(-kMaxTold);
  }

  // 'ended with 64: unknown option --stdio'
  ending(code: number | null, signal: string | null): string {
    const last = this.text.trim().split("\n").at(-1)?.trim() ?? "";
    const how = signal ? `was ended by ${signal}` : `exited immediately with ${code ?? "no code"}`;
    return last ? `${how}: ${last.replace(/\.$/, "")}` : how;
  }
}
