// AskRecorder: writes one ask down while it runs, as a recording (recording.h). It is between the
// ask and all that it asks: the model, the user, the files, commands, MCP servers and checks.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "agent/loop/run.h"
#include "agent/platform/file_descriptor.h"
#include "lsp/sessions/ask_request.h"
#include "lsp/workspace/settings.h"

namespace bodkin {

// The request as `bodkin ask` takes it: {"prompt", "profile", "dialect", "format", "files":
// ["a.c:2-3"]}.
nlohmann::json json_of(const AskRequest& request);

class AskRecorder {
 public:
  // `ask`: as of json_of(); with the mode.
  AskRecorder(nlohmann::json ask, std::string root, const lsp::Settings& settings);
  ~AskRecorder();

  // The same context, whose members are recorded; it and what it refers to live as long as this.
  // `conversation`: as it is before the ask.
  AskContext around(const AskContext& context, const Conversation& conversation);
  // Error, for the user: it cannot be written, or would contain a secret.
  Result<void> write(const std::string& file, const Conversation& conversation,
                     const Outcome& outcome) const;

 private:
  class Files;
  class Answers;
  class Turns;
  class McpCalls;
  class Checks;
  class Verdicts;

  nlohmann::json recording_;
  const std::string root_;
  std::map<std::string, uint64_t, std::less<>> seen_before_;
  std::unique_ptr<Files> files_;
  std::unique_ptr<Answers> answers_;
  std::unique_ptr<Turns> turns_, second_;
  std::shared_ptr<McpCalls> mcp_;
  std::shared_ptr<Checks> checks_;
  std::unique_ptr<Verdicts> verdicts_;
  DraftModel draft_model_;
};

// Empties or creates the user's file, never through a link, and only if it is a recording. Error,
// for the user.
Result<FileDescriptor> open_recording(const std::string& file);

}  // namespace bodkin
