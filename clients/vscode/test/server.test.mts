import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { whyNotStartable } from "../src/program.ts";

test("a program that cannot be started is told from one that can, with the reason", () => {
  const folder = mkdtempSync(join(tmpdir(), "bodkin-program-"));
  try {
    const program = join(folder, "bodkin");
    assert.equal(whyNotStartable(program), `program "${program}" not found.`);
    assert.equal(whyNotStartable("bodkin", `${folder}:relative`), 'program "bodkin" not found on PATH.');
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o644);
    if (process.getuid?.() !== undefined) assert.equal(whyNotStartable(program), `"${program}" cannot be run: it is not executable.`);
    chmodSync(program, 0o755);
    assert.equal(whyNotStartable(program), undefined);
    assert.equal(whyNotStartable("bodkin", folder), undefined);
    assert.equal(whyNotStartable(folder), `program "${folder}" not found.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
