// A diff that replaces all of a file: it fits at one place only. Pure.

const kNoEnd = "\\ No newline at end of file";

function linesOf(sign: "-" | "+", text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const ends = lines.at(-1) === "";
  if (ends) lines.pop();
  return [...lines.map((line) => sign + line), ...(ends ? [] : [kNoEnd])];
}

const size = (lines: string[]) => lines.filter((line) => line !== kNoEnd).length;

// `old`: undefined for a file that is new; `made`: undefined for one that is deleted. Empty if nothing changes.
export function wholeDiff(path: string, old: string | undefined, made: string | undefined): string {
  if (old === made) return "";
  const [before, after] = [old, made].map((text) => text?.replaceAll("\r\n", "\n"));
  const removed = linesOf("-", before ?? "");
  const added = linesOf("+", after ?? "");
  const at = (lines: string[]) => `${lines.length > 0 ? 1 : 0},${size(lines)}`;
  const head = [old === undefined ? "--- /dev/null" : `--- a/${path}`, made === undefined ? "+++ /dev/null" : `+++ b/${path}`];
  return [...head, `@@ -${at(removed)} +${at(added)} @@`, ...removed, ...added, ""].join("\n");
}
