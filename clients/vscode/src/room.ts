// How many characters of a line are seen in an editor. VS Code tells no extension, but the page of the
// Conversation knows the window's width and its own.
import * as vscode from "vscode";
import { kMaxGhost } from "./drawing.ts";

// px of the window that are neither the side bar's nor for text: activity bar, line numbers, scroll bar, a margin
const kBeside = 200;
const kLeast = 24;
const kMinimap = 100; // px

let free: number | undefined; // px of the window beside the side bar
const changed = new vscode.EventEmitter<void>();
export const onDidChangeRoom = changed.event;

export function widthTold({ window, page }: { window: number; page: number }): void {
  if (free === window - page) return;
  free = window - page;
  changed.fire();
}

// Of one of the editors that are side by side; not more than is drawn beside a line.
export function roomHere(): number {
  if (!free) return kMaxGhost;
  const inColumns = vscode.window.visibleTextEditors.map(({ viewColumn }) => viewColumn).filter(Boolean);
  const columns = new Set(inColumns).size || 1;
  const size = vscode.workspace.getConfiguration("editor").get<number>("fontSize", 14);
  const minimap = vscode.workspace.getConfiguration("editor").get("minimap.enabled", true) ? kMinimap : 0;
  const characters = Math.floor(((free - kBeside) / columns - minimap) / (0.6 * size));
  return Math.max(kLeast, Math.min(kMaxGhost, characters));
}
