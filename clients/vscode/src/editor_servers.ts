// What this editor has to check edits with where no language server is installed: its own TypeScript.
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

// For the server's initializationOptions: by the server's name in its table.
export function editorServers(extension: string): object {
  const library = join(vscode.env.appRoot, "extensions/node_modules/typescript/lib/tsserver.js");
  if (!existsSync(library)) return {};
  // The program that runs this is not only Node everywhere.
  const node = process.versions.electron ? ["env", "ELECTRON_RUN_AS_NODE=1", process.execPath] : [process.execPath];
  const command = [...node, join(extension, "out/script_server.js"), "--stdio"];
  return { "typescript-language-server": { name: "TypeScript", command, tsserver: library } };
}
