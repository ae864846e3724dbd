// Shared: what the calls of one server share. Nothing of it says anything about the conversation
// that a call belongs to: that is only in its arguments.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "agent/checkers/checkers.h"
#include "lsp/workspace/indexer.h"

namespace bodkin::mcp {

// Any thread. Everything is made when it is first needed: most processes are only asked for their
// tools.
class Shared {
 public:
  // Up to date with the disk. Blocks; null if stopped first.
  std::shared_ptr<const SymbolIndex> symbols(const Roots& roots, bool trusted,
                                             const std::stop_token& stop);
  // Checks with language servers that stay warm; one check at a time.
  CheckResult check(const CheckerSettings& settings, const CheckRequest& request, const Task& task);

  // Held from placing to writing: one call after the other, also where the file system cannot lock.
  std::mutex one_writer;
  // Held while files change. Whoever ends the process takes it first and keeps it, so that no
  // change is left half made.
  std::mutex changing;

 private:
  std::mutex mutex_;                                               // of the indexers
  std::map<std::string, std::unique_ptr<lsp::Indexer>> indexers_;  // by Roots::key
  std::timed_mutex checking_;
  std::map<bool, std::unique_ptr<Checkers>> checkers_;  // by trust
};

}  // namespace bodkin::mcp
