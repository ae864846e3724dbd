#include "lsp/sessions/insertion_anchor.h"

#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kFurthest = 50;  // lines on each side

}  // namespace

bool is_line_begin(const Text& text, size_t offset) {
  if (offset == 0) return true;
  const std::string before = text.substr(offset - 1, 1);
  return before == "\n" || before == "\r";
}

InsertionAnchor anchor_at(const Text& text, size_t place) {
  const size_t line = text.line_of(place);
  size_t first = line, next = line;
  for (size_t far = 0; first > 0 && far < kFurthest; ++far)
    if (!is_blank(text.line(--first))) break;
  for (size_t far = 0; next < text.line_count() && far < kFurthest; ++far)
    if (!is_blank(text.line(next++))) break;
  const size_t begin = text.line_begin(first);
  const size_t end = next < text.line_count() ? text.line_begin(next) : text.size();
  return {text.substr(begin, place - begin), text.substr(place, end - place)};
}

bool stands_at(const InsertionAnchor& anchor, const Text& text, size_t place) {
  if (place < anchor.above.size() || place > text.size()) return false;
  const size_t begin = place - anchor.above.size();
  return text.substr(begin, anchor.above.size()) == anchor.above &&
         text.substr(place, anchor.below.size()) == anchor.below &&
         (begin == text.size() || is_line_begin(text, begin)) &&
         (!anchor.above.empty() || place == 0) && (!anchor.below.empty() || place == text.size());
}

std::optional<size_t> place_of(const InsertionAnchor& anchor, const Text& text) {
  const std::string bytes = text.str(), wanted = anchor.above + anchor.below;
  std::optional<size_t> found;
  if (wanted.empty()) return bytes.empty() ? found = 0 : found;
  for (size_t at = find_bytes(bytes, wanted); at != std::string::npos;
       at = find_bytes(bytes, wanted, at + 1)) {
    if (!stands_at(anchor, text, at + anchor.above.size())) continue;
    if (found) return std::nullopt;
    found = at + anchor.above.size();
  }
  return found;
}

}  // namespace bodkin
