import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Proposals, farewell, filesOf, summary } from "../src/proposals.ts";

const proposal = (id: string, ...uris: string[]) => ({
  proposalId: id,
  title: "",
  hunks: uris.map((uri, index) => ({ index, uri })),
});

test("the newest proposal is the one that commands mean", () => {
  const proposals = new Proposals();
  proposals.add(proposal("p1", "file:///a"));
  proposals.add(proposal("p2", "file:///a"));
  assert.equal(proposals.newest?.proposalId, "p2");
  proposals.add(proposal("p1", "file:///b"));
  assert.equal(proposals.newest?.proposalId, "p1");
  assert.deepEqual(filesOf(proposals.newest!), ["file:///b"]);
});

test("what was applied, discarded or became stale cannot be taken again, what was refused can", () => {
  const proposals = new Proposals();
  for (const state of ["applied", "discarded", "stale"] as const) {
    proposals.add(proposal("p", "file:///a"));
    proposals.change({ proposalId: "p", state });
    assert.equal(proposals.byId("p"), undefined, state);
  }
  for (const state of ["refused", "partly", "unknown", "applying"] as const) {
    proposals.add(proposal("p", "file:///a"));
    proposals.change({ proposalId: "p", state });
    assert.equal(proposals.byId("p")?.proposalId, "p", state);
  }
});

test("a proposal is summed up with its files counted once", () => {
  assert.equal(summary(proposal("p", "file:///a", "file:///a", "file:///b")), "bodkin: 3 changes in 2 files");
  assert.equal(summary({ ...proposal("p", "file:///a"), title: "return early" }), "bodkin: return early: 1 change in 1 file");
});

test("an ask that failed warns, an answer informs, a proposal speaks for itself", () => {
  assert.equal(farewell({ askId: "a", end: "proposal" }), undefined);
  assert.deepEqual(farewell({ askId: "a", end: "failed", message: "No model." }), { severity: "warning", text: "bodkin: No model." });
  assert.equal(farewell({ askId: "a", end: "answer", message: "Fine as it is." })?.severity, "info");
});

test("every setting has a type, a default and a description, and no workspace may set what receives code", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const settings: Record<string, { type?: string; default?: unknown; description?: string; scope?: string }> =
    manifest.contributes.configuration.properties;
  for (const [name, setting] of Object.entries(settings)) {
    assert.ok(setting.type && setting.description && setting.default !== undefined && setting.scope, name);
  }
  for (const name of ["server.path", "model.endpoint", "model.provider", "model.apiKeyEnv"]) {
    assert.equal(settings[`bodkin.${name}`].scope, "machine", name);
  }
});

test("the extension's own commands do not collide with the server's", async () => {
  const { commands } = await import("../src/extensions.ts");
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const own: string[] = manifest.contributes.commands.map((entry: { command: string }) => entry.command);
  for (const id of Object.values(commands)) assert.ok(!own.includes(id), id);
});
