#include "lsp/cli/reversed_diff.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

namespace bodkin {

namespace {

// "12,3" or "12": how many lines.
std::optional<size_t> count_in(std::string_view range) {
  const size_t comma = range.find(',');
  if (comma == range.npos) return 1;
  size_t count = 0;
  const std::string_view digits = range.substr(comma + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return count;
}

struct Hunk {
  std::string_view before, after, rest;  // "1,2", "1,3", " int f()" of "@@ -1,2 +1,3 @@ int f()"
  size_t removed = 0, added = 0;         // lines, with those that stay
};

std::optional<Hunk> hunk_in(std::string_view line) {
  Hunk hunk;
  const size_t plus = line.find(" +"), end = line.find(" @@", 3);
  if (!line.starts_with("@@ -") || plus == line.npos || end == line.npos || end < plus)
    return std::nullopt;
  hunk.before = line.substr(4, plus - 4);
  hunk.after = line.substr(plus + 2, end - plus - 2);
  hunk.rest = line.substr(end + 3);
  const auto removed = count_in(hunk.before), added = count_in(hunk.after);
  if (!removed || !added) return std::nullopt;
  hunk.removed = *removed;
  hunk.added = *added;
  return hunk;
}

// "a/x.c" and "b/x.c" are one file.
std::string on_side(std::string_view path, char side) {
  if (!path.starts_with("a/") && !path.starts_with("b/")) return std::string(path);
  return side + std::string(path.substr(1));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::optional<std::string> reversed_diff(std::string_view diff) {
  std::string result;
  bool has_hunk = false;
  const auto lines = lines_of(diff);
  const auto put = [&](std::string_view start, std::string_view rest) {
    result += fmt::format("{}{}\n", start, rest);
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const auto rest_of = [&](std::string_view start) { return line.substr(start.size()); };
    if (const auto hunk = hunk_in(line)) {
      has_hunk = true;
      put("@@ -", fmt::format("{} +{} @@{}", hunk->after, hunk->before, hunk->rest));
      for (size_t removed = hunk->removed, added = hunk->added; removed > 0 || added > 0;) {
        if (++i == lines.size()) return std::nullopt;
        const char sign = lines[i].empty() ? ' ' : lines[i][0];
        const std::string_view text = lines[i].empty() ? lines[i] : lines[i].substr(1);
        if (sign == '\\') {  // "\ No newline at end of file"
          put("", lines[i]);
          continue;
        }
        if ((sign != '+' && removed-- == 0) || (sign != '-' && added-- == 0)) return std::nullopt;
        put(sign == '+' ? "-" : sign == '-' ? "+" : " ", text);
      }
    } else if (line.starts_with("diff --git a/") && line.contains(" b/")) {
      const size_t middle = line.find(" b/");
      put("diff --git ",
          on_side(line.substr(middle + 1), 'a') + " " + on_side(line.substr(11, middle - 11), 'b'));
    } else if (line.starts_with("--- ") && i + 1 < lines.size() &&
               lines[i + 1].starts_with("+++ ")) {
      put("--- ", on_side(lines[i + 1].substr(4), 'a'));
      put("+++ ", on_side(rest_of("--- "), 'b'));
      ++i;
    } else if (line.starts_with("new file mode ")) {
      put("deleted file mode ", rest_of("new file mode "));
    } else if (line.starts_with("deleted file mode ")) {
      put("new file mode ", rest_of("deleted file mode "));
    } else if (line.starts_with("rename from ") && i + 1 < lines.size() &&
               lines[i + 1].starts_with("rename to ")) {
      put("rename from ", lines[i + 1].substr(10));
      put("rename to ", rest_of("rename from "));
      has_hunk = true;
      ++i;
    } else if (line.starts_with("\\") || line.starts_with("index ") ||
               line.starts_with("similarity index ") || line.starts_with("old mode ") ||
               line.starts_with("new mode ")) {
      put("", line);
    } else {
      return std::nullopt;  // words, or what is no text
    }
  }
  return has_hunk ? std::optional(result) : std::nullopt;
}

}  // namespace bodkin
