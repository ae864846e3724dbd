#include "edits/place/sections.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "edits/place/block_tags.h"
#include "edits/place/section_heads.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

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

// "\\section{Heading}" of LaTeX: its level from 1; else 0.
size_t level_of_command(std::string_view text) {
  size_t level = 0;
  if (!text.starts_with('\\')) return 0;
  for (const std::string_view command : {"\\part", "\\chapter", "\\section", "\\subsection",
                                         "\\subsubsection", "\\paragraph", "\\subparagraph"}) {
    ++level;
    if (text.starts_with(command) && (text.substr(command.size()).starts_with('{') ||
                                      text.substr(command.size()).starts_with("*{") ||
                                      text.substr(command.size()).starts_with('[')))
      return level;
  }
  return 0;
}

// "## Heading": 2; "Heading" above "====" or "----": 1 or 2; else 0.
size_t level_of_heading(const MappedText& file, size_t line) {
  const std::string_view text = file.line(line);
  if (const size_t level = level_of_command(text)) return level;
  size_t level = 0;
  while (level < text.size() && text[level] == '#') ++level;
  if (level > 0) return level <= 6 && level < text.size() && text[level] == ' ' ? level : 0;
  if (line + 1 >= file.line_count() || !has_word(text) || depth_of(text) > 0) return 0;
  const std::string_view below = file.line(line + 1);
  constexpr size_t kLeast = 3;
  if (below.size() < kLeast || below.find_first_not_of(below[0]) != below.npos) return 0;
  // reStructuredText's further levels, in the order of its guide; as long as the heading.
  constexpr std::string_view kLevels = "=-~^\"+";
  level = kLevels.find(below[0]) + 1;
  return level <= 2 ||
                 (level <= kLevels.size() && below.size() >= text.size() && below.size() > kLeast)
             ? level
             : 0;
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

bool is_stage(std::string_view line) { return line.starts_with("FROM ") && !line.ends_with(';'); }

bool is_fence(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.starts_with("```") || text.starts_with("~~~");
}

// True for the line below a heading. Of "~" one may look like a fence.
bool underlines(const MappedText& file, size_t line) {
  return line > 0 && file.line(line - 1).find_first_of("#\\") != 0 &&
         level_of_heading(file, line - 1) > 0;
}

// What is at a head's depth and still belongs to its block.
bool continues_block(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (std::string_view("})]{").find(text.front()) != std::string_view::npos) return true;
  if (text.starts_with(": ") || text.starts_with("# ") || text == "#") return true;
  for (const std::string_view directive : {"#if", "#el", "#end", "#def", "#undef", "#pragma"})
    if (text.starts_with(directive)) return true;
  if (text == "public:" || text == "private:" || text == "protected:") return true;
  const std::string_view word = text.substr(0, text.find_first_of(" \t:;({"));
  for (const std::string_view known :
       {"else", "elif", "elseif", "elsif", "except", "finally", "catch", "rescue", "ensure", "end",
        "END", "done", "fi", "esac", "then", "do", "begin", "BEGIN", "where"})
    if (word == known) return true;
  return text.starts_with("</");
}

// The name of the element that the line opens and does not close.
std::string_view open_element(std::string_view line) {
  const std::string_view text = trimmed(line);
  size_t end = 1;
  while (end < text.size() && (is_word_char(text[end]) || text[end] == '-' || text[end] == ':'))
    ++end;
  if (!text.starts_with('<') || end == 1 || text.ends_with("/>")) return {};
  const std::string_view name = text.substr(1, end - 1);
  return text.find("</" + std::string(name)) == text.npos ? name : std::string_view();
}

// The line after the one that closes the element; nothing: none does.
std::optional<size_t> end_of_element(const MappedText& file, size_t head, size_t limit) {
  const std::string_view name = open_element(file.line(head));
  if (name.empty()) return std::nullopt;
  const std::string opens = "<" + std::string(name), closes = "</" + std::string(name);
  const auto count = [](std::string_view line, const std::string& tag) {
    size_t found = 0;
    for (size_t at = line.find(tag); at != line.npos; at = line.find(tag, at + 1))
      found += at + tag.size() == line.size() || !is_word_char(line[at + tag.size()]);
    return found;
  };
  size_t depth = 0;
  for (size_t i = head; i < limit; ++i) {
    const size_t closed = count(file.line(i), closes);
    depth += count(file.line(i), opens);
    if (closed >= depth) return i + 1;
    depth -= closed;
  }
  return std::nullopt;
}

// The line that a decorator, an attribute, a comment, or ".PHONY: all" belongs to; else the line.
size_t line_annotated_by(const MappedText& file, size_t line, size_t limit) {
  const auto annotates = [](std::string_view text) {
    if ((is_comment(text) && text.front() != '#') || (text.starts_with('[') && text.ends_with(']')))
      return true;
    return std::ranges::any_of(std::array<std::string_view, 4>{"@", "#[", "\"\"\"", ".PHONY:"},
                               [&](auto sign) { return text.starts_with(sign); });
  };
  if (is_table(file.line(line))) return line;
  size_t below = line;
  while (below < limit && annotates(trimmed(file.line(below)))) ++below;
  return below < limit && !is_blank(file.line(below)) &&
                 depth_of(file.line(below)) == depth_of(file.line(line))
             ? below
             : line;
}

// The line after the macro that begins here; `head` if none does.
size_t end_of_macro(const MappedText& file, size_t head, size_t limit) {
  const auto goes_on = [&](size_t i) { return trimmed(file.line(i)).ends_with('\\'); };
  if (!trimmed(file.line(head)).starts_with("#define") || !goes_on(head)) return head;
  size_t last = head;
  while (last + 1 < limit && goes_on(last)) ++last;
  return last + 1;
}

// Of SQL, which goes on to its ";" at one depth.
bool is_sql_statement(std::string_view line) {
  for (const std::string_view word :
       {"CREATE ", "ALTER ", "INSERT ", "SELECT ", "UPDATE ", "DELETE ", "DROP ", "GRANT ",
        "create ", "alter ", "insert ", "select ", "update ", "delete ", "drop ", "grant "})
    if (line.starts_with(word)) return true;
  return false;
}

size_t end_of_statement(const MappedText& file, size_t head, size_t limit) {
  bool quoted = false;  // between two "$$"
  for (size_t i = head; i < limit; ++i) {
    const std::string_view text = trimmed(file.line(i));
    for (size_t at = text.find("$$"); at != text.npos; at = text.find("$$", at + 2))
      quoted = !quoted;
    if (!quoted && i > head && is_sql_statement(file.line(i))) return i;
    if (!quoted && text.ends_with(';')) return i + 1;
  }
  return limit;
}

size_t without_blank_lines(const MappedText& file, size_t begin, size_t end) {
  while (end > begin + 1 && is_blank(file.line(end - 1))) --end;
  return end;
}

// The end of a section that the first line of its kind ends; no line in a fence is one.
template <class Ends>
size_t end_of_flat(const MappedText& file, size_t head, size_t limit, Ends ends) {
  bool fenced = false;
  size_t end = head + 1;
  for (; end < limit; ++end) {
    if (is_fence(file.line(end)) && !underlines(file, end)) fenced = !fenced;
    if (!fenced && ends(end)) break;
  }
  return without_blank_lines(file, head, end);
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
  if (is_stage(line)) return line;
  const size_t level = line.find_first_not_of('#');
  if (level == 0 || level == line.npos || line[level] != ' ') return {};
  return trimmed(line.substr(level));
}

bool heads_flat_section(const MappedText& file, size_t line) {
  return is_table(file.line(line)) || is_stage(file.line(line)) || level_of_heading(file, line) > 0;
}

LineRange section_of(const MappedText& file, size_t head, size_t limit) {
  const std::string_view line = file.line(head);
  if (const auto end = end_of_tagged(file, head, limit)) return {head, *end};
  if (const size_t end = end_of_macro(file, head, limit); end > head) return {head, end};
  if (const size_t below = line_annotated_by(file, head, limit); below > head)
    return {head, section_of(file, below, limit).end};
  if (const size_t level = level_of_heading(file, head))
    return {head, end_of_flat(file, head, limit, [&](size_t i) {
              const size_t other = level_of_heading(file, i);
              return other > 0 && other <= level;
            })};
  if (is_table(line))
    return {head, end_of_flat(file, head, limit, [&](size_t i) { return is_table(file.line(i)); })};
  if (is_stage(line))
    return {head, end_of_flat(file, head, limit, [&](size_t i) { return is_stage(file.line(i)); })};
  if (const auto end = end_of_element(file, head, limit)) return {head, *end};
  const size_t depth = depth_of(line), below = std::min(head + lines_of_head(file, head), limit),
               last = below - 1;
  const auto text_below = [&](size_t i) {
    return i < limit ? trimmed(file.line(i)) : std::string_view();
  };
  const bool opens = below > head + 1 || is_deeper_below(file, last) ||
                     trimmed(file.line(last)).ends_with('{') || text_below(below) == "{" ||
                     text_below(below) == "(";
  if (!opens && is_sql_statement(line)) return {head, end_of_statement(file, head, limit)};
  // In YAML a list may be as deep as its key.
  const bool lists = !opens && trimmed(line).ends_with(':') && text_below(below).starts_with("- ");
  if (!opens && !lists) limit = end_of_round_tags(file, below, limit);
  size_t end = below;
  for (size_t i = below; i < limit; ++i) {
    if (is_blank(file.line(i))) continue;
    const size_t here = depth_of(file.line(i));
    const bool item = lists && here == depth && trimmed(file.line(i)).starts_with("- ");
    if (here == depth && begins_sibling(line, file.line(i))) break;
    const bool is_list = i == below && trimmed(file.line(i)).starts_with('(');  // of parameters
    if ((opens || lists ? here <= depth : here < depth) && !item && !is_list &&
        !continues_block(file.line(i)))
      break;
    if (!opens && !lists && heads_flat_section(file, i)) break;
    end = i + 1;
  }
  return {head, end};
}

}  // namespace bodkin
