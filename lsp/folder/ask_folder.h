// AskFolder: a folder in which asks run without a language client, and what such an ask needs from
// it: the user's own settings, trust, the index of symbols, limits and checks. For `bodkin ask` and
// `bodkin acp`. Main thread only, unless stated otherwise.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/sessions/ask_request.h"
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

  // The settings' mode, until it is set; running asks follow it.
  Mode mode() const { return *mode_; }
  void set_mode(Mode mode) { *mode_ = mode; }

  // Adds settings, which take precedence: {"model": {"name": …}}.
  void set(const nlohmann::json& settings) {
    chosen_.merge_patch(settings);
    settings_.set(lsp::Settings::Layer::chosen, chosen_);
  }
  // MCP servers beside those of the settings, whose names are others. In a folder that is not
  // trusted none starts.
  void set_more_servers(std::vector<McpServer> servers) {
    shared_.more_servers = std::move(servers);
  }
  // Its profile, dialect and edit format, where they are empty, by the settings and the mode.
  void complete(AskRequest& request) const;

  void start_index();  // in the background; the second call looks for changed files
  // Any thread. Blocks until the index is complete; false: stopped first.
  bool wait_for_index(const std::stop_token& stop) { return indexer_.wait(stop); }
  std::unique_ptr<lsp::EditorWorkspace> workspace();  // as it is now; for one ask

  Limits limits() const;
  // See verifier_of(). `editor` may be null, and outlives the verifier.
  std::unique_ptr<Verifier> verifier(Editor* editor) const;
  // Any thread; blocks. What the language servers say of a draft. limits() was called before.
  CheckResult check(const std::vector<ChangedFile>& draft, Workspace& workspace,
                    const Task& task) const {
    return shared_.checker->check(draft, workspace, task);
  }

 private:
  const ConfinedFolder folder_;
  lsp::Settings settings_;
  nlohmann::json chosen_ = nlohmann::json::object();
  lsp::Documents documents_;
  Roots given_roots_;
  bool is_trusted_ = false;
  bool is_indexed_ = false;
  lsp::Indexer indexer_{lsp::default_cache_folder(), lsp::Indexer::Priority::normal};
  lsp::Shared shared_;
  const std::shared_ptr<std::atomic<Mode>> mode_ =
      std::make_shared<std::atomic<Mode>>(Mode::confirm);
};

// The problems of the settings; one sentence each, for the user.
std::vector<std::string> problems_of(const lsp::Settings& settings);

}  // namespace bodkin
