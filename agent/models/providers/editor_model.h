// EditorModels: the editor's own models (vscode.lm and the like) and the keys in its secret store,
// requested from the client. lsp/ implements it; here its JSON is translated to Model.
//
// The messages (server to client, only if the client announced the flag;
// lsp/protocol/extensions.h):
//   bodkin/models/list
//     {} -> {"models":[{"id","name","vendor","family","maxInputTokens","tools"?}]}
//   bodkin/models/request
//     {"modelId": "" for the client's choice, "system", "messages":[{"role","content":[BLOCK]}],
//      "tools":[{"name","description","inputSchema"}], "maxTokens"?, "partialResultToken"}
//     -> {"text"?, "toolCalls"?:[{"id","name","arguments"}], "stopReason"?,
//         "usage"?:{"input","output"}}
//      | {"error":{"kind","message"}}
//     BLOCK: {"type":"text","text"} | {"type":"tool_call","id","name","arguments"}
//          | {"type":"tool_result","id","name","content","isError"}
//          | {"type":"image","mimeType","data"}
//     Before the answer, as often as needed: $/progress
//     {"token","value":{"kind":"text"|"thought","text"}}. Cancelled with $/cancelRequest.
//   bodkin/secret
//     {"name":"anthropic"} -> {"value":string|null}
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/models/model.h"

namespace bodkin {

struct EditorModelFacts {
  std::string id, name;
  std::optional<int64_t> max_input_tokens;
  bool has_tools = true;
};

class EditorModels {
 public:
  using OnProgress = std::function<void(const nlohmann::json& value)>;

  virtual ~EditorModels() = default;
  virtual bool has_models() const = 0;   // the client announced `models`
  virtual bool has_secrets() const = 0;  // the client announced `secrets`
  // Sends one request and waits for its answer; any thread but the loop's. `progress` is called on
  // the caller's thread. A stop cancels the client's request and returns `cancelled` at once.
  virtual Result<nlohmann::json> request(const char* method, nlohmann::json params,
                                         const OnProgress& progress, const Task& task) = 0;
};

inline constexpr char kEditorModelsList[] = "bodkin/models/list";
inline constexpr char kEditorModelsRequest[] = "bodkin/models/request";
inline constexpr char kEditorSecret[] = "bodkin/secret";

// The models that the editor offers; empty if none, or if it did not answer within five seconds.
std::vector<EditorModelFacts> list_editor_models(EditorModels& editor, const Task& task);

// The key that the user keeps in the editor's secret store under a provider's name, or empty.
std::string secret_of(EditorModels& editor, const std::string& provider, const Task& task);

// `editor` outlives the Model. An empty name: the client's choice.
std::unique_ptr<Model> make_editor_model(EditorModels& editor, EditorModelFacts model);

// The two translations, for tests.
nlohmann::json editor_params(const std::string& model_id, const ModelRequest& request);
std::expected<ModelReply, ModelError> editor_reply(const nlohmann::json& answer,
                                                   const std::string& streamed_text,
                                                   const std::string& streamed_thought);

}  // namespace bodkin
