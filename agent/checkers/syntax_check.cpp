#include "agent/checkers/syntax_check.h"

#include "agent/checkers/quick_checks.h"
#include "grammars/certain_errors.h"
#include "grammars/languages.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

// Checks the syntax: it `decides` for languages that have nothing else to check; for others without
// a server it can show that a file is wrong, never that it is clean. Returns whether it could be
// checked.
bool find_certain_errors(const ChangedFile& file, bool decides, Findings& found) {
  const auto syntax = make_syntax();
  const Text before = file.before.value_or(Text());
  const auto lines = certain_errors(*syntax, file.last_path(), before, *file.after);
  if (!lines) return false;
  if (decides || !lines->empty()) found.judged_by(kBySyntax);
  for (const size_t line : *lines)
    found.add({file.last_path(), line + 1, Severity::error, "", "syntax error", kBySyntax});
  if (!file.before) return true;
  // Errors that the old text has and the new one does not.
  const auto fixed = certain_errors(*syntax, file.last_path(), *file.after, before);
  for (const size_t line : fixed.value_or(std::vector<size_t>()))
    found.add_fixed({file.last_path(), line + 1, Severity::error, "", "syntax error", kBySyntax});
  return true;
}

}  // namespace

void check_quickly(const ChangedFile& file, const CheckRequest& request, bool has_server,
                   const std::stop_token& stop, Findings& found) {
  const std::string path = file.last_path();
  const Language* language = file.after ? language_of(path, file.after->line(0)) : nullptr;
  if (!language || request.purpose != CheckRequest::Purpose::compare ||
      is_dialect(*language, path, *file.after))
    return;
  const auto read = [&](const Text& text) {
    return quick_check(*language, path, text, request.root, stop);
  };
  const auto after = read(*file.after);
  const bool has_failed = after && !after->failure.empty();
  if (has_failed) found.add({path, 1, Severity::information, "", after->failure, after->by});
  if ((!after || has_failed) && !has_server) find_certain_errors(file, false, found);
  if (!after || has_failed) return;
  if (after->is_right && has_server) return;
  const auto before = file.before ? read(*file.before) : std::nullopt;
  if (after->is_right) {
    found.judged_by(kBySyntax);
    if (before && before->failure.empty() && !before->is_right && before->is_certain)
      found.add_fixed({path, before->line, Severity::error, "", before->message, before->by});
    return;
  }
  if (before && !before->is_right && before->message == after->message) return;
  const auto unknown = make_syntax()->new_errors(path, file.before.value_or(Text()), *file.after);
  if (!after->is_certain && (after->may_be_newer || (unknown && unknown->empty()))) {
    if (!has_server) find_certain_errors(file, false, found);
    found.add({path, after->line, Severity::warning, "", after->message, after->by});
    return found.doubt_first<doubts::unknown_to_checker>(after->by, after->line, path,
                                                         after->message);
  }
  found.add({path, after->line, Severity::error, "", after->message, after->by});
  found.judged_by(after->by);
}

void check_data(const ChangedFile& file, Findings& found) {
  const Language* language = language_of(file.last_path());
  if (!file.after || !language || find_certain_errors(file, true, found)) return;
  if (language->id == "markdown") return;  // prose
  const auto unknown =
      make_syntax()->new_errors(file.last_path(), file.before.value_or(Text()), *file.after);
  found.doubt<doubts::unknown_syntax>(file.last_path(),
                                      unknown && !unknown->empty() ? unknown->front() + 1 : 1);
}

}  // namespace bodkin
