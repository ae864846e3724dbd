// RunPolicy: what an ask may do and run, whether its edit is applied without review, and what is
// withheld in an untrusted folder (clients/USERS.md, "Trust"), of which the user is told. Main
// thread only.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>

#include "agent/ask/limits.h"
#include "agent/rpc/event_loop.h"
#include "agent/sandbox/verifier.h"
#include "lsp/editor/client.h"
#include "lsp/server/folder_trust.h"
#include "lsp/workspace/ask_settings.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

class RunPolicy {
 public:
  // `loop` and `client` outlive the asks' threads.
  RunPolicy(EventLoop& loop, const Settings& settings, const FolderTrust& trust,
            const Documents& documents, Client& client);

  // The mode of the settings; asks that are running see it as it is now.
  Mode mode() const { return *mode_; }
  void settings_changed();

  Limits limits() const;
  // See verifier_of().
  std::unique_ptr<Verifier> make_verifier(Editor* editor);
  std::shared_ptr<DraftChecker> checker() const;  // with the settings as they are now
  // An edit in which no check found a problem: whether the user wishes it, and whether the folder
  // is trusted, too.
  bool applies_at_once() const;
  bool may_apply_at_once();

 private:
  void report_withheld();

  const Settings& settings_;
  const FolderTrust& trust_;
  const Documents& documents_;
  Client& client_;
  const std::shared_ptr<std::atomic<Mode>> mode_ =
      std::make_shared<std::atomic<Mode>>(Mode::confirm);
  Shared shared_;
  std::set<std::string> told_;
};

}  // namespace bodkin::lsp
