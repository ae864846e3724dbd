#include "agent/platform/terminal.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace bodkin::os {

struct TerminalMode::System {
  termios mode{};
};

TerminalMode::TerminalMode(std::unique_ptr<System> system) : system_(std::move(system)) {}
TerminalMode::TerminalMode(const TerminalMode& other)
    : system_(std::make_unique<System>(*other.system_)) {}
TerminalMode& TerminalMode::operator=(const TerminalMode& other) {
  *system_ = *other.system_;
  return *this;
}
TerminalMode::~TerminalMode() = default;

bool is_terminal(int number) { return ::isatty(number) != 0; }

bool is_terminal(std::FILE* stream) { return is_terminal(::fileno(stream)); }

int columns_of(int number) {
  winsize size{};
  return ::ioctl(number, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void prepare_standard_streams() {}

std::optional<TerminalMode> TerminalMode::now() {
  auto system = std::make_unique<System>();
  if (::tcgetattr(0, &system->mode) != 0) return std::nullopt;
  return TerminalMode(std::move(system));
}

TerminalMode TerminalMode::with_single_keys() const {
  TerminalMode other(*this);
  other.system_->mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  return other;
}

TerminalMode TerminalMode::with_lines(bool ends_at_escape) const {
  constexpr cc_t kEscape = 27;
  TerminalMode other(*this);
  other.system_->mode.c_lflag |= ICANON | ECHO;
  if (ends_at_escape) other.system_->mode.c_cc[VEOL] = kEscape;
  return other;
}

void TerminalMode::set(When when) const {
  ::tcsetattr(0,
              when == When::at_once   ? TCSANOW
              : when == When::drained ? TCSADRAIN
                                      : TCSAFLUSH,
              &system_->mode);
}

void discard_typed() { ::tcflush(0, TCIFLUSH); }

}  // namespace bodkin::os
