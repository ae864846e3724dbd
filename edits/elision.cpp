#include "edits/elision.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "edits/line_keys.h"

namespace bodkin {

namespace {

// Without dots it must say nothing else: "existing code", "[rest of the function remains the same]".
bool only_speaks_of_the_rest(std::string_view text) {
  constexpr std::string_view kRest[] = {"existing", "rest", "remaining", "unchanged", "omitted"};
  constexpr std::string_view kOther[] = {
      "code",  "of",    "the",    "remains", "remain", "stays",   "stay",      "same",
      "as",    "before", "is",    "are",     "here",   "file",    "function",  "class",
      "method", "methods", "imports", "functions", "implementation", "goes", "component"};
  size_t words = 0;
  bool rest = false;
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower >= 'a' && lower <= 'z') {
      word += lower;
      continue;
    }
    if (std::string_view(" ()[]<>.,-*").find(c) == std::string_view::npos) return false;
    if (word.empty()) continue;
    const bool is_rest = std::find(std::begin(kRest), std::end(kRest), word) != std::end(kRest);
    if (!is_rest && std::find(std::begin(kOther), std::end(kOther), word) == std::end(kOther))
      return false;
    rest |= is_rest;
    ++words;
    word.clear();
  }
  return rest && words > 1;
}

}  // namespace

bool is_elision(std::string_view line) {
  std::string_view s = stripped(line);
  if (s.size() > 200) return false;
  bool comment = false;
  for (const std::string_view sign : {"{/*", "<!--", "//", "/*", "--", "#", "%", ";;", ";", "*"}) {
    if (s.starts_with(sign)) {
      s.remove_prefix(sign.size());
      comment = true;
      break;
    }
  }
  for (const std::string_view sign : {"*/}", "-->", "*/"}) {
    if (s.ends_with(sign)) s.remove_suffix(sign.size());
  }
  s = stripped(s);
  const bool dots_before = s.starts_with("...") || s.starts_with("\xE2\x80\xA6");
  const bool dots_after = s.ends_with("...") || s.ends_with("\xE2\x80\xA6");
  if (!dots_before && !dots_after) return comment && only_speaks_of_the_rest(s);
  if (s.find_first_not_of(". \xE2\x80\xA6") == s.npos) return true;  // only dots
  if (!comment) return false;
  std::string lower;
  for (const char c : s) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view said : {"existing", "rest of", "unchanged", "same", "remain", "other",
                                      "omitted", "previous", "keep", "as before", "code", "more"}) {
    if (lower.find(said) != lower.npos) return true;
  }
  return false;
}

std::vector<char> elisions_of(const std::vector<std::string_view>& lines) {
  std::vector<char> elided(lines.size(), 0);
  std::string_view above;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view s = stripped(lines[i]);
    const bool body = s == "..." && above.ends_with(':');
    elided[i] = !body && is_elision(s);
    if (!s.empty()) above = s;
  }
  return elided;
}

}  // namespace bodkin
