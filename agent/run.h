// run: one ask, from the person's words to a draft. Reason, act, observe (agent.md, "Loop").
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/draft.h"
#include "agent/model.h"
#include "agent/workspace.h"

namespace bodkin {

struct Selection {
  std::string path;
  LineRange lines;
};

// What the person wants. For a repair turn the conversation goes on with `prompt` alone.
struct Ask {
  std::string prompt;
  std::optional<Selection> selection;
  std::vector<Diagnostic> diagnostics;  // of selection->path, to be mended
  std::vector<std::string> attachments;  // further paths to show
  std::string profile = "auto";  // auto: tools if the model has them, else blocks
};

struct Limits {
  int max_turns = 25;    // requests to the model in one ask; 0: none
  int max_repairs = 2;   // turns in which the model mends its own draft
};

// A session: what was said so far. Owned by the caller; one ask at a time.
struct Conversation {
  std::string system;
  std::vector<Message> messages;
  Usage usage;
};

struct Outcome {
  enum class End { done, limit, cancelled, failed };
  End end = End::failed;
  std::string answer;   // the model's last words to the person, edit blocks taken out
  std::string reason;   // one sentence for the person, unless done
  std::vector<DraftFile> files;  // what the draft changes; also kept when the ask did not end well
  std::string title;    // of the proposal: a few words from the ask
  int turns = 0;
};

// Blocks. Never throws. `editor` may be null (command line).
Outcome run(Conversation& conversation, const Ask& ask, Model& model, Workspace& workspace,
            Editor* editor, const Limits& limits, const Task& task);

// The prompt that run() would send first, as one text for any chat (bodkin.copyPrompt).
Result<std::string> prompt_for(const Ask& ask, Workspace& workspace, const Task& task);

}  // namespace bodkin
