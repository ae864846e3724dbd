// Reads keys as escape sequences, which a console sends since Windows 10, and edits a TypedLine.
#include "lsp/cli/line_editor.h"

#include <windows.h>

#include <cstdio>

#include "agent/platform/files.h"
#include "agent/platform/windows/native.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/typed_keys.h"
#include "lsp/cli/typed_line.h"

namespace bodkin {

struct LineEditor::State {
  Complete complete;
  std::vector<std::string> history;
};

namespace {

// While a line is read: Ctrl-C is a key.
class AllKeys {
 public:
  AllKeys() : console_(::GetStdHandle(STD_INPUT_HANDLE)) {
    ::GetConsoleMode(console_, &before_);
    const DWORD lines = ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT | ENABLE_PROCESSED_INPUT;
    ::SetConsoleMode(console_, (before_ & ~lines) | ENABLE_VIRTUAL_TERMINAL_INPUT);
  }
  ~AllKeys() { ::SetConsoleMode(console_, before_); }
  AllKeys(const AllKeys&) = delete;

 private:
  const HANDLE console_;
  DWORD before_ = 0;
};

// One key as TypedLine takes it; "": the console is gone.
std::string read_key() {
  constexpr int kPauseAfterEscape = 100;  // ms
  char byte = 0;
  if (os::read(0, &byte, 1) != 1) return "";
  if (byte == kEscape) return kEscape + read_sequence(kPauseAfterEscape);
  std::string key(1, byte);
  const auto first = static_cast<unsigned char>(byte);
  const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  while (key.size() < size && os::read(0, &byte, 1) == 1) key += byte;
  return valid_utf8(key);
}

void draw(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

const char kLineEndKey[] = "Ctrl-Enter";

LineEditor::LineEditor(Complete complete) : state_(std::make_unique<State>()) {
  state_->complete = std::move(complete);
  os::let_go_of_ending_signals();
}
LineEditor::~LineEditor() = default;

void LineEditor::remember(const std::string& request) {
  if (request.find_first_not_of(" \n\t") == request.npos) return;
  std::erase(state_->history, request);
  state_->history.push_back(request);
}

std::optional<std::string> LineEditor::read(const std::string& typed) {
  const AllKeys keys;
  TypedLine line(state_->history, state_->complete);
  line.insert(std::string_view(typed).substr(0, typed.find_last_not_of(" \n\t") + 1));
  mark_pastes(true);
  std::optional<std::string> result;
  size_t row = 0;
  for (bool goes_on = true; goes_on;) {
    const size_t width = columns(2);
    // A pasted text comes at once, and is drawn once.
    if (!comes_within(0)) draw(drawn(line, width, row));
    const std::string key = read_key();
    if (key == kEscape + std::string(kBeginOfPaste)) {
      line.insert(read_paste());
      continue;
    }
    switch (key.empty() ? TypedLine::Next::ended : line.take(key)) {
      case TypedLine::Next::more:
        continue;
      case TypedLine::Next::listed:
        draw(left_behind(line, width, row) + visible(wrapped(listed(line.found()), 79, 0)) + "\n");
        row = 0;
        continue;
      case TypedLine::Next::interrupted:
        draw(drawn(line, width, row) + left_behind(line, width, row) + "^C\n");
        result = "";
        break;
      case TypedLine::Next::sent:
        result = line.text();
        [[fallthrough]];
      case TypedLine::Next::ended:
        draw(drawn(line, width, row) + left_behind(line, width, row));
        break;
    }
    goes_on = false;
  }
  mark_pastes(false);
  if (result) remember(*result);
  return result;
}

}  // namespace bodkin
