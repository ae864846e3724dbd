#include "lsp/cli/print_diff.h"

#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/support/shown_text.h"
#include "edits/text/pieces.h"

namespace bodkin {

bool use_colors(std::FILE* stream) {
  const char* no_color = os::getenv("NO_COLOR");
  const char* terminal = os::getenv("TERM");
  return os::is_terminal(stream) && (!no_color || !*no_color) && terminal &&
         std::string_view(terminal) != "dumb";
}

std::string coloured_diff(std::string_view diff, std::FILE* to, bool is_patch) {
  const bool colours = use_colors(to), is_exact = is_patch && !os::is_terminal(to);
  std::string text;
  for (const std::string_view line : split_lines(diff)) {
    const char* colour = !colours                                               ? ""
                         : line.starts_with("@@")                               ? "\033[36m"
                         : line.starts_with("+++ ") || line.starts_with("--- ") ? "\033[1m"
                         : line.starts_with('+')                                ? "\033[32m"
                         : line.starts_with('-')                                ? "\033[31m"
                                                                                : "";
    text += colour;
    text += is_exact ? std::string(line) : visible(line);
    text += *colour ? "\033[0m\n" : "\n";
  }
  return text;
}

void print_diff(std::string_view diff, std::FILE* to, bool is_patch) {
  const std::string text = coloured_diff(diff, to, is_patch);
  std::fwrite(text.data(), 1, text.size(), to);
}

}  // namespace bodkin
