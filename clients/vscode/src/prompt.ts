// The field in which a request is typed. Below it is what an @ or a / at the beginning can become; <Enter> sends the
// request unless one of these was chosen or its word is not complete, <Tab> takes one, <Shift+Enter> begins another line, <Up> brings earlier requests back.
// It is for what is not about a file's lines, and for where prompt_here.ts cannot be shown.
import * as vscode from "vscode";
import { afterKey, earlier, entries, type Entry, inField, inText, isIncomplete } from "./completion.ts";
import * as early from "./early_keys.ts";
import type { Completions } from "./extensions.ts";
import { plain } from "./plain.ts";

export interface Prompt {
  title: string;
  placeHolder: string;
  earlier: readonly string[]; // requests, newest first
  complete(text: string): Promise<Completions | undefined>;
  keep(text: string): void; // what was typed and not sent
}

// What a key does that the field does not know: to an older request (1), a newer one (-1), another line (0), the completion that is
// marked, or else the first.
type Key = 1 | -1 | 0 | "complete";
let press: ((key: Key) => void) | undefined;
export const pressed = (key: Key) => press?.(key);
export const isTyping = () => press !== undefined;

const context = (name: string, value: boolean) => void vscode.commands.executeCommand("setContext", `bodkin.${name}`, value);

// The request, or nothing if it was closed. `begun`: what is in it already.
export function askForRequest({ title, placeHolder, earlier: before, complete, keep }: Prompt, begun = ""): Promise<string | undefined> {
  const field = vscode.window.createQuickPick<Entry>();
  field.title = plain(`bodkin: ${title}`);
  field.placeholder = placeHolder;
  field.ignoreFocusOut = true;
  // Not yet in the API, but in every version: otherwise the list is sorted by its labels.
  (field as unknown as { sortByLabel: boolean }).sortByLabel = false;
  const show = (text: string, completions: Completions) => {
    // <Down> goes through what was asked before, as long as nothing is typed.
    field.items = text ? entries(text, completions) : earlier(before);
    const at = isIncomplete(text, completions) ? 1 : 0;
    field.activeItems = text ? field.items.slice(at, at + 1) : [];
    context("canComplete", text !== "" && completions.items.length > 0);
  };
  const look = async (text: string) => {
    show(text, { start: 0, items: [] });
    const completions = await complete(text).catch(() => undefined);
    if (completions && field.value === text) show(text, completions);
  };
  let at = -1; // which earlier one is shown
  let isSent = false;
  const turn = (text: string, position: number) => {
    at = position;
    context("hasRecalled", at >= 0);
    context("canRecall", text === "" || at >= 0);
    void look(text);
  };
  return new Promise((resolve) => {
    field.onDidChangeValue((text) => turn(text, at >= 0 && text === inField(before[at]) ? at : -1));
    const take = (entry: Entry) => {
      field.value = entry.text;
      void look(entry.text);
    };
    press = (key) => {
      if (key === "complete") {
        const [marked] = field.activeItems;
        const entry = marked && !marked.isRequest ? marked : field.items.find(({ isRequest }) => !isRequest);
        if (entry && entry.typed === field.value) take(entry);
        return;
      }
      const next = afterKey(key, field.value, at, before);
      field.value = next.text;
      turn(next.text, next.at);
    };
    context("isAsking", true);
    field.onDidAccept(() => {
      const chosen = field.activeItems[0];
      // The list may be behind what was typed in a hurry.
      if (chosen && !chosen.isRequest && chosen.typed === field.value) {
        take(chosen);
        return;
      }
      if (!field.value.trim()) return;
      isSent = true;
      resolve(inText(field.value));
      field.hide();
    });
    field.onDidHide(() => {
      press = undefined;
      for (const name of ["isAsking", "canRecall", "hasRecalled", "canComplete"]) context(name, false);
      if (!isSent && field.value.trim() && at < 0) keep(inText(field.value));
      resolve(undefined);
      field.dispose();
    });
    field.value = inField(begun + early.taken()) ?? "";
    turn(field.value, -1);
    field.show();
    early.end();
  });
}
