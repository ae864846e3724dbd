#include "lsp/sessions/ask_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/context/mentions.h"
#include "agent/context/own_prompts.h"
#include "agent/context/profile.h"
#include "agent/context/prompt.h"
#include "agent/context/slash_commands.h"
#include "agent/models/image.h"

namespace bodkin {

bool take_slash_command(AskRequest& request, const std::string& own_prompts) {
  std::string rest;
  const SlashCommand* command = slash_command_in(request.prompt, rest);
  if (!command) {
    auto own = own_prompt_in(request.prompt, own_prompts);
    request.is_own_prompt = own.has_value();
    if (own) request.prompt = *std::move(own);
    return false;
  }
  request.prompt = command->is_fix ? rest : prompt_of(*command, rest);
  if (!command->profile.empty()) request.profile = command->profile;
  return command->is_fix;
}

bool mentions_diagnostics(const std::string& prompt) {
  return std::ranges::any_of(mentions_in(prompt), [](const Mention& mention) {
    return mention.kind == Mention::Kind::diagnostics;
  });
}

void take_slash_command_without_reports(AskRequest& request, const std::string& own_prompts) {
  const bool is_fix = take_slash_command(request, own_prompts);
  request.wants_problems = is_fix || mentions_diagnostics(request.prompt);
  if (is_fix)
    request.prompt = request.prompt.empty()
                         ? "Find the problems here, and fix them."
                         : "Find the problems in this, and fix them: " + request.prompt;
}

Result<Ask> make_ask(AskRequest request, const std::string& own_profiles) {
  if (request.profile.empty()) request.profile = "auto";
  if (request.effort.empty()) request.effort = "auto";
  if (request.profile != "auto") {
    if (const auto known = load_profile(request.profile, own_profiles); !known) {
      return std::unexpected(known.error());
    }
  }
  if (std::ranges::find(kEfforts, request.effort) == std::end(kEfforts))
    return fail(Error::Code::invalid_input, fmt::format("There is no effort \"{}\": use one of {}.",
                                                        request.effort, fmt::join(kEfforts, ", ")));
  Ask ask;
  if (request.is_own_prompt)
    name_file(request.prompt, request.selection ? request.selection->path : "");
  ask.prompt = std::move(request.prompt);
  ask.profile = std::move(request.profile);
  ask.dialect = std::move(request.dialect);
  ask.edit_format = std::move(request.edit_format);
  ask.effort = std::move(request.effort);
  ask.wants_problems = request.wants_problems;
  for (AskRequest::File& file : request.attachments) {
    if (is_image_file(file.on_disk)) {
      ask.images.emplace_back(std::move(file.path), std::move(file.on_disk));
    } else {
      ask.attachments.push_back(std::move(file.path));
    }
  }
  if (request.refined) {
    ask.title = std::move(request.refined->title);
    ask.draft = std::move(request.refined->draft);
    for (const ChangedFile& file : ask.draft) {
      if (file.after) ask.attachments.push_back(file.last_path());
    }
    return ask;
  }
  if (request.to_fix) {
    ask.diagnostics = *std::move(request.to_fix);
    if (ask.diagnostics.empty() && ask.prompt.empty()) {
      return fail(Error::Code::not_found, "No problems to fix here.");
    }
    if (ask.prompt.empty()) {
      ask.title = title_of(ask);  // which ones, as long as it has no words
      ask.prompt = ask.diagnostics.size() == 1 ? "Fix this problem." : "Fix these problems.";
    }
  }
  if (!request.to_fix) ask.diagnostics = std::move(request.problems);
  ask.selection = std::move(request.selection);
  return ask;
}

}  // namespace bodkin
