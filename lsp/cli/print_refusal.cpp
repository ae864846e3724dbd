#include "lsp/cli/print_refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/placing/placing.h"
#include "agent/platform/paths.h"
#include "agent/support/encoding.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/file_rules.h"
#include "edits/apply/explain.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"

namespace bodkin {

namespace {

// What is quoted in it stays as it is.
std::string folded_prose(std::string_view text) {
  std::string result;
  for (size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    const bool is_quoted = line.starts_with(' ');
    result += is_quoted ? std::string(line) : folded(line, 0);
  }
  return result;
}

}  // namespace

void say_as(std::string_view subcommand, std::string_view words) {
  print_folded(
      fmt::format("bodkin{}{}: {}", subcommand.empty() ? "" : " ", subcommand, as_sentence(words)));
}

void print_refusal(const ApplyReport& report, std::string_view subcommand,
                   std::string_view folder) {
  std::string words = plain_line(reason_for_user(report));
  const bool is_elsewhere = std::ranges::any_of(report.hunks, [](const HunkReport& hunk) {
    return hunk.failure && hunk.failure->kind == FailureKind::stale_path;
  });
  std::error_code error;
  if (is_elsewhere)
    words += fmt::format(" Paths are relative to {}; --root names another folder.",
                         plain_line(os::text_of(os::canonical(folder, error))));
  if (subcommand == "apply" && words.ends_with(" names no file."))
    words += " Send the text below back, or say which: --path FILE.";
  if (subcommand == "apply" && (words.contains(" exists, and the fence ") ||
                                words.contains(" not clear whether the fence ")))
    words += " If that is meant to be all of the file: --format whole.";
  std::set<std::string> not_found;
  for (const HunkReport& hunk : report.hunks)
    if (hunk.failure && hunk.failure->kind == FailureKind::not_found) not_found.insert(hunk.path);
  const auto root = ConfinedFolder::open(std::string(folder));
  for (const std::string& path : not_found) {
    const auto text = root ? FolderFiles(*root).read(path) : std::nullopt;
    if (!text || is_utf8(text->str())) continue;
    words += fmt::format(" {} is not UTF-8; {}.", plain_line(path), kNamesEncoding);
    break;
  }
  say_as(subcommand, words);
  put(stderr, "\nSend this back to the model:\n" + folded_prose(explain(report, false)));
}

}  // namespace bodkin
