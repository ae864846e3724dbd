#include "lsp/cli/typed_keys.h"

#include "agent/platform/files.h"
#include "agent/platform/polling.h"

namespace bodkin {

bool comes_within(int patience) {
  os::PollEntry input{0, POLLIN, 0};
  return os::poll(&input, 1, patience) > 0;
}

std::string read_sequence(int patience) {
  std::string sequence;
  while (comes_within(patience)) {
    char byte = 0;
    if (os::read(0, &byte, 1) != 1) return "";
    if (sequence.empty() && byte == kEscape) continue;  // Escape, and then another sequence
    sequence += byte;
    const bool is_control = sequence[0] == '[' || sequence[0] == 'O';
    if (sequence.size() == 1 ? !is_control : byte >= '@' && byte <= '~') break;
  }
  return sequence;
}

std::string read_paste() {
  constexpr std::string_view kEnd = "\033[201~";
  constexpr int kPatience = 5000;  // ms
  std::string text;
  while (!text.ends_with(kEnd) && comes_within(kPatience)) {
    char byte = 0;
    if (os::read(0, &byte, 1) != 1) break;
    text += byte == '\r' ? '\n' : byte;
  }
  if (text.ends_with(kEnd)) text.resize(text.size() - kEnd.size());
  return text;
}

}  // namespace bodkin
