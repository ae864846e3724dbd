// A world for the agent without network, disk and editor: a model that says what the test wrote
// down, a workspace in memory, an editor that reports what it is given.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/loop/run.h"
#include "grammars/symbol_index.h"

namespace bodkin {

inline ModelReply says(std::string text, StopReason stop = StopReason::end_turn) {
  return {{Message::Role::assistant, {TextBlock{std::move(text)}}}, stop, {100, 0, 0, 10, 0}, {}};
}

inline ModelReply calls(std::vector<std::pair<std::string, nlohmann::json>> wanted) {
  ModelReply reply{{Message::Role::assistant, {}}, StopReason::tool_use, {100, 0, 0, 10, 0}, {}};
  int number = 0;
  for (auto& [name, arguments] : wanted) {
    reply.message.blocks.push_back(
        ToolCall{"call" + std::to_string(++number), name, std::move(arguments), nullptr, ""});
  }
  return reply;
}

class ScriptedModel : public Model {
 public:
  ScriptedModel(bool tools, std::vector<ModelReply> replies)
      : tools_(tools), replies_(std::move(replies)) {}

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    requests.push_back(request);
    if (before_reply) before_reply();
    if (task.stop.stop_requested()) return std::unexpected(ModelError{"cancelled", "stopped", 0});
    if (requests.size() > replies_.size()) {
      return std::unexpected(ModelError{"protocol", "the script has no more replies", 0});
    }
    return replies_[requests.size() - 1];
  }
  std::string description() const override { return "a script"; }
  bool has_tools() const override { return tools_; }

  std::vector<ModelRequest> requests;
  std::function<void()> before_reply;

 private:
  bool tools_;
  std::vector<ModelReply> replies_;
};

// All text of a message, tool results too.
inline std::string words(const Message& message) {
  std::string text;
  for (const Block& block : message.blocks) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
    if (const auto* result = std::get_if<ToolResult>(&block)) text += result->content;
  }
  return text;
}

class MemoryWorkspace : public Workspace {
 public:
  explicit MemoryWorkspace(std::map<std::string, std::string, std::less<>> files)
      : files(std::move(files)) {}

  Result<Snapshot> read(std::string_view path, const Task&) override {
    const auto file = files.find(path);
    if (file == files.end()) return fail(Error::Code::not_found, std::string(path) + "?");
    return Snapshot{file->first, 1, Text(file->second)};
  }
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task&) override {
    std::vector<std::string> paths;
    for (const auto& [path, text] : files) {
      const bool below = folder.empty() || path.starts_with(std::string(folder) + "/");
      if (below && paths.size() < limit) paths.push_back(path);
    }
    return paths;
  }
  Roots roots(const Task&) override { return folders; }
  std::vector<std::string> open_paths(const Task&) override { return open; }

  std::shared_ptr<const SymbolIndex> symbols(const Task&) override { return index; }
  // Makes the index of all files, as they are now.
  void make_index() {
    auto made = std::make_shared<SymbolIndex>();
    for (const auto& [path, text] : files) {
      const Language* language = language_of(path);
      if (!language) continue;
      const auto tree = SyntaxTree::parse(*language, Text(text));
      if (tree) made->set(path, std::make_shared<FileSymbols>(symbols_of(*tree, outline(*tree))));
    }
    made->set_complete(true);
    index = std::move(made);
  }

  std::map<std::string, std::string, std::less<>> files;
  Roots folders;
  std::vector<std::string> open;
  std::shared_ptr<SymbolIndex> index;
};

}  // namespace bodkin
