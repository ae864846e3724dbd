// The editor's own models (vscode.lm), asked on the server's behalf: no key leaves the editor.
import * as vscode from "vscode";
import type { ModelAnswer, ModelBlock, ModelRequest } from "./extensions.ts";
import { toolModels } from "./newer_api.ts";

export const kNoModel =
  "no model yet. Start a model server on this machine (Ollama, LM Studio, …) and choose it, set a provider's API key, or copy the prompt into any chat.";

// None in an editor whose models cannot call tools yet.
export async function chosen(selector?: vscode.LanguageModelChatSelector) {
  return toolModels ? toolModels.lm.selectChatModels(selector) : [];
}

export async function listed() {
  const models = await chosen();
  return {
    models: models.map(({ id, name, vendor, family, maxInputTokens }) => ({ id, name, vendor, family, maxInputTokens })),
  };
}

type Api = NonNullable<typeof toolModels>;

function part(api: Api, block: ModelBlock) {
  switch (block.type) {
    case "text":
      return new api.LanguageModelTextPart(block.text);
    case "tool_call":
      return new api.LanguageModelToolCallPart(block.id, block.name, block.arguments);
    case "tool_result":
      return new api.LanguageModelToolResultPart(block.id, [new api.LanguageModelTextPart(block.content)]);
    case "image":
      return new api.LanguageModelTextPart("(An image that cannot be shown to this model.)");
  }
}

function messagesOf(api: Api, request: ModelRequest) {
  const message = api.LanguageModelChatMessage;
  const messages = request.messages.map(({ role, content }) => {
    const parts = content.map((block) => part(api, block));
    return role === "assistant" ? message.Assistant(parts) : message.User(parts);
  });
  // There is no role for instructions.
  if (request.system) messages.unshift(message.User(request.system));
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
  const models = await chosen(request.modelId ? { id: request.modelId } : {});
  if (!toolModels || models.length === 0) {
    const named = `VS Code has no model "${request.modelId}"; choose another one with "bodkin: Choose Model…".`;
    return { error: { kind: "not_found", message: request.modelId ? named : kNoModel[0].toUpperCase() + kNoModel.slice(1) } };
  }
  try {
    const response = await models[0].sendRequest(
      messagesOf(toolModels, request),
      {
        justification: "bodkin asks the model to edit the code you selected.",
        tools: request.tools?.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      },
      token,
    );
    let text = "";
    const toolCalls: NonNullable<ModelAnswer["toolCalls"]> = [];
    for await (const piece of response.stream) {
      if (piece instanceof toolModels.LanguageModelTextPart) {
        text += piece.value;
        delta(piece.value);
      } else if (piece instanceof toolModels.LanguageModelToolCallPart) {
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
