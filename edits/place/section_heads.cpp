#include "edits/place/section_heads.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "edits/place/sections.h"

namespace bodkin {
namespace {

constexpr size_t kMaxLines = 40, kLongest = 400;  // lines of a head, and bytes of one

std::string_view last_word(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && is_word_char(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool leaves_head_open(std::string_view line) {
  const std::string_view text = trimmed(line);
  return is_one_of(last_word(text), {"extends", "implements", "with", "throws", "where"}) ||
         text.ends_with(" :") || text.ends_with("->");
}

bool continues_head(std::string_view line) {
  const std::string_view text = trimmed(line);
  return is_one_of(first_word(text), {"extends", "implements", "permits", "when", "where", "with",
                                      "throws", "requires", "noexcept"}) ||
         text.starts_with(": ") || text.starts_with("->");
}

// "<Box", whose attributes are below it.
bool opens_tag(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.size() > 1 && text[0] == '<' && std::isalpha(static_cast<unsigned char>(text[1])) &&
         text.find('>') == text.npos;
}

bool ends_tag(std::string_view line) { return trimmed(line).ends_with('>'); }

// True if the head continues below line `end - 1`, in deeper lines.
bool goes_on(const MappedText& file, size_t head, size_t end, bool has_gone_on) {
  if (end >= file.line_count() || is_blank(file.line(end)) ||
      depth_of(file.line(end)) <= depth_of(file.line(head)))
    return false;
  const std::string_view last = trimmed(file.line(end - 1));
  if (last.ends_with('{') || last.ends_with(';') || last.ends_with(" do")) return false;
  return leaves_head_open(last) || continues_head(file.line(end)) ||
         (has_gone_on && last.ends_with(','));
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool declares(std::string_view text) {
  return is_one_of(lower(first_word(text)), {"procedure", "function", "constructor", "destructor",
                                             "sub", "subroutine", "proc", "program"});
}

// The name before the "::" of a signature.
std::string_view signed_name(std::string_view text) {
  const std::string_view name = first_word(text);
  return trimmed(text.substr(name.size())).starts_with(":: ") ? name : std::string_view();
}

bool is_label(std::string_view text) {
  return text.size() > 1 && text[0] == ':' && is_word_char(text[1]);
}

}  // namespace

size_t lines_of_head(const MappedText& file, size_t head) {
  const size_t depth = depth_of(file.line(head));
  size_t open = 0, end = head;
  bool listed = false, has_gone_on = false, in_tag = opens_tag(file.line(head));
  while (end < file.line_count() && end < head + kMaxLines) {
    const std::string_view line = file.line(end++);
    if (line.size() > kLongest) return 1;
    if (in_tag) {
      if (ends_tag(line)) return end - head;
      continue;
    }
    open = open_brackets(line, open);
    // ".a," above ".b {"
    const bool list = trimmed(line).ends_with(',') && end < file.line_count() &&
                      depth_of(file.line(end)) == depth && !is_blank(file.line(end));
    listed = listed || (list && open == 0);
    if (open > 0 || list) continue;
    if (goes_on(file, head, end, has_gone_on)) {
      has_gone_on = true;
      continue;
    }
    return listed && !trimmed(line).ends_with('{') ? 1 : end - head;
  }
  return 1;
}

size_t begin_of_head(const MappedText& file, size_t line) {
  if (!ends_in_opener(file.line(line))) return line;
  const size_t first = line > kMaxLines ? line - kMaxLines : 0;
  for (size_t i = line; i-- > first && !is_blank(file.line(i));)
    if (lines_of_head(file, i) == line - i + 1 && open_brackets(file.line(i)) > 0) return i;
  return line;
}

bool begins_sibling(std::string_view head, std::string_view line) {
  const std::string_view first = trimmed(head), other = trimmed(line);
  if (declares(first) && declares(other)) return true;
  if (is_label(first) && is_label(other)) return true;
  const std::string_view name = signed_name(first);
  return !name.empty() && is_word_char(other[0]) && first_word(other) != name;
}

}  // namespace bodkin
