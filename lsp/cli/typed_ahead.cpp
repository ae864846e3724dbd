#include "lsp/cli/typed_ahead.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "agent/platform/files.h"
#include "agent/platform/signals.h"
#include "agent/platform/terminal.h"
#include "agent/support/utf8.h"
#include "lsp/cli/continued.h"
#include "lsp/cli/typed_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMostTyped = 32'000;  // bytes
// ms; longer than at a prompt, since an arrow key that is taken for Escape would end the ask.
constexpr int kPauseAfterEscape = 100;

std::optional<os::TerminalMode> mode_before, mode_now;
std::optional<WhenContinued> continued;

// A shell that goes on with a stopped program leaves the terminal as the shell has it.
void go_on(int) {
  const int kept = errno;
  mode_now->set(os::TerminalMode::When::at_once);
  errno = kept;
}

}  // namespace

TypedAhead::TypedAhead() {
  mode_before.reset(), mode_now.reset();
  if (auto mode = os::TerminalMode::now()) {
    mode_before.emplace(*mode);
    mode_now.emplace(mode->with_single_keys());
    mode_now->set(os::TerminalMode::When::at_once);
    continued.emplace(go_on);
  }
}

TypedAhead::~TypedAhead() {
  end();
  continued.reset();
  if (mode_before) mode_before->set(os::TerminalMode::When::at_once);
}

void TypedAhead::begin(std::function<void()> changed) {
  if (wake_) return;
  changed_ = std::move(changed);
  wake_ = std::make_unique<rpc::Wake>();
  thread_ = std::jthread([this] { read(*wake_); });
}

void TypedAhead::end() {
  if (wake_) wake_->up();
  thread_ = {};
  wake_.reset();
  for (char byte = 0; comes_within(0) && os::read(0, &byte, 1) == 1;) take(byte);
}

std::string TypedAhead::text() const {
  const std::lock_guard lock(mutex_);
  return valid_utf8(text_);
}

void TypedAhead::read(const rpc::Wake& wake) {
  while (wake.wait_for(0, POLLIN)) {
    char byte = 0;
    const ssize_t count = os::read(0, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    take(byte);
    if (changed_ && !comes_within(0)) changed_();
  }
}

void TypedAhead::take(char byte) {
  if (byte == kEscape) {
    const std::string sequence = read_sequence(kPauseAfterEscape);
    const bool is_interrupt = sequence.empty() && !std::exchange(is_interrupted_, true);
    if (is_interrupt) os::interrupt_this_process();  // a second one would end it at once
    std::string more = sequence == kBeginOfPaste              ? read_paste()
                       : sequence == "\n" || sequence == "\r" ? "\n"  // Alt-Enter
                                                              : "";
    std::erase_if(more, [](char c) { return c >= 0 && c < ' ' && c != '\n' && c != '\t'; });
    const std::lock_guard lock(mutex_);
    text_ += more.substr(0, kMostTyped - std::min(text_.size(), kMostTyped));
    return;
  }
  if (byte == '\r') byte = '\n';  // of a console of Windows
  const std::lock_guard lock(mutex_);
  switch (byte) {
    case 127:
    case 8:
      erase_last();
      break;
    case 21:  // Ctrl-U
      text_.clear();
      break;
    case 23:  // Ctrl-W
      while (text_.ends_with(' ') && erase_last()) continue;
      while (!text_.empty() && text_.back() != ' ' && text_.back() != '\n') erase_last();
      break;
    default:
      if ((byte >= 0 && byte < ' ' && byte != '\n' && byte != '\t') || text_.size() >= kMostTyped)
        break;
      text_ += byte;
  }
}

bool TypedAhead::erase_last() {
  while (!text_.empty() && (static_cast<unsigned char>(text_.back()) & 0xC0) == 0x80)
    text_.pop_back();
  if (!text_.empty()) text_.pop_back();
  return true;
}

}  // namespace bodkin
