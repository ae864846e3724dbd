import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { buildSync } from "esbuild";

// edited.ts with a workbench that is played: what it shows in front, and whether a save succeeds.
function played(isSaved: boolean) {
  const said: string[] = [];
  const sent: unknown[] = [];
  let files: { writeFile(uri: unknown, text: Uint8Array): void } | undefined;
  const uri = (text: string) => ({ toString: () => text, with: () => uri("bodkin-edit:/a.c?p1") });
  const document = {
    uri: uri("bodkin-edit:/a.c?p1"),
    isDirty: true,
    save: async () => {
      if (isSaved) files?.writeFile(document.uri, new TextEncoder().encode("typed\n"));
      document.isDirty = !isSaved;
      return isSaved;
    },
  };
  const nothing = { dispose: () => {} };
  const vscode = {
    Uri: { parse: uri },
    EventEmitter: class {},
    Disposable: { from: () => nothing },
    commands: { executeCommand: async () => undefined },
    window: {
      activeTextEditor: { document },
      showInformationMessage: async (text: string) => void said.push(text),
      tabGroups: { all: [], close: async () => true },
    },
    workspace: {
      textDocuments: [],
      asRelativePath: () => "a.c",
      openTextDocument: async () => ({ getText: () => "old\n" }),
      onWillSaveTextDocument: () => nothing,
      onDidSaveTextDocument: () => nothing,
      registerFileSystemProvider: (_: string, provider: typeof files) => {
        files = provider;
        return nothing;
      },
    },
  };
  const entry = fileURLToPath(new URL("../src/edited.ts", import.meta.url));
  const built = buildSync({ entryPoints: [entry], bundle: true, platform: "node", format: "cjs", external: ["vscode"], write: false });
  const module = { exports: {} as typeof import("../src/edited.ts") };
  new Function("module", "exports", "require", built.outputFiles[0]!.text)(module, module.exports, () => vscode);
  const run = async (_: string, argument: unknown) => void sent.push(argument);
  const texts = new module.exports.EditedTexts(run as never, async () => "proposed\n");
  return { texts, said, sent };
}

const hunk = { index: 0, uri: "file:///a.c", range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } }, newText: "proposed\n" };

test("a text that could not be saved is not proposed as it was before", async () => {
  for (const isSaved of [false, true]) {
    const { texts, said, sent } = played(isSaved);
    await texts.begin({ proposalId: "p1", title: "", hunks: [hunk] }, "file:///a.c");
    await texts.proposeActive();
    assert.equal(sent.length, isSaved ? 1 : 0);
    if (isSaved) assert.match(JSON.stringify(sent), /\+typed/);
    else assert.match(said.join(), /could not be saved/);
  }
});
