#include "edits/place/line_words.h"

#include <cctype>

#include "edits/place/tokens.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

// The end of the string literal that begins at `begin`; npos: it is not a string ("don't").
size_t end_of_string(std::string_view line, size_t begin) {
  if (line[begin] == '\'' && begin > 0 && is_name_char(line[begin - 1])) return line.npos;
  for (size_t i = begin + 1; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == line[begin]) {
      return i;
    }
  }
  return line.npos;
}

// What may join two parts of a name: one of ".-/:@#~+", "::", "->".
size_t joint_at(std::string_view line, size_t i) {
  for (const std::string_view joint : {"::", "->", "?."})
    if (line.substr(i).starts_with(joint)) return 2;
  return std::string_view(".-/:@#~").find(line[i]) != std::string_view::npos ? 1 : 0;
}

}  // namespace

bool is_name_char(char c) {
  return c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80 ||
         std::isalnum(static_cast<unsigned char>(c));
}

LineWords words_of(std::string_view line) {
  LineWords words;
  bool comment = false;
  const auto add = [&](std::string_view word) {
    if (!comment) words.comment = words.all.size() + 1;
    words.all.push_back(word);
  };
  for (size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == ' ' || c == '\t' || std::string_view(",;(){}").find(c) != std::string_view::npos) {
      if (i > 0 && is_name_char(line[i - 1]) && line.substr(i).starts_with("()"))
        add(line.substr(i, 2)), ++i;
      ++i;
      continue;
    }
    if (c == '"' || c == '\'' || c == '`') {
      const size_t end = comment ? line.npos : end_of_string(line, i);
      if (end != line.npos) add(line.substr(i + 1, end - i - 1));
      i = end == line.npos ? i + 1 : end + 1;
      continue;
    }
    const std::string_view rest = line.substr(i);
    const bool spaced = i > 0 && (line[i - 1] == ' ' || line[i - 1] == '\t');
    if (!words.all.empty() && spaced && opens_comment(rest)) comment = true;
    size_t end = i + 1;
    const bool path = (c == '/' || c == '.') && end < line.size() && is_name_char(line[end]);
    if (is_name_char(c) || path) {
      while (end < line.size()) {
        if (is_name_char(line[end])) {
          ++end;
          continue;
        }
        const size_t joint = joint_at(line, end);
        if (joint == 0 || end + joint >= line.size() || !is_name_char(line[end + joint])) break;
        end += joint;
      }
    } else {
      while (end < line.size() && is_operator(line[end - 1], line[end])) ++end;
    }
    add(line.substr(i, end - i));
    i = end;
  }
  return words;
}

}  // namespace bodkin
