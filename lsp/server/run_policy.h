// RunPolicy: what an ask may do and run, whether its edit is applied without review, and what is
// withheld in an untrusted folder (README, "Trust"), of which the user is told. Main thread only.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>

#include "agent/ask/limits.h"
#include "agent/rpc/event_loop.h"
#include "agent/sandbox/verifier.h"
#include "agent/tools/mcp.h"
#include "lsp/editor/client.h"
#include "lsp/server/folder_trust.h"
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
  bool may_apply_at_once();  // an edit in which no check found a problem

 private:
  bool applies_at_once() const;
  void report_withheld();

  const Settings& settings_;
  const FolderTrust& trust_;
  const Documents& documents_;
  Client& client_;
  const std::shared_ptr<std::atomic<Mode>> mode_ =
      std::make_shared<std::atomic<Mode>>(Mode::confirm);
  std::shared_ptr<UnconfinedConsent> consent_ = std::make_shared<UnconfinedConsent>();
  std::shared_ptr<Mcp> mcp_;
  std::set<std::string> told_;
};

}  // namespace bodkin::lsp
