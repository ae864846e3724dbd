#include "edits/align/wrapped.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "edits/align/lines.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

// A carriage return within a line is no blank: some program ends a line there.
void append_without_blanks(std::string& out, std::string_view line) {
  std::ranges::copy_if(line, std::back_inserter(out),
                       [](char c) { return c == '\r' || !is_space(c); });
}

// The first line of the file that has the text, all blanks left out; nothing if it is not there
// exactly once, or begins or ends within a line.
std::optional<size_t> only_line_of(const MappedText& file, std::string_view text) {
  if (text.empty() || !file.spend(file.bytes().size() / 8)) return std::nullopt;
  std::string all;
  std::vector<size_t> begins;  // of each line in it, and the end of the last
  for (size_t i = 0; i < file.line_count(); ++i) {
    begins.push_back(all.size());
    append_without_blanks(all, file.line(i));
  }
  begins.push_back(all.size());
  const size_t at = all.find(text);
  if (at == all.npos || all.find(text, at + 1) != all.npos) return std::nullopt;
  const auto line = std::ranges::upper_bound(begins, at) - 1;  // behind blank ones
  if (*line != at || !std::ranges::binary_search(begins, at + text.size())) return std::nullopt;
  return static_cast<size_t>(line - begins.begin());
}

// The lines without what is around them, each behind a line feed but the first.
template <class Lines, class TextOf>
std::string joined(const Lines& lines, TextOf text_of) {
  std::string out;
  for (const auto& line : lines) {
    const std::string_view text = trimmed(text_of(line));
    if (text.empty()) continue;
    if (!out.empty()) out += '\n';
    out += text;
  }
  return out;
}

// True if what follows a comment in the next line would be part of it if both were one line.
bool has_comment_before_end(std::string_view text) {
  const size_t last = text.rfind('\n') + 1;
  for (size_t at = 0; at < last; ++at) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    const bool is_sign = is_among(text[at], ";%!") && (begins_line || text[at - 1] == ' ') &&
                         is_among(text[at + 1], " \n");  // of Lisp, TeX, Fortran
    if (is_sign || opens_comment(text.substr(at)) || (begins_line && text[at] == '#') ||
        (begins_line && is_comment(text.substr(at, text.find('\n', at) - at))))
      return true;
  }
  return false;
}

// True if one statement seems to end, and another to begin, where the lines of code `text` are
// parted between these bytes: outside of brackets, with no operator on either side.
bool ends_statement(std::string_view text, size_t end, size_t next) {
  long depth = 0;
  bool is_code = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (at < end) depth += is_among(text[at], "([{<") - is_among(text[at], ")]}>");
    is_code |=
        is_among(text[at], "=;") || (text[at] == '(' && at > 0 && is_word_char(text[at - 1]));
  }
  // In a string, or in the text between tags, a line feed is a blank.
  if (std::ranges::count(text.substr(0, end), '"') % 2 == 1 || text.contains("</")) return false;
  return is_code && depth <= 0 &&
         (is_word_char(text[end - 1]) || is_among(text[end - 1], ")]}\"';")) &&
         (is_word_char(text[next]) || is_among(text[next], "\"'@$"));
}

// True if both are one text, but for where its lines end. There, one may have a blank where the
// other has a line feed; and nothing at all within a bracket, and before a call of a result. All
// other blanks may mean something: they are in a string, between selectors, between words.
bool is_same_text(std::string_view one, std::string_view other) {
  if (has_comment_before_end(one) || has_comment_before_end(other)) return false;
  size_t i = 0, j = 0;
  while (i < one.size() && j < other.size()) {
    if (one[i] == other[j]) {
      ++i, ++j;
      continue;
    }
    const auto skip_blanks = [](std::string_view text, size_t& at) {
      const size_t begin = at;
      while (at < text.size() && (is_space(text[at]) || text[at] == '\n')) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view blanks = skip_blanks(one, i), others = skip_blanks(other, j);
    if (!blanks.contains('\n') && !others.contains('\n')) return false;
    if (!blanks.empty() && !others.empty()) {
      if (!blanks.contains('\n') && ends_statement(other, j - others.size(), j)) return false;
      continue;
    }
    const char before = one[i - blanks.size() - 1], after = i < one.size() ? one[i] : '\0';
    if (!is_among(before, "([{") && !is_among(after, ")]}") && !(before == ')' && after == '.'))
      return false;
  }
  return i == one.size() && j == other.size();
}

}  // namespace

std::shared_ptr<const Hunk> wrapped_as_in(const MappedText& file, const Hunk& hunk) {
  std::string quoted;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != Kind::added) append_without_blanks(quoted, line.text);
  const std::optional<size_t> first = only_line_of(file, quoted);
  if (!first) return nullptr;
  auto out = std::make_shared<Hunk>(hunk);
  out->lines.clear();
  // Rows of the quote and lines of the file, until both end at the same sign.
  std::vector<HunkLine> rows;
  std::vector<std::string_view> ours;
  std::string quote_so_far, file_so_far;
  size_t next = *first;
  for (const HunkLine& row : hunk.lines) {
    if (rows.empty() && (row.kind == Kind::added || is_blank(row.text))) {
      out->lines.push_back(row);
      continue;
    }
    rows.push_back(row);
    if (row.kind == Kind::added) continue;
    append_without_blanks(quote_so_far, row.text);
    while (file_so_far.size() < quote_so_far.size()) {
      const std::string_view line = file.line(next++);
      if (ours.empty() && is_blank(line)) continue;
      ours.push_back(line);
      append_without_blanks(file_so_far, line);
    }
    if (file_so_far.size() > quote_so_far.size()) continue;
    const bool is_same = rows.size() == 1 && ours.size() == 1;
    const auto quoted_of = [](const HunkLine& row) -> std::string_view {
      return row.kind == Kind::added ? std::string_view() : row.text;
    };
    if (indentation_of(rows[0].text) != indentation_of(ours[0]) ||
        !(is_same ? same_under(loose_key, rows[0].text, ours[0])
                  : is_same_text(joined(rows, quoted_of), joined(ours, std::identity()))))
      return nullptr;
    const bool is_kept =
        std::ranges::all_of(rows, [](const HunkLine& one) { return one.kind == Kind::context; });
    for (const std::string_view line : ours)
      out->lines.push_back({is_same   ? rows[0].kind
                            : is_kept ? Kind::context
                                      : Kind::removed,
                            std::string(line)});
    if (!is_kept && !is_same)
      for (const HunkLine& one : rows)
        if (one.kind != Kind::removed) out->lines.push_back({Kind::added, one.text});
    rows.clear(), ours.clear();
  }
  return out;
}

}  // namespace bodkin
