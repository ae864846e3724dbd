#include "lsp/sessions/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bodkin {

namespace {

constexpr std::chrono::milliseconds kPause{30};  // a user sees no difference
constexpr size_t kMaxWords = 64 << 10;           // bytes, shown at once

bool is_words(const Progress& progress) {
  return progress.kind == Progress::Kind::text || progress.kind == Progress::Kind::thought;
}

}  // namespace

// Adds to the last words what was left out of them. With the lock held.
void Reports::end_words() {
  if (left_out_ > 0) held_.back().text += fmt::format("\n[{} bytes are not shown]\n", left_out_);
  left_out_ = 0;
}

void Reports::add(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const bool goes_on = is_words(progress) && !held_.empty() && held_.back().kind == progress.kind;
  if (!goes_on) {
    end_words();
    held_.push_back({progress.kind, "", progress.step, progress.draft, progress.writing});
  }
  std::string& text = held_.back().text;
  const size_t room = left_out_ > 0             ? 0
                      : !is_words(progress)     ? progress.text.size()
                      : text.size() < kMaxWords ? kMaxWords - text.size()
                                                : 0;
  size_t taken = std::min(room, progress.text.size());
  // Never cut in the middle of a character.
  while (taken > 0 && taken < progress.text.size() && (progress.text[taken] & 0xC0) == 0x80)
    --taken;
  text.append(progress.text, 0, taken);
  left_out_ += progress.text.size() - taken;
  if (is_posted_ && is_words(progress)) return;
  const auto flush = [self = shared_from_this()] { self->flush(); };
  if (is_words(progress) && rpc::EventLoop::Clock::now() < shown_ + kPause) {
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
    end_words();
    now = std::exchange(held_, {});
    is_posted_ = false;
    shown_ = rpc::EventLoop::Clock::now();
  }
  for (const Progress& each : now) show_(each);
}

}  // namespace bodkin
