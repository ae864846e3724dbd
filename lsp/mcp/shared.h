// Shared: the state that the calls of one server share. Nothing in it tells anything about the
// conversation that a call belongs to: that is only in its arguments.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "agent/checkers/checkers.h"
#include "lsp/workspace/confined_folder.h"
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

  // Fails unless this folder is still the one that its path led to when it was first served. Error,
  // the end of a sentence: another one has taken its place.
  Result<void> check_unchanged(const ConfinedFolder& folder);

  // True once: problems with the settings are reported with the first result.
  bool tells_of_settings() { return !has_told_.exchange(true); }

  // Held while files change. To end the process, take it first and keep it, so that no change is
  // left half made.
  std::mutex changing;

 private:
  std::mutex mutex_;                                               // of the next two
  std::map<std::string, std::unique_ptr<lsp::Indexer>> indexers_;  // by Roots::key
  std::map<std::string, std::pair<uint64_t, uint64_t>> served_;    // device, inode; by path
  std::timed_mutex checking_;
  std::atomic<bool> has_told_ = false;
  std::map<bool, std::unique_ptr<Checkers>> checkers_;  // by trust
};

}  // namespace bodkin::mcp
