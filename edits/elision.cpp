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

namespace {

struct Words {
  std::string_view text;  // of a line, without the comment's signs
  bool comment = false, dots_before = false, dots_after = false;
  bool only_dots() const { return text.find_first_not_of(". \xE2\x80\xA6") == text.npos; }
};

Words words_of(std::string_view line) {
  Words words{stripped(line)};
  std::string_view& s = words.text;
  for (const std::string_view sign : {"{/*", "<!--", "//", "/*", "--", "#", "%", ";;", ";", "*"}) {
    if (s.starts_with(sign)) {
      s.remove_prefix(sign.size());
      words.comment = true;
      break;
    }
  }
  for (const std::string_view sign : {"*/}", "-->", "*/"}) {
    if (s.ends_with(sign)) s.remove_suffix(sign.size());
  }
  s = stripped(s);
  words.dots_before = s.starts_with("...") || s.starts_with("\xE2\x80\xA6");
  words.dots_after = s.ends_with("...") || s.ends_with("\xE2\x80\xA6");
  return words;
}

}  // namespace

bool is_elision(std::string_view line) {
  if (stripped(line).size() > 200) return false;
  const Words words = words_of(line);
  if (!words.dots_before && !words.dots_after)
    return words.comment && only_speaks_of_the_rest(words.text);
  if (words.only_dots()) return true;
  if (!words.comment) return false;
  std::string lower;
  for (const char c : words.text)
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view said : {"existing", "rest of", "unchanged", "same", "remain", "other",
                                      "omitted", "previous", "keep", "as before", "code", "more"}) {
    if (lower.find(said) != lower.npos) return true;
  }
  return false;
}

bool is_sure_elision(std::string_view line) {
  if (!is_elision(line)) return false;
  const Words words = words_of(line);
  return words.dots_before || only_speaks_of_the_rest(words.text);
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
