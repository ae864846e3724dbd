// What is said in passing: the workbench's messages, and words in its status bar. Of a message without a button only one line is shown, and
// who does not open it misses the rest: a longer one has a button, with which the workbench shows all of it.
import * as vscode from "vscode";
import { fitted } from "./lengths.ts";
import { plain } from "./plain.ts";

const kLine = 56; // characters of a message that one line shows
const kBar = 64; // characters: more pushes what others show out of the status bar
const kShown = 8000; // milliseconds

type Say = (text: string, ...buttons: string[]) => Thenable<string | undefined>;
const saying =
  (show: (text: string, ...buttons: string[]) => Thenable<string | undefined>): Say =>
  (text, ...buttons) => {
    const words = plain(text);
    return show(words, ...(buttons.length === 0 && words.length > kLine ? ["OK"] : buttons));
  };

// Each returns the button that was pressed.
export const inform = saying(vscode.window.showInformationMessage);
export const warn = saying(vscode.window.showWarningMessage);
export const alarm = saying(vscode.window.showErrorMessage);

export function inBar(text: string): void {
  vscode.window.setStatusBarMessage(fitted(plain(text), kBar), kShown);
}
