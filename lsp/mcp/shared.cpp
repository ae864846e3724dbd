#include "lsp/mcp/shared.h"

#include <chrono>

#include "agent/platform/files.h"
#include "lsp/workspace/index_cache.h"

namespace bodkin::mcp {

std::shared_ptr<const SymbolIndex> Shared::symbols(const Roots& roots, bool trusted,
                                                   const std::stop_token& stop) {
  lsp::Indexer* indexer = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto& one = indexers_[roots.key()];
    if (!one) {
      one = std::make_unique<lsp::Indexer>(lsp::default_cache_folder(),
                                           lsp::Indexer::Priority::normal);
      one->set_roots(roots, trusted);
    } else {
      one->refresh();
    }
    indexer = one.get();
  }
  return indexer->wait(stop) ? indexer->index() : nullptr;
}

Result<void> Shared::check_unchanged(const ConfinedFolder& folder) {
  os::FileStatus now{};
  if (os::fstat(folder.number(), &now) != 0)
    return fail(Error::Code::unavailable, folder.path() + " cannot be accessed");
  const std::pair identity{now.st_dev, now.st_ino};
  const std::lock_guard lock(mutex_);
  if (served_.try_emplace(folder.path(), identity).first->second == identity) return {};
  return fail(Error::Code::stale, folder.path() +
                                      " is not the folder that was served before: that one was "
                                      "moved or replaced; restart bodkin mcp");
}

CheckResult Shared::check(const CheckerSettings& settings, const CheckRequest& request,
                          const Task& task) {
  std::unique_lock lock(checking_, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(50))) {
    if (task.stop.stop_requested()) return {.reason = "it was cancelled"};
  }
  auto& checkers = checkers_[settings.trusted];
  if (!checkers) checkers = std::make_unique<Checkers>(settings);
  return checkers->check(request, task);
}

}  // namespace bodkin::mcp
