// AskFolder: a folder in which asks run without a language client, and everything such an ask needs
// from it: the user's own settings, trust, the index of symbols, limits and checks. For `bodkin
// ask` and `bodkin acp`. Main thread only, unless stated otherwise.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/confined_folder.h"
#include "lsp/workspace/editor_workspace.h"
#include "lsp/workspace/indexer.h"

namespace bodkin {

class AskFolder {
 public:
  // Reads the user's settings. Nothing runs from this folder from now on. `told`: a sentence for
  // the user, on any thread.
  AskFolder(ConfinedFolder folder, std::function<void(const std::string& sentence)> told);

  const ConfinedFolder& folder() const { return folder_; }
  const lsp::Settings& settings() const { return settings_; }
  const Roots& roots() const { return documents_.roots(); }
  // The same folder as it was given: for the absolute paths that its front end knows.
  const Roots& given_roots() const { return given_roots_; }
  bool is_trusted() const { return is_trusted_; }

  lsp::AskRules& rules() { return rules_; }
  const lsp::AskRules& rules() const { return rules_; }

  // Adds settings, which take precedence: {"model": {"name": …}}.
  void set(const nlohmann::json& settings) {
    chosen_.merge_patch(settings);
    settings_.set(lsp::Settings::Layer::chosen, chosen_);
  }
  void start_index();  // in the background; the second call looks for changed files
  // Any thread. Blocks until the index is complete; false: stopped first.
  bool wait_for_index(const std::stop_token& stop) { return indexer_.wait(stop); }
  std::unique_ptr<lsp::EditorWorkspace> workspace();  // as it is now; for one ask

  // For one ask. `editor` may be null, and outlives the result.
  AskSetup set_up(Editor* editor) const { return rules_.set_up(is_trusted_, roots(), editor); }
  Limits limits() const { return rules_.limits(is_trusted_, roots()); }
  // The language servers' report on a draft. Any thread; blocks. limits() was called before.
  CheckResult check(const std::vector<ChangedFile>& draft, Workspace& workspace,
                    const Task& task) const {
    return rules_.checker(is_trusted_)->check(draft, workspace, task);
  }

 private:
  const ConfinedFolder folder_;
  lsp::Settings settings_;
  nlohmann::json chosen_ = nlohmann::json::object();
  lsp::AskRules rules_;
  lsp::Documents documents_;
  Roots given_roots_;
  bool is_trusted_ = false;
  bool is_indexed_ = false;
  lsp::Indexer indexer_{lsp::default_cache_folder(), lsp::Indexer::Priority::normal};
};

// The problems of the settings; one sentence each, for the user.
std::vector<std::string> problems_of(const lsp::Settings& settings);

}  // namespace bodkin
