#include "edits/place/sections.h"

#include <algorithm>

#include "edits/text/comments.h"

namespace bodkin {
namespace {

constexpr size_t kMaxLines = 40, kLongest = 400;  // lines of a head, and bytes of one

// What a line is in while it is read from its begin: a string, a comment, or code.
class Reading {
 public:
  bool is_code() const { return !quote_ && !comment_; }

  // Goes on after the character at `i`. False: a comment begins there.
  bool step(std::string_view line, size_t i) {
    if (escaped_) {
      escaped_ = false;
    } else if (quote_) {
      escaped_ = line[i] == '\\';
      if (line[i] == quote_) quote_ = 0;
    } else if (line[i] == '"' || line[i] == '`' ||
               (line[i] == '\'' && (i == 0 || !is_word_char(line[i - 1])))) {
      quote_ = line[i];
    } else {
      if (std::string_view("/#-<*;").find(line[i]) == std::string_view::npos) return true;
      const std::string_view rest = line.substr(i);
      comment_ = opens_comment(rest);
      comment_ = comment_ || (i == 0 && (rest.starts_with("* ") || rest.starts_with(';')));
    }
    return !comment_;
  }

 private:
  char quote_ = 0;
  bool escaped_ = false, comment_ = false;
};

// "## Heading": 2; else 0.
size_t level_of_heading(std::string_view line) {
  const size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level <= 6 && level < line.size() && line[level] == ' ' ? level : 0;
}

// "[a.b]", "[[a]]", perhaps with a comment after it.
bool is_table(std::string_view line) {
  if (!line.starts_with('[')) return false;
  const size_t end = line.find(']');
  if (end == line.npos || !has_word(line.substr(0, end))) return false;
  if (line.substr(0, end).find_first_of(",(") != line.npos) return false;
  const std::string_view rest = trimmed(line.substr(line.find_first_not_of(']', end) == line.npos
                                                        ? line.size()
                                                        : line.find_first_not_of(']', end)));
  return rest.empty() || rest.front() == '#' || rest.front() == ';';
}

bool is_fence(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.starts_with("```") || text.starts_with("~~~");
}

// What is at a head's depth and still belongs to its block.
bool continues_block(std::string_view line) {
  const std::string_view text = trimmed(line);
  return std::string_view("})]{#").find(text.front()) != std::string_view::npos ||
         text.starts_with(": ") || text.starts_with("</") ||
         is_one_of(first_word(text), {"public", "private", "protected", "else", "elif", "elseif",
                                      "elsif", "except", "finally", "catch", "rescue", "ensure",
                                      "end", "done", "fi", "then", "do", "begin", "where"});
}

// The line that a decorator or an attribute belongs to; else the line.
size_t line_annotated_by(const MappedText& file, size_t line, size_t limit) {
  const auto annotates = [](std::string_view text) {
    return text.starts_with('@') || text.starts_with("#[");
  };
  size_t below = line;
  while (below < limit && annotates(trimmed(file.line(below)))) ++below;
  return below < limit && depth_of(file.line(below)) == depth_of(file.line(line)) ? below : line;
}

// What the lines that head sections of one kind begin with: the first word, with the signs before
// it.
std::string_view begin_of(std::string_view line) {
  line = trimmed(line);
  size_t end = 0;
  while (end < line.size() && !is_word_char(line[end])) ++end;
  while (end < line.size() && is_word_char(line[end])) ++end;
  return line.substr(0, end);
}

// The end of a section that the first line of its kind ends; no line in a fence is one.
template <class Ends>
size_t end_of_flat(const MappedText& file, size_t head, size_t limit, Ends ends) {
  bool fenced = false;
  size_t end = head + 1;
  for (; end < limit && (fenced || !ends(file.line(end))); ++end)
    if (is_fence(file.line(end))) fenced = !fenced;
  while (end > head + 1 && is_blank(file.line(end - 1))) --end;
  return end;
}

}  // namespace

bool ends_in_opener(std::string_view line) {
  const std::string_view text = trimmed(line);
  return !text.empty() && std::string_view(":{([").find(text.back()) != std::string_view::npos;
}

// True if `at` is in code, not in a comment or a string.
bool is_code(std::string_view line, size_t at) {
  Reading reading;
  for (size_t i = 0; i < at && reading.step(line, i); ++i) {
  }
  return reading.is_code();
}

bool is_deeper_below(const MappedText& file, size_t line) {
  size_t next = line + 1;
  while (next < file.line_count() && is_blank(file.line(next))) ++next;
  return next < file.line_count() &&
         indentation_of(file.line(next)).size() > indentation_of(file.line(line)).size();
}

size_t open_brackets(std::string_view line, size_t open) {
  Reading reading;
  for (size_t i = 0; i < line.size(); ++i) {
    if (reading.is_code()) {
      if (line[i] == '(' || line[i] == '[') ++open;
      if ((line[i] == ')' || line[i] == ']') && open > 0) --open;
    }
    if (!reading.step(line, i)) break;
  }
  return open;
}

std::string_view flat_section_name(std::string_view line) {
  if (is_table(line)) return line.substr(0, line.find(']') + 1);
  const size_t level = level_of_heading(line);
  return level > 0 ? trimmed(line.substr(level)) : std::string_view();
}

bool heads_flat_section(const MappedText& file, size_t line) {
  return is_table(file.line(line)) || level_of_heading(file.line(line)) > 0;
}

size_t lines_of_head(const MappedText& file, size_t head) {
  size_t open = 0;
  for (size_t end = head; end < std::min(file.line_count(), head + kMaxLines); ++end) {
    if (file.line(end).size() > kLongest) return 1;
    open = open_brackets(file.line(end), open);
    if (open == 0) return end + 1 - head;
  }
  return 1;
}

size_t begin_of_head(const MappedText& file, size_t line) {
  if (!ends_in_opener(file.line(line))) return line;
  const size_t first = line > kMaxLines ? line - kMaxLines : 0;
  for (size_t i = line; i-- > first && !is_blank(file.line(i));)
    if (open_brackets(file.line(i)) > 0 && lines_of_head(file, i) == line - i + 1) return i;
  return line;
}

LineRange section_of(const MappedText& file, size_t head, size_t limit) {
  const std::string_view line = file.line(head);
  if (const size_t below = line_annotated_by(file, head, limit); below > head)
    return {head, section_of(file, below, limit).end};
  if (const size_t level = level_of_heading(line))
    return {head, end_of_flat(file, head, limit, [&](std::string_view other) {
              return level_of_heading(other) > 0 && level_of_heading(other) <= level;
            })};
  if (is_table(line)) return {head, end_of_flat(file, head, limit, is_table)};
  const size_t depth = depth_of(line), below = std::min(head + lines_of_head(file, head), limit);
  const auto text_below = [&](size_t i) {
    return i < limit ? trimmed(file.line(i)) : std::string_view();
  };
  const bool opens = below > head + 1 || is_deeper_below(file, below - 1) ||
                     trimmed(file.line(below - 1)).ends_with('{') || text_below(below) == "{";
  // In YAML a list may be as deep as its key.
  const bool lists = !opens && trimmed(line).ends_with(':') && text_below(below).starts_with("- ");
  // "FROM b" below "FROM a", "{% block b %}" below "{% block a %}"; imports head all that follows.
  const bool is_import = is_one_of(
      begin_of(line), {"import", "from", "use", "using", "#include", "const", "let", "var"});
  size_t end = below;
  for (size_t i = below; i < limit; ++i) {
    if (is_blank(file.line(i))) continue;
    const size_t here = depth_of(file.line(i));
    const bool item = lists && here == depth && trimmed(file.line(i)).starts_with("- ");
    if (!lists && here == depth && !is_import && begin_of(file.line(i)) == begin_of(line)) break;
    if ((opens || lists ? here <= depth : here < depth) && !item && !continues_block(file.line(i)))
      break;
    if (!opens && !lists && heads_flat_section(file, i)) break;
    end = i + 1;
  }
  return {head, end};
}

}  // namespace bodkin
