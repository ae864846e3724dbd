import assert from "node:assert/strict";
import { test } from "node:test";
import { changedSince } from "../src/versions.ts";

test("an edit is for the versions that it names: another one, or a document that was closed, is found", () => {
  const open = new Map([["file:///a.c", 3], ["file:///b.c", 0]]);
  const now = (uri: string) => open.get(uri);
  assert.equal(changedSince(undefined, now), undefined);
  assert.equal(changedSince({}, now), undefined);
  assert.equal(changedSince({ "file:///a.c": 3, "file:///b.c": 0 }, now), undefined);
  assert.equal(changedSince({ "file:///a.c": 3, "file:///b.c": 1 }, now), "file:///b.c");
  assert.equal(changedSince({ "file:///a.c": 2 }, now), "file:///a.c");
  assert.equal(changedSince({ "file:///gone.c": 1 }, now), "file:///gone.c");
});
