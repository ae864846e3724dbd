#include "edits/elision.h"

#include <string>

#include "edits/line_keys.h"

namespace bodkin {

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
  if (!dots_before && !dots_after) return false;
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
