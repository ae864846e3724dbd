// RunPolicy: what an ask may do and run, whether its edit is applied without review, and what is
// withheld in an untrusted folder (README, "Trust"), of which the user is told. Main thread only.
#pragma once

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
  RunPolicy(EventLoop& loop, const Settings& settings, const FolderTrust& trust, Client& client);

  Limits limits() const;
  // See verifier_of().
  std::unique_ptr<Verifier> make_verifier(Editor* editor);
  bool may_apply_at_once();  // an edit in which no check found a problem

 private:
  void report_withheld();

  const Settings& settings_;
  const FolderTrust& trust_;
  Client& client_;
  std::shared_ptr<UnconfinedConsent> consent_ = std::make_shared<UnconfinedConsent>();
  std::shared_ptr<Mcp> mcp_;
  std::set<std::string> told_;
};

}  // namespace bodkin::lsp
