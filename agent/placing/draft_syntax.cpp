#include <fmt/format.h>

#include "agent/placing/placing.h"
#include "grammars/certain_errors.h"

namespace bodkin {

namespace {

constexpr size_t kMaxSyntaxErrors = 20;

}  // namespace

// Decides: which syntax errors of a draft are new.
SyntaxCheck check_syntax(const std::vector<ChangedFile>& files, const Syntax& syntax) {
  SyntaxCheck check;
  size_t looked_at = 0, texts = 0;
  for (const ChangedFile& file : files) {
    if (!file.after) continue;
    ++texts;
    const std::string& path = file.last_path();
    const auto lines = certain_errors(syntax, path, file.before.value_or(Text()), *file.after);
    if (!lines) continue;
    ++looked_at;
    for (const size_t line : *lines) {
      if (check.errors.size() == kMaxSyntaxErrors) break;
      check.errors.push_back({path, line, file.after->line(line)});
    }
  }
  check.of_all_files = texts > 0 && looked_at == texts;
  return check;
}

std::vector<std::string> in_words(const SyntaxCheck& check, bool quotes) {
  std::vector<std::string> words;
  for (const SyntaxCheck::Found& error : check.errors)
    words.push_back(fmt::format("{}, line {}: syntax error", error.path, error.line + 1) +
                    (quotes ? ": `" + error.text + "`" : ""));
  return words;
}

}  // namespace bodkin
