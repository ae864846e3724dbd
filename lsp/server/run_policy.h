// RunPolicy: the rules of asks in an editor's folders, and what is withheld in an untrusted one
// (clients/USERS.md, "Trust"), which it tells the user. Main thread only.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "agent/rpc/event_loop.h"
#include "lsp/editor/client.h"
#include "lsp/server/folder_trust.h"
#include "lsp/workspace/ask_settings.h"

namespace bodkin::lsp {

class RunPolicy : public AskRules {
 public:
  // `loop` and `client` outlive the asks' threads.
  RunPolicy(EventLoop& loop, const Settings& settings, const FolderTrust& trust,
            const Documents& documents, Client& client);

  Limits limits() const;
  AskSetup set_up(Editor* editor);
  std::shared_ptr<DraftChecker> checker() const;
  // Whether edits are applied at once, and the folder is trusted, too.
  bool may_apply_at_once();

 private:
  void report_withheld();

  const Settings& settings_;
  const FolderTrust& trust_;
  const Documents& documents_;
  Client& client_;
  std::set<std::string> told_;
};

}  // namespace bodkin::lsp
