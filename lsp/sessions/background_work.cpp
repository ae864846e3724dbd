#include "lsp/sessions/background_work.h"

#include <utility>

#include "agent/support/guarded.h"

namespace bodkin {

void BackgroundWork::start(MoveOnlyFunction<void(const Task&)> run) {
  const uint64_t id = next_++;
  std::jthread& thread = threads_[id];
  try {
    thread = std::jthread([this, id, run = std::move(run)](std::stop_token stop) mutable {
      guarded(
          [&] {
            run(Task{stop, [](const Progress&) {}});
          },
          [this](const char* what) {
            if (failed_) failed_(what);
          });
      guarded([&] { run = nullptr; });  // it may hold a reply, which it has not given
      // Its last act: the wait in the destructor of the thread is for its return alone.
      loop_.post_reliably([this, id] { threads_.erase(id); });
    });
  } catch (...) {  // no thread: whom `run` would have answered is told by its end
    threads_.erase(id);
    throw;
  }
}

void BackgroundWork::stop() {
  // All are told before the first is waited for.
  for (auto& [id, thread] : threads_) thread.request_stop();
  threads_.clear();
}

}  // namespace bodkin
