#include "agent/loop/tags.h"

#include <algorithm>
#include <utility>

namespace bodkin {

namespace {

constexpr size_t kMaxTag = 500;  // bytes

// At the '<' that begins `text`: the length of the tag, 0 if it is not one, npos if that is not
// known before more has arrived.
size_t tag_at(std::string_view text, std::span<const std::string> names) {
  for (const std::string& name : names) {
    for (const std::string& start : {"<" + name, "</" + name}) {
      const std::string_view common = text.substr(0, start.size());
      if (!start.starts_with(common)) continue;
      if (common.size() < start.size() || text.size() == start.size()) return text.npos;
      const char next = text[start.size()];
      if (next != '>' && next != ' ' && next != '/') continue;
      const size_t end = text.find_first_of(">\n", start.size());
      if (end == text.npos && text.size() < kMaxTag) return text.npos;
      if (end != text.npos && text[end] == '>') return end + 1;
    }
  }
  return 0;
}

// `rest`: becomes the text held back.
std::string filtered(std::string_view text, std::span<const std::string> names, std::string* rest) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = std::min(text.find('<', at), text.size());
    result += text.substr(at, begin - at);
    if (begin == text.size()) break;
    const size_t length = tag_at(text.substr(begin), names);
    if (length == text.npos && rest) {
      *rest = text.substr(begin);
      break;
    }
    if (length == 0 || length == text.npos) result += '<';
    at = begin + (length == 0 || length == text.npos ? 1 : length);
  }
  return result;
}

}  // namespace

std::string without_tags(std::string_view text, std::span<const std::string> names) {
  std::string result = filtered(text, names, nullptr);
  const size_t begin = result.find_first_not_of('\n');
  return names.empty() || begin == std::string::npos ? result : result.substr(begin);
}

std::string TagFilter::add(std::string_view piece) {
  const std::string text = std::exchange(held_, "") + std::string(piece);
  return filtered(text, names_, &held_);
}

std::string TagFilter::end() { return std::exchange(held_, ""); }

}  // namespace bodkin
