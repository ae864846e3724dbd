#include "agent/checkers/trial.h"

#include <map>
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

// A directive cannot be put into one that goes on over several lines.
size_t first_of_joined(const Text& text, size_t line) {
  while (line > 0 && trimmed(text.line(line - 1)).ends_with('\\')) --line;
  return line;
}

}  // namespace

Trial trial_of(Imports imports, const Text& text, std::span<const size_t> places) {
  const bool is_c = imports == Imports::include;
  const size_t last = text.line_count();
  const std::string statement =
      kUnknownName + std::string(imports == Imports::script ? ";\n" : "\n");
  std::vector<size_t> all = {is_c ? last : first_code(imports, text)};
  std::map<size_t, std::string> above;  // what is put above these lines
  above[all[0]] = is_c ? "int bodkin_test = " + std::string(kUnknownName) + ";\n" : statement;
  for (size_t line : places) {
    if (is_c) line = first_of_joined(text, line);
    all.push_back(line);
    above[line] =
        is_c ? "#error " + statement : std::string(indentation_of(text.line(line))) + statement;
  }
  Trial trial{text, {}};
  for (auto wrong = above.rbegin(); wrong != above.rend(); ++wrong) {
    const auto& [line, words] = *wrong;
    // At the end, the last line may go on in the next one.
    trial.text = line == last ? trial.text.replace(text.size(), 0, "\n\n" + words)
                              : trial.text.replace(text.line_begin(line), 0, words);
  }
  for (const size_t line : all)
    trial.lines.push_back(line +
                          static_cast<size_t>(std::distance(above.begin(), above.find(line))) +
                          (line == last ? 1 : 0));
  return trial;
}

}  // namespace bodkin
