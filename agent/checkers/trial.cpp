#include "agent/checkers/trial.h"

#include <string>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// The first line with code; that behind the last one if there is none.
size_t first_code(Imports imports, const Text& text) {
  bool in_comment = false;
  for (size_t line = 0; line < text.line_count(); ++line) {
    const std::string whole = text.line(line);
    std::string_view words = trimmed(whole);
    if (words.starts_with("\xef\xbb\xbf")) words = trimmed(words.substr(3));
    if (in_comment || (imports == Imports::script && words.starts_with("/*"))) {
      const size_t end = words.find("*/", in_comment ? 0 : 2);
      in_comment = end == words.npos;
      if (in_comment || end + 2 == words.size()) continue;
      return line;  // code behind it
    }
    if (!words.empty() && !words.starts_with('#') &&
        !(imports == Imports::script && words.starts_with("//")))
      return line;
  }
  return text.line_count();
}

}  // namespace

Trial trial_of(Imports imports, const Text& text) {
  const std::string end = "\n\n";  // a line may go on in the next one
  if (imports == Imports::include)
    return {text.replace(text.size(), 0, end + "int bodkin_test = " + kUnknownName + ";\n"),
            text.line_count() + 1};
  const std::string statement =
      kUnknownName + std::string(imports == Imports::script ? ";\n" : "\n");
  const size_t line = first_code(imports, text);
  if (line == text.line_count()) return {text.replace(text.size(), 0, end + statement), line + 1};
  return {text.replace(text.line_begin(line), 0, statement), line};
}

}  // namespace bodkin
