// The parts of an ask that need no model: the prompt for any chat, and the edits in its answer.
#include <sstream>

#include "agent/ask/cautions.h"
#include "agent/context/edit_format.h"
#include "agent/context/guidance.h"
#include "agent/context/profile.h"
#include "agent/context/prompt.h"
#include "agent/loop/opening.h"
#include "agent/loop/run.h"
#include "agent/placing/edit_json.h"
#include "agent/placing/placing.h"
#include "agent/workspace/secrets.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr size_t kAnyRoom = SIZE_MAX / 2;  // the window of a chat's model is not known

std::vector<std::string> notes_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Result<ChatPrompt> prompt_for(const Ask& ask, Workspace& workspace, const Limits& limits,
                              const Task& task) {
  const EditFormat* format = find_edit_format(ask.edit_format);
  if (!format) format = find_edit_format(kDefaultEditFormat);
  const auto profile = load_profile(kChatProfile, "", "", format->name);
  if (!profile) return std::unexpected(profile.error());
  GuardedWorkspace guard(workspace, task);
  Withheld withheld;
  RedactedWorkspace shown(guard, withheld);
  const bool reads_freely = limits.permissions.rule_for("read", "").access == Access::allow;
  const Shown what = reads_freely ? Shown::related : Shown::given;
  auto prompt = user_prompt(ask, shown, what, format->is_whole(), kAnyRoom, task);
  if (!prompt) return std::unexpected(prompt.error());
  std::set<std::string> ignored;
  std::string guidance = guidance_text(paths_of(ask, *prompt), ignored, shown, task);
  std::string text =
      fill_in(profile->system,
              template_variables(ask, std::move(guidance), shown, what, "", kAnyRoom, task)) +
      "\n" + facts_for(ask, *prompt, limits, guard, shown, kAnyRoom, task) + prompt->text;
  for (const auto& [path, file] : ask.images) text += "\n\nAttach by hand: " + path;
  WithoutSecrets without = without_secrets(text);  // of what is not a file
  if (without.count > 0) withheld[""] = without.count;
  return ChatPrompt{std::move(without.text), words_of(withheld)};
}

Outcome outcome_of_reply(std::string_view reply, const std::string& default_path,
                         Workspace& workspace, const Task& task) {
  GuardedWorkspace guard(workspace, task);
  Draft draft(guard);
  const auto syntax = make_syntax();
  Placer placer({draft, guard, syntax.get(), nullptr, std::nullopt});
  const PlacedReply placed = placer.place(reply, {Format::automatic, default_path, false}, task);
  Outcome outcome;
  outcome.title = "Edits from a chat reply";
  outcome.answer = prose_of_reply(reply);
  outcome.files = draft.files();
  outcome.cautions = cautions(outcome.files, guard, task);
  const SyntaxCheck check = check_syntax(outcome.files, *syntax);
  outcome.syntax_checked = check.of_all_files;
  outcome.syntax_errors = in_words(check);
  if (task.stop.stop_requested()) {
    outcome.end = Outcome::End::cancelled;
    outcome.reason = "Cancelled.";
    return outcome;
  }
  if (placed.state == PlacedReply::State::refused) {
    outcome.reason = placed.reason;
    outcome.notes = {placed.feedback};
    return outcome;
  }
  outcome.end = Outcome::End::done;
  const bool is_taken = placed.state == PlacedReply::State::taken;
  if (is_taken && !outcome.files.empty()) outcome.notes = notes_in(placed.feedback);
  if (outcome.files.empty()) {
    const bool has_code = !is_taken && reply.contains("```");
    outcome.reason =
        is_taken   ? "The changes are already in place; there is nothing to do."
        : has_code ? "The text contains code, but no edit; ask for SEARCH/REPLACE blocks or a diff."
                   : "The text contains no edits.";
    if (has_code)
      outcome.notes = {
          "Nothing was changed: the code is no edit of a file. Write your edits in "
          "the text of your reply, in this form:\n\n" +
          std::string(find_edit_format(kDefaultEditFormat)->guide)};
  }
  return outcome;
}

}  // namespace bodkin
