#include "agent/tools/shown_matches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "agent/context/symbols.h"
#include "agent/workspace/secrets.h"
#include "edits/text/shortened.h"

namespace bodkin {

std::string shown_line(const std::string& path, char mark, std::string_view number,
                       std::string_view text, bool has_number) {
  return has_number ? fmt::format("{}{}{}{} {}\n", path, mark, number, mark, text)
                    : fmt::format("{}{} {}\n", path, mark, text);
}

std::vector<std::string> with_context(const std::string& path,
                                      const std::vector<std::string>& matches, const Text& text,
                                      const Around& around, bool has_number) {
  std::map<size_t, std::string_view> found;  // by line, from 1
  for (const std::string& match : matches) {
    const size_t colon = match.find(": ");
    if (colon != match.npos)
      found[std::strtoul(match.c_str(), nullptr, 10)] = std::string_view(match).substr(colon + 2);
  }
  std::vector<std::string> lines;
  size_t next = 1;  // the first line that is not shown yet
  for (const auto& [number, match] : found) {
    const size_t begin = std::max(next, number - std::min(number - 1, around.before));
    if (begin > next && !lines.empty()) lines.emplace_back("--\n");
    const size_t count = line_count_of(text), end = std::min(number + around.after, count);
    for (size_t at = begin; at <= std::max(end, number); ++at) {
      const auto own = found.find(at);
      const bool is_match = own != found.end();
      if (!is_match && at > count) continue;
      std::string line = is_match ? std::string(own->second) : text.line(at - 1);
      if (!is_match) line = shortened_to(hide_secrets(line), kMaxMatchBytes);
      lines.push_back(shown_line(path, is_match ? ':' : '-', std::to_string(at), line, has_number));
    }
    next = std::max(next, std::max(end, number) + 1);
  }
  return lines;
}

}  // namespace bodkin
