// The prompt: what the model is shown of the selected code, the project and the request.
#pragma once

#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/context/profile.h"

namespace bodkin {

struct ShownFile {
  std::string path;
  Text text;
};

struct Prompt {
  std::string text;              // the user message
  std::vector<ShownFile> shown;  // files that it shows, in part or whole
};

// What the templates of a profile may use: the environment, the project's AGENTS.md and, if the
// workspace is indexed, a map of the declarations that matter for the ask's files.
TemplateVariables template_variables(const Ask& ask, Workspace& workspace,
                                     const std::string& model_name, const Task& task);

// The request with its context: the selection, the exact function or class around it, an outline of
// the rest, the diagnostics, the attachments, the files and declarations that it mentions as @path
// and @name, and declarations of the names that are used. `workspace`: the draft or the guarded
// workspace, redacted. Error: when the selected file cannot be read (private, not text), for the
// user.
Result<Prompt> user_prompt(const Ask& ask, Workspace& workspace, const Task& task);

// The workspace folders, worded for the model.
std::string words_of(const Roots& roots);

// A few words for a proposal's title, from the request's first line.
std::string title_of(const Ask& ask);

}  // namespace bodkin
