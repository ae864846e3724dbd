#include "grammars/heads.h"

#include <algorithm>
#include <cstring>

#include "edits/text/line_keys.h"

namespace bodkin {

Head head_of(std::string_view text, const std::vector<Span>& spans, size_t begin) {
  Head head{begin, begin};
  auto next = std::ranges::lower_bound(spans, begin + 1, {}, &Span::end);
  size_t at = begin;
  while (next != spans.begin()) {
    const Span& span = *--next;
    if (span.end > at) continue;  // a comment inside of the attribute
    std::string_view between = text.substr(span.end, at - span.end);
    if (!is_blank_text(between)) break;
    // Rust's line comments hold their line end.
    const auto breaks =
        std::ranges::count(between, '\n') + (span.end > span.begin && text[span.end - 1] == '\n');
    if (span.is_macro && breaks > 1) break;  // BEGIN_NAMESPACE
    if (span.is_comment) {
      size_t line = span.begin;
      while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
      bool own_line = line == 0 || text[line - 1] == '\n' || text[line - 1] == '\r';
      // `#[inline]  // on the hot path`: the attribute's, whose turn is next.
      const bool behind_attribute =
          next != spans.begin() && std::prev(next)->end == line && !std::prev(next)->is_comment;
      if (behind_attribute) {
        at = span.begin;
        continue;
      }
      if (breaks > 1 || !own_line) break;
    } else {
      head.begin = span.begin;
    }
    at = head.comment_begin = span.begin;
  }
  return head;
}

size_t end_without_comments(std::string_view text, const std::vector<Span>& comments, size_t begin,
                            size_t end) {
  auto last = std::ranges::lower_bound(comments, end + 1, {}, &Span::end);
  while (last != comments.begin()) {
    const Span& span = *--last;
    if (span.begin <= begin || !is_blank_text(text.substr(span.end, end - span.end))) break;
    end = span.begin;
  }
  while (end > begin && std::strchr(" \t\r\n", text[end - 1])) --end;
  return end;
}

}  // namespace bodkin
