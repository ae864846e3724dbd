// The field in which a request is typed. Below it is what an @ or a / at the beginning can become; <Enter> sends the
// request unless one of these was chosen.
import * as vscode from "vscode";
import { earlier, entries, type Entry } from "./completion.ts";
import type { Completions } from "./extensions.ts";
import { plain } from "./plain.ts";

export interface Prompt {
  title: string;
  placeHolder: string;
  earlier: readonly string[]; // requests, newest first
  complete(text: string): Promise<Completions | undefined>;
}

// The request, or nothing if it was closed.
export function askForRequest({ title, placeHolder, earlier: before, complete }: Prompt): Promise<string | undefined> {
  const field = vscode.window.createQuickPick<Entry>();
  field.title = plain(`bodkin: ${title}`);
  field.placeholder = placeHolder;
  field.ignoreFocusOut = true;
  // Not yet in the API, but in every version: otherwise the list is sorted by its labels.
  (field as unknown as { sortByLabel: boolean }).sortByLabel = false;
  const show = (text: string, completions: Completions) => {
    // <Down> goes through what was asked before, as long as nothing is typed.
    field.items = text ? entries(text, completions) : earlier(before);
    field.activeItems = text ? field.items.slice(0, 1) : [];
  };
  const look = async (text: string) => {
    show(text, { start: 0, items: [] });
    const completions = await complete(text).catch(() => undefined);
    if (completions && field.value === text) show(text, completions);
  };
  return new Promise((resolve) => {
    field.onDidChangeValue(look);
    field.onDidAccept(() => {
      const chosen = field.activeItems[0];
      // The list may be behind what was typed in a hurry.
      if (chosen && !chosen.isRequest && chosen.typed === field.value) {
        field.value = chosen.text;
        void look(chosen.text);
        return;
      }
      if (!field.value.trim()) return;
      resolve(field.value);
      field.hide();
    });
    field.onDidHide(() => {
      resolve(undefined);
      field.dispose();
    });
    void look("");
    field.show();
  });
}
