// A recording: one ask as a file that `bodkin replay` plays again: the request, the files as the
// model saw them, and what it answered, in the form of agent/models/replay.h; without secrets.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "agent/models/model.h"
#include "agent/support/file_descriptor.h"
#include "agent/workspace/workspace.h"
#include "lsp/sessions/ask_request.h"

namespace bodkin {

// Notes the first text of each file that is read.
class RecordedWorkspace : public LayeredWorkspace {
 public:
  using LayeredWorkspace::LayeredWorkspace;

  Result<Snapshot> read(std::string_view path, const Task& task) override;

  nlohmann::json files() const;  // path -> text

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

// Notes what another model answers, which outlives this.
class RecordedModel : public Model {
 public:
  explicit RecordedModel(Model& model) : model_(model) {}

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override;
  std::string description() const override { return model_.description(); }
  bool has_tools() const override { return model_.has_tools(); }
  void rest() override { model_.rest(); }
  ModelFacts facts() const override { return model_.facts(); }

  const nlohmann::json& turns() const { return turns_; }

 private:
  Model& model_;
  nlohmann::json turns_ = nlohmann::json::array();
};

// The request as `bodkin ask` takes it: {"prompt", "profile", "format", "files":
// ["a.c:2-3"]}.
nlohmann::json json_of(const AskRequest& request);

// Empties or creates the user's file, never through a link. Error, for the user.
Result<FileDescriptor> open_recording(const std::string& file);
// Error, for the user: it cannot be written, or would contain a secret.
Result<void> write_recording(const std::string& file, const nlohmann::json& ask,
                             const RecordedWorkspace& workspace, const RecordedModel& model);

}  // namespace bodkin
