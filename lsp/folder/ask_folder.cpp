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
    : folder_(std::move(folder)),
      settings_(lsp::own_settings()),
      rules_(settings_, std::move(told)) {
  never_run_from(folder_.path());
  documents_.add_folder({lsp::uri_of_path(folder_.path()), "workspace"});
  given_roots_ = {Root{"workspace", folder_.given()}};
  is_trusted_ = lsp::Trust(settings_.list("workspace.trusted")).covers(documents_.roots());
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
