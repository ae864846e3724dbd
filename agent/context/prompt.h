// The prompt: what the model sees of the selected code, the project and the request.
#pragma once

#include <cstddef>
#include <set>
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
  std::string text;                  // the user message
  std::vector<ShownFile> shown;      // files that it shows, in part or whole
  std::vector<std::string> folders;  // that the request mentions
  std::set<std::string> shortened;   // files of which less is shown than usual, for lack of room
};

// The paths of the files that the ask is about: its attachments and its selection's.
std::vector<std::string> paths_of(const Ask& ask);
// These, those of the files that the prompt shows, and the mentioned folders with a '/': the
// folders whose guidance counts.
std::vector<std::string> paths_of(const Ask& ask, const Prompt& prompt);

// How much of the workspace the model is shown before it asks.
enum class Shown {
  given,    // what the user names by its place: the selection, attachments and mentions
  related,  // also what seems to matter for the request, which the user has not seen
};

// The variables of a profile's templates: the environment, the project's guidance
// (agent/context/guidance.h) and, if the workspace is indexed and related text is shown, a map of
// the declarations that matter for the ask's files. `room`: bytes for the map, at most.
TemplateVariables template_variables(const Ask& ask, std::string guidance, Workspace& workspace,
                                     Shown shown, const std::string& model_name, size_t room,
                                     const Task& task);

// The request with its context: the selection, the exact function or class around it, an outline of
// the rest, the diagnostics, the attachments, the files and declarations that it mentions as @path
// and @name (agent/context/mentions.h) and, if related text is shown, those that it names in its
// own words (agent/context/named.h), and declarations of the names that are used. `workspace`: the
// draft or the guarded workspace, redacted. Error: when the selected file cannot be read (private,
// not text), for the user. `whole_file`: all of the selected file is shown, for a model that must
// write all of it. `room`: about how many bytes of the workspace may be shown; what the user typed
// is always whole.
Result<Prompt> user_prompt(const Ask& ask, Workspace& workspace, Shown shown, bool whole_file,
                           size_t room, const Task& task);

// The workspace folders, worded for the model.
std::string words_of(const Roots& roots);

// A few words for a proposal's title, from the request's first line.
std::string title_of(const Ask& ask);

}  // namespace bodkin
