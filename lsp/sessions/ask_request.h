// AskRequest: the user's request, through any front end, in terms of the workspace: paths and
// lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/ask/ask.h"

namespace bodkin {

struct AskRequest {
  std::string prompt;                                 // may be empty for a fix
  std::string profile, dialect, edit_format, effort;  // see Ask; empty: not said
  struct File {
    std::string path;
    std::string on_disk;  // its absolute path; empty: it is a buffer, or on another machine
  };
  std::vector<File> attachments;
  struct Proposal {
    std::string title;
    std::vector<ChangedFile> draft;
  };
  std::optional<Proposal> refined;  // then the members below are ignored
  std::optional<Selection> selection;
  std::optional<std::vector<Diagnostic>> to_fix;  // in the selection's file
  std::vector<Diagnostic> problems;               // to be shown, in the selection's file
  bool wants_problems = false;                    // see Ask
  bool is_own_prompt = false;  // the prompt is one of the user's own, which may say "$file"
};

// Carries out a slash command at the beginning of the prompt: it sets the prompt and the profile.
// `own_prompts`: the user's folder of them (agent/context/own_prompts.h), or empty. True: it asks
// for a fix.
bool take_slash_command(AskRequest& request, const std::string& own_prompts);
bool mentions_diagnostics(const std::string& prompt);
// The same through a front end whose editor reports no problems: a fix, or a mention of
// "@diagnostics", makes language servers report them.
void take_slash_command_without_reports(AskRequest& request, const std::string& own_prompts);

// Errors, for the user: not_found (no such profile, also of the user's own ones; nothing to fix),
// invalid_input.
Result<Ask> make_ask(AskRequest request, const std::string& own_profiles = "");

}  // namespace bodkin
