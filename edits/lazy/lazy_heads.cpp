#include "edits/lazy/lazy_heads.h"

#include <algorithm>
#include <string>

#include "edits/place/leaves_out.h"
#include "edits/place/tokens.h"
#include "edits/place/write.h"
#include "edits/plan/elision.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kShortestName = 5;  // letters

// The longest word of a head is its name, or no other head's.
bool belongs_to(std::string_view line, std::string_view head) {
  if (is_comment_or_prose(line) || line.starts_with('@') || line.starts_with("*/") ||
      (line.starts_with('[') && line.ends_with(']')))
    return true;
  std::string_view name;
  for (const std::string_view word : tokens_of(head))
    if (has_word(word) && word.size() > name.size()) name = word;
  return name.size() >= kShortestName && line.find(name) != line.npos;
}

bool is_shown_without_body(const ReplyLines& sketch, std::string_view head) {
  bool is_below = false;
  for (const std::string_view line : sketch.lines) {
    if (is_blank(line)) continue;
    if (is_below && is_elision(line)) return true;
    is_below = trimmed(line) == head;
  }
  return false;
}

}  // namespace

std::optional<std::string_view> stripped_head(const ReplyLines& sketch, const MappedText& file,
                                              const std::vector<Replacement>& edits) {
  const auto brings = [](const Replacement& edit) {
    return edit.text.find_first_not_of(" \t\r\n") != edit.text.npos;
  };
  if (std::ranges::none_of(edits, brings)) return std::nullopt;
  for (const Replacement& edit : edits) {
    if (edit.length == 0 || brings(edit)) continue;
    const std::vector<std::string> goes = lines_of(file.bytes().substr(edit.offset, edit.length));
    const size_t end = edit.offset + edit.length;
    const size_t below = file.line_at(end);
    if (goes.empty() || end >= file.bytes().size() || file.begin_of(below) != end) continue;
    const std::string_view head = trimmed(file.line(below)), above = trimmed(goes.back());
    if (has_word(head) && !above.empty() && belongs_to(above, head) &&
        is_shown_without_body(sketch, head))
      return head;
  }
  return std::nullopt;
}

}  // namespace bodkin
