#include "lsp/cli/print_diff.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "agent/support/shown_text.h"

namespace bodkin {

bool use_colors(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(::fileno(stream)) && (!no_color || !*no_color) && terminal &&
         std::string_view(terminal) != "dumb";
}

void print_diff(std::string_view diff, std::FILE* to) {
  const bool colours = use_colors(to);
  for (size_t at = 0; at < diff.size();) {
    const size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string_view line = diff.substr(at, end - at);
    const char* colour = !colours                                               ? ""
                         : line.starts_with("@@")                               ? "\033[36m"
                         : line.starts_with("+++ ") || line.starts_with("--- ") ? "\033[1m"
                         : line.starts_with('+')                                ? "\033[32m"
                         : line.starts_with('-')                                ? "\033[31m"
                                                                                : "";
    std::fputs(colour, to);
    put(to, line);
    std::fputs(*colour ? "\033[0m\n" : "\n", to);
    at = end + 1;
  }
}

}  // namespace bodkin
