// Consoles: UTF-8 in and out, keys one by one, and escape sequences.
#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <cstring>

#include "agent/platform/terminal.h"
#include "agent/platform/windows/descriptors.h"

namespace bodkin::os {

namespace {

constexpr wchar_t kEndOfInput = 26;  // Ctrl-Z

ConsoleEntry* console_at(int number, std::shared_ptr<Descriptor>& keeps) {
  keeps = descriptor(number);
  return dynamic_cast<ConsoleEntry*>(keeps.get());
}

// Whether a read would find a character; discards other events.
bool has_key(HANDLE console) {
  INPUT_RECORD record;
  DWORD count = 0;
  while (::PeekConsoleInputW(console, &record, 1, &count) && count > 0) {
    if (record.EventType == KEY_EVENT && gives_character(record.Event.KeyEvent)) return true;
    ::ReadConsoleInputW(console, &record, 1, &count);
  }
  return false;
}

}  // namespace

bool gives_character(const KEY_EVENT_RECORD& key) {
  return key.uChar.UnicodeChar != 0 && (key.bKeyDown || key.wVirtualKeyCode == VK_MENU);
}

ConsoleEntry::~ConsoleEntry() {
  if (is_owned_) ::CloseHandle(console);
}

ssize_t ConsoleEntry::read(void* into, size_t size) {
  if (typed_.empty()) {
    if (is_nonblocking && !has_key(console)) return fail_with_errno(EAGAIN);
    wchar_t units[4096];
    DWORD count = 0;
    if (!::ReadConsoleW(console, units, std::size(units), &count, nullptr))
      return fail_with(::GetLastError());
    std::wstring text;
    if (first_half_) text += std::exchange(first_half_, L'\0');
    for (DWORD i = 0; i < count; ++i)
      if (units[i] != L'\r' || i + 1 == count || units[i + 1] != L'\n') text += units[i];
    if (text.starts_with(kEndOfInput)) return 0;
    if (!text.empty() && text.back() >= 0xD800 && text.back() < 0xDC00) {
      first_half_ = text.back();
      text.pop_back();
    }
    typed_ = narrow(text);
    if (typed_.empty()) return read(into, size);
  }
  const size_t count = std::min(size, typed_.size());
  std::memcpy(into, typed_.data(), count);
  typed_.erase(0, count);
  return static_cast<ssize_t>(count);
}

ssize_t ConsoleEntry::write(const void* from, size_t size) {
  const std::string text =
      std::exchange(half_written_, {}) + std::string(static_cast<const char*>(from), size);
  // A character may come in two calls.
  size_t whole = text.size();
  for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const size_t needs = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (needs > back) whole = text.size() - back;
    break;
  }
  half_written_ = text.substr(whole);
  const int bytes = static_cast<int>(whole);
  std::wstring units(whole, L'\0');
  units.resize(static_cast<size_t>(
      whole == 0 ? 0 : ::MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, units.data(), bytes)));
  for (size_t done = 0; done < units.size();) {
    DWORD count = 0;
    const auto some = static_cast<DWORD>(std::min<size_t>(units.size() - done, 8192));
    if (!::WriteConsoleW(console, units.data() + done, some, &count, nullptr))
      return fail_with(::GetLastError());
    done += count;
  }
  return static_cast<ssize_t>(size);
}

HANDLE ConsoleEntry::waits_for(short events) { return (events & POLLIN) != 0 ? console : nullptr; }

short ConsoleEntry::ready(short events) {
  short result = events & POLLOUT;
  if ((events & POLLIN) != 0 && (!typed_.empty() || has_key(console))) result |= POLLIN;
  return result;
}

bool is_terminal(int number) {
  std::shared_ptr<Descriptor> keeps;
  return console_at(number, keeps) != nullptr;
}

bool is_terminal(std::FILE* stream) {
  return is_terminal(stream == stdin ? 0 : stream == stdout ? 1 : stream == stderr ? 2 : -1);
}

int columns_of(int number) {
  std::shared_ptr<Descriptor> keeps;
  const ConsoleEntry* const console = console_at(number, keeps);
  CONSOLE_SCREEN_BUFFER_INFO screen{};
  if (!console || !::GetConsoleScreenBufferInfo(console->console, &screen)) return 0;
  return screen.srWindow.Right - screen.srWindow.Left + 1;
}

void prepare_standard_streams() {
  for (std::FILE* stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
  for (const int number : {1, 2}) {
    std::shared_ptr<Descriptor> keeps;
    const ConsoleEntry* const console = console_at(number, keeps);
    DWORD mode = 0;
    if (!console || !::GetConsoleMode(console->console, &mode)) continue;
    ::SetConsoleMode(console->console,
                     mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    ::SetConsoleOutputCP(CP_UTF8);
  }
}

struct TerminalMode::System {
  DWORD mode = 0;
};

TerminalMode::TerminalMode(std::unique_ptr<System> system) : system_(std::move(system)) {}
TerminalMode::TerminalMode(const TerminalMode& other)
    : system_(std::make_unique<System>(*other.system_)) {}
TerminalMode& TerminalMode::operator=(const TerminalMode& other) {
  *system_ = *other.system_;
  return *this;
}
TerminalMode::~TerminalMode() = default;

std::optional<TerminalMode> TerminalMode::now() {
  std::shared_ptr<Descriptor> keeps;
  const ConsoleEntry* const console = console_at(0, keeps);
  auto system = std::make_unique<System>();
  if (!console || !::GetConsoleMode(console->console, &system->mode)) return std::nullopt;
  return TerminalMode(std::move(system));
}

TerminalMode TerminalMode::with_single_keys() const {
  TerminalMode other(*this);
  other.system_->mode &= ~DWORD{ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT};
  other.system_->mode |= ENABLE_PROCESSED_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT;
  return other;
}

TerminalMode TerminalMode::with_lines(bool) const {
  TerminalMode other(*this);
  other.system_->mode |= ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT | ENABLE_PROCESSED_INPUT;
  other.system_->mode &= ~DWORD{ENABLE_VIRTUAL_TERMINAL_INPUT};
  return other;
}

void TerminalMode::set(When when) const {
  std::shared_ptr<Descriptor> keeps;
  const ConsoleEntry* const console = console_at(0, keeps);
  if (!console) return;
  if (when == When::flushed) ::FlushConsoleInputBuffer(console->console);
  ::SetConsoleMode(console->console, system_->mode);
}

void discard_typed() {
  std::shared_ptr<Descriptor> keeps;
  if (const ConsoleEntry* const console = console_at(0, keeps))
    ::FlushConsoleInputBuffer(console->console);
}

}  // namespace bodkin::os
