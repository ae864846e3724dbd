#include "lsp/folder/ask_folder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/context/profile.h"
#include "agent/rpc/uri.h"
#include "agent/support/program.h"
#include "lsp/workspace/model_settings.h"
#include "lsp/workspace/trust.h"

namespace bodkin {

AskFolder::AskFolder(ConfinedFolder folder, std::function<void(const std::string&)> told)
    : folder_(std::move(folder)) {
  settings_.set(lsp::Settings::Layer::user_file, lsp::user_settings());
  never_run_from(folder_.path());
  documents_.add_folder({lsp::uri_of_path(folder_.path()), "workspace"});
  given_roots_ = {Root{"workspace", folder_.given()}};
  is_trusted_ = lsp::Trust(settings_.list("workspace.trusted")).covers(documents_.roots());
  shared_.mcp = std::make_shared<Mcp>(std::move(told));
  set_mode(mode_named(settings_.text("agent.mode")).value_or(Mode::confirm));
}

void AskFolder::complete(AskRequest& request) const {
  if (request.profile.empty())
    request.profile = mode() == Mode::plan ? "plan" : settings_.text("agent.profile");
  if (request.dialect.empty()) request.dialect = settings_.text("agent.dialect");
  if (request.edit_format.empty()) request.edit_format = settings_.text("agent.editFormat");
  if (request.effort.empty()) request.effort = settings_.text("model.effort");
}

void AskFolder::start_index() {
  if (std::exchange(is_indexed_, true)) return indexer_.refresh();
  indexer_.set_roots(documents_.roots(), is_trusted_);
}

std::unique_ptr<lsp::EditorWorkspace> AskFolder::workspace() {
  return std::make_unique<lsp::EditorWorkspace>(
      documents_, indexer_.index(), is_trusted_,
      is_indexed_ ? lsp::kIndexPatience : std::chrono::milliseconds{});
}

Limits AskFolder::limits() const {
  Limits limits = lsp::limits_of(settings_, is_trusted_, documents_.roots(), shared_);
  limits.mode = mode_;
  return limits;
}

std::unique_ptr<Verifier> AskFolder::verifier(Editor* editor) const {
  return lsp::verifier_of(settings_, is_trusted_, editor, shared_.consent);
}

std::vector<std::string> problems_of(const lsp::Settings& settings) {
  std::vector<std::string> found = settings.problems(), result;
  std::ranges::move(lsp::model_problems(settings), std::back_inserter(found));
  const std::string profile = settings.text("agent.profile");
  const auto profiles = profile_names(lsp::own_profiles_folder());
  if (profile != "auto" &&
      std::ranges::find(profiles, profile, &ProfileName::name) == profiles.end())
    found.push_back("bodkin.agent.profile: there is no profile \"" + profile +
                    "\"; `bodkin settings --profiles` lists them.");
  for (std::string& problem : found) {
    if (std::ranges::find(result, problem) == result.end()) result.push_back(std::move(problem));
  }
  return result;
}

}  // namespace bodkin
