#include "edits/place/frame.h"

#include <algorithm>
#include <string>

#include "edits/place/block_tags.h"
#include "edits/place/tokens.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

size_t depth_of(std::string_view line) { return indentation_of(line).size(); }

// What is at any depth and opens no block of its own: "{", "#if", "public:", "} else {".
bool cannot_open_block(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (!has_word(text)) return true;
  if (std::string_view("#})]").find(text.front()) != std::string_view::npos) return true;
  return text == "public:" || text == "private:" || text == "protected:";
}

bool is_attribute(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.starts_with('@') || text.starts_with("#[") || text.starts_with("template");
}

// A comment or an attribute belongs to what is below it.
bool annotates_next_line(std::string_view line) { return is_comment(line) || is_attribute(line); }

// Of C#, C and C++: above a declaration; "[x]" alone may be a table of TOML, or a list.
bool is_attribute_above(std::string_view line) {
  const std::string_view text = trimmed(line);
  return is_attribute(text) || text.starts_with('[') || text.starts_with("__attribute__") ||
         text.starts_with("__declspec");
}

// A declaration of one line, as far as its keyword says so. "static void" alone is half a one.
bool is_one_line_declaration(std::string_view line) {
  if (line.starts_with("static ") || line.starts_with("extern "))
    return line.find_first_of(";=({") != line.npos;
  for (const std::string_view word :
       {"import ", "from ", "export ", "const ", "let ", "var ", "type ", "using ", "#include ",
        "#define ", "package ", "use ", "pub ", "local "})
    if (line.starts_with(word)) return true;
  return false;
}

// "T["a test"] = function()".
bool is_assigned_function(std::string_view line) {
  const size_t equals = line.find(" = ");
  return equals != line.npos && (line.find("function(", equals) != line.npos ||
                                 line.find("function (", equals) != line.npos);
}

bool is_import(std::string_view line) {
  for (const std::string_view word : {"import ", "from ", "use ", "using ", "package ", "#include",
                                      "#pragma", "require", "extern crate"})
    if (line.starts_with(word)) return true;
  return false;
}

}  // namespace

Frame::Frame(const MappedText& file, size_t first, size_t last) : file_(file), first_(first) {
  for (size_t i = first; i < last; ++i) lines_.push_back(file.line(i));
}

bool Frame::is_in_preamble(size_t line) const {
  constexpr size_t kLongest = 200;  // lines
  if (first_ + line >= kLongest) return false;
  bool in_comment = false;
  for (size_t i = 0; i < std::min(kLongest, file_.line_count()); ++i) {
    const std::string_view text = file_.line(i);
    if (!in_comment && i >= first_ + line && is_import(text)) return true;
    in_comment = in_comment || text.starts_with("/*");
    const bool fits = in_comment || !has_word(text) || is_comment(text) || text.starts_with("#!") ||
                      is_import(text);
    if (!fits) return false;
    if (in_comment && text.find("*/") != text.npos) in_comment = false;
  }
  return false;
}

bool Frame::is_declaration(size_t line) const {
  const std::string_view text = lines_[line];
  if (depth_of(text) == 0 && is_one_line_declaration(text)) return true;
  if (is_assigned_function(text) || has_word(declared_name(text))) return true;
  const bool brace_below = line + 1 < lines_.size() && trimmed(lines_[line + 1]) == "{";
  return brace_below && has_word(declared_name(std::string(text) + " {"));
}

// Of namespaces whose contents are not indented, the file may have lost the one that is meant.
bool Frame::has_namespaces() const {
  if (!file_.spend(file_.line_count())) return true;
  size_t count = 0;
  bool adjacent = false;
  for (size_t i = 0; i < file_.line_count() && count < 2; ++i) {
    const std::string_view line = file_.line(i);
    const bool opens = line.starts_with("namespace") && trimmed(line).ends_with('{');
    count += opens && !adjacent;
    if (!is_blank(line)) adjacent = opens;
  }
  return count > 1;
}

bool Frame::occurs_once_in_file(size_t line) const {
  std::vector<size_t> found;
  return file_.spend(file_.cost_of_search()) && !has_namespaces() &&
         file_.lines_with(trimmed(lines_[line]), 2, found) && found.size() == 1;
}

// Signs alone are of the line with words that they open or close.
size_t Frame::line_with_words(size_t line) const {
  if (has_word(lines_[line])) return line;
  for (size_t i = line; i-- > 0;)
    if (has_word(lines_[i]) && depth_of(lines_[i]) <= depth_of(lines_[line])) return i;
  return line;
}

std::vector<size_t> Frame::heads_of(size_t line) const {
  std::vector<size_t> heads;
  size_t depth = depth_of(lines_[line]);
  for (size_t i = line; i-- > 0 && depth > 0;) {
    if (is_blank(lines_[i]) || depth_of(lines_[i]) >= depth || cannot_open_block(lines_[i]))
      continue;
    depth = depth_of(lines_[i]);
    heads.push_back(i);
  }
  return heads;
}

std::optional<size_t> Frame::name_of(size_t line) const {
  if (is_blank(lines_[line])) return std::nullopt;
  if (depth_of(lines_[line]) <= 1)  // of a comment in a box
    while (annotates_next_line(lines_[line]) && line + 1 < lines_.size() &&
           !is_blank(lines_[line + 1]))
      ++line;
  line = line_with_words(line);
  const std::vector<size_t> heads = heads_of(line);
  const size_t top = heads.empty() ? line : heads.back();
  if (depth_of(lines_[top]) > 0 || annotates_next_line(lines_[top])) return std::nullopt;
  if (is_declaration(top)) return occurs_once_in_file(top) ? std::optional(top) : std::nullopt;
  // "typedef struct {": its name is after it.
  if (!trimmed(lines_[top]).starts_with("typedef")) return std::nullopt;
  for (size_t i = top + 1; i < lines_.size(); ++i) {
    if (is_blank(lines_[i]) || depth_of(lines_[i]) > 0) continue;
    return lines_[i].starts_with('}') && has_word(lines_[i]) && occurs_once_in_file(i)
               ? std::optional(i)
               : std::nullopt;
  }
  return std::nullopt;
}

bool Frame::encloses(size_t head, size_t line) const {
  if (head >= line) return false;
  if (const auto end = end_of_tagged(file_, first_ + head, file_.line_count()))
    return first_ + line < *end;
  if (!trimmed(lines_[head]).ends_with('{')) return false;
  size_t open = 1;
  for (size_t i = head + 1; i < line; ++i)
    for (const char c : lines_[i]) {
      if (c == '{') ++open;
      if (c == '}' && --open == 0) return false;
    }
  return true;
}

// "rule(", "name = …,", ")": its name is one of its lines, and they are all here.
bool Frame::is_in_whole_entry_without(size_t change, size_t other) const {
  const std::vector<size_t> heads = heads_of(change);
  if (heads.empty() || depth_of(lines_[heads.back()]) > 0) return false;
  const size_t begin = heads.back();
  size_t end = begin + 1, once = 0;
  while (end < lines_.size() && (is_blank(lines_[end]) || depth_of(lines_[end]) > 0)) ++end;
  if (end == lines_.size() || (begin <= other && other <= end)) return false;
  const size_t bracket = std::string_view("([{").find(trimmed(lines_[begin]).back());
  if (bracket == std::string_view::npos || lines_[end].front() != ")]}"[bracket]) return false;
  for (size_t i = begin; i < end; ++i) once += has_word(lines_[i]) && occurs_once_in_file(i);
  return once > 1;
}

bool Frame::is_complete_around(size_t change, size_t other) const {
  const std::optional<size_t> name = name_of(change);
  if (!name || name == other || name != name_of(other) || *name > std::min(change, other))
    return false;
  for (size_t i = *name + 1; i < lines_.size(); ++i) {
    if (is_blank(lines_[i]) || depth_of(lines_[i]) > 0 || lines_[i] == "{") continue;
    return i > std::max(change, other) && lines_[i].starts_with('}');
  }
  return false;
}

bool Frame::is_in_attribute_of(size_t name, size_t line) const {
  const std::vector<size_t> heads = heads_of(line);
  size_t top = heads.empty() ? line : heads.back();
  if (!is_attribute_above(lines_[top])) return false;
  while (++top < name) {
    const std::string_view text = lines_[top];
    const bool goes_on = depth_of(text) > 0 || (!is_blank(text) && !has_word(text));
    if (!goes_on && !annotates_next_line(text) && !is_attribute_above(text)) return false;
  }
  return top == name;
}

bool Frame::identifies(size_t change, size_t other) const {
  if (change == other || encloses(other, change)) return false;
  if (is_in_preamble(change)) return true;
  const std::optional<size_t> name = name_of(change), name_of_other = name_of(other);
  if (name == other) return false;
  if (name &&
      ((name == name_of_other && is_attribute(lines_[other])) || is_in_attribute_of(*name, other)))
    return false;
  if (!name)
    return (name_of_other && *name_of_other != other && change < *name_of_other) ||
           is_in_whole_entry_without(change, other);
  if (name != name_of_other || change == *name) return true;
  // Both are in one declaration: no block in it may have both.
  const std::vector<size_t> round = heads_of(line_with_words(change)),
                            round_other = heads_of(other);
  if (std::ranges::find(round, other) != round.end()) return false;
  if (round.empty() || round_other.empty()) return true;
  const auto common = std::ranges::find_if(round, [&](size_t head) {
    return std::ranges::find(round_other, head) != round_other.end();
  });
  return common == round.end() || is_declaration(*common) || *common == round.back();
}

}  // namespace bodkin
