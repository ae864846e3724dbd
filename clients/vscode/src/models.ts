// The editor's own models (vscode.lm), asked on the server's behalf: no key leaves the editor.
import * as vscode from "vscode";
import type { ModelAnswer, ModelBlock, ModelRequest } from "./extensions.ts";

export const kNoModel =
  "no model yet. Start a model server on this machine (Ollama, LM Studio, …) and choose it, set a provider's API key, or copy the prompt into any chat.";

export async function listed() {
  const models = await vscode.lm.selectChatModels();
  return {
    models: models.map(({ id, name, vendor, family, maxInputTokens }) => ({ id, name, vendor, family, maxInputTokens })),
  };
}

function part(block: ModelBlock) {
  switch (block.type) {
    case "text":
      return new vscode.LanguageModelTextPart(block.text);
    case "tool_call":
      return new vscode.LanguageModelToolCallPart(block.id, block.name, block.arguments);
    case "tool_result":
      return new vscode.LanguageModelToolResultPart(block.id, [new vscode.LanguageModelTextPart(block.content)]);
    case "image":
      return new vscode.LanguageModelTextPart("(An image that cannot be shown to this model.)");
  }
}

function messagesOf(request: ModelRequest): vscode.LanguageModelChatMessage[] {
  const messages = request.messages.map(({ role, content }) => {
    const parts = content.map(part);
    return role === "assistant"
      ? vscode.LanguageModelChatMessage.Assistant(parts as (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[])
      : vscode.LanguageModelChatMessage.User(parts as (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[]);
  });
  // There is no role for instructions.
  if (request.system) messages.unshift(vscode.LanguageModelChatMessage.User(request.system));
  return messages;
}

const kinds: Record<string, string> = { NoPermissions: "permission", NotFound: "not_found", Blocked: "quota" };

// `delta` is called with the text as it comes. A failure of the model is an answer, too; the one
// exception is cancelling, which throws.
export async function answered(
  request: ModelRequest,
  delta: (text: string) => void,
  token: vscode.CancellationToken,
): Promise<ModelAnswer> {
  const models = await vscode.lm.selectChatModels(request.modelId ? { id: request.modelId } : {});
  if (models.length === 0) {
    const named = `VS Code has no model "${request.modelId}"; choose another one with "bodkin: Choose Model…".`;
    return { error: { kind: "not_found", message: request.modelId ? named : kNoModel[0].toUpperCase() + kNoModel.slice(1) } };
  }
  try {
    const response = await models[0].sendRequest(
      messagesOf(request),
      {
        justification: "bodkin asks the model to edit the code you selected.",
        tools: request.tools?.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      },
      token,
    );
    let text = "";
    const toolCalls: NonNullable<ModelAnswer["toolCalls"]> = [];
    for await (const piece of response.stream) {
      if (piece instanceof vscode.LanguageModelTextPart) {
        text += piece.value;
        delta(piece.value);
      } else if (piece instanceof vscode.LanguageModelToolCallPart) {
        toolCalls.push({ id: piece.callId, name: piece.name, arguments: piece.input });
      }
    }
    return { text, toolCalls, stopReason: toolCalls.length > 0 ? "tool_use" : "end_turn" };
  } catch (error) {
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    const code = error instanceof vscode.LanguageModelError ? error.code : "";
    return { error: { kind: kinds[code] ?? "server", message: (error as Error).message } };
  }
}
