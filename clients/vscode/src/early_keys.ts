// What is typed after the key that asks for a request and before the extension has heard of it: VS Code has no
// field that it would open by itself and hand over, so the key opens a list of its own first, and in that each
// letter is a key that says which one it is (package.json).
import * as vscode from "vscode";

let typed = "";

export function add(letter: unknown): void {
  if (typeof letter === "string") typed += letter;
}

// In their order; they are handed out once.
export function taken(): string {
  const all = typed;
  typed = "";
  return all;
}

// The field is there.
export const end = () => void vscode.commands.executeCommand("setContext", "bodkin.isOpening", false);
