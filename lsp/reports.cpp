#include "lsp/reports.h"

#include <utility>

namespace bodkin::lsp {

namespace {

constexpr std::chrono::milliseconds kPause{30};  // a person sees no difference

bool is_words(const Progress& progress) {
  return progress.kind == Progress::Kind::text || progress.kind == Progress::Kind::thought;
}

}  // namespace

void Reports::add(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  if (is_words(progress) && !held_.empty() && held_.back().kind == progress.kind) {
    held_.back().text += progress.text;
  } else {
    held_.push_back(progress);
  }
  if (is_posted_ && is_words(progress)) return;
  const auto flush = [self = shared_from_this()] { self->flush(); };
  if (is_words(progress) && EventLoop::Clock::now() < shown_ + kPause) {
    loop_.post_after(kPause, flush);
  } else {
    loop_.post(flush);
  }
  is_posted_ = true;
}

void Reports::flush() {
  std::vector<Progress> now;
  {
    const std::lock_guard lock(mutex_);
    now = std::exchange(held_, {});
    is_posted_ = false;
    shown_ = EventLoop::Clock::now();
  }
  for (const Progress& each : now) show_(each);
}

}  // namespace bodkin::lsp
