// What the editor's API has since VS Code 1.90, the oldest that the extension runs in, as far as it is used. Nothing
// checks these types: they are those of @types/vscode of the version that is named.
import * as vscode from "vscode";

// Language models that call tools. Since 1.95; undefined: the editor is older.
interface ToolModels {
  LanguageModelTextPart: new (value: string) => { value: string };
  LanguageModelToolCallPart: new (callId: string, name: string, input: object) => { callId: string; name: string; input: object };
  LanguageModelToolResultPart: new (callId: string, content: object[]) => object;
  LanguageModelChatMessage: Record<"User" | "Assistant", (content: string | object[]) => object>;
  lm: { selectChatModels(selector?: vscode.LanguageModelChatSelector): Thenable<ToolModel[]> };
}
type ToolModel = Omit<vscode.LanguageModelChat, "sendRequest"> & {
  sendRequest(messages: object[], options: { justification?: string; tools?: object[] }, token: vscode.CancellationToken): Thenable<{ stream: AsyncIterable<unknown> }>;
};
export const toolModels = "LanguageModelToolCallPart" in vscode ? (vscode as unknown as ToolModels) : undefined;

// Since 1.93; undefined: the editor is older.
export const onDidStartTerminalShellExecution = (vscode.window as { onDidStartTerminalShellExecution?: vscode.Event<unknown> }).onDidStartTerminalShellExecution;
