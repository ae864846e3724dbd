#include "lsp/cli/print_refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/placing/placing.h"
#include "agent/support/shown_text.h"
#include "edits/apply/explain.h"
#include "lsp/cli/ask_screen.h"

namespace bodkin {

void say_as(std::string_view subcommand, std::string_view words) {
  const bool is_ended = !words.empty() && std::string_view(".!?").contains(words.back());
  put(stderr, folded(fmt::format("bodkin{}{}: {}{}", subcommand.empty() ? "" : " ", subcommand,
                                 words, is_ended ? "" : ".")) +
                  "\n");
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
                         plain_line(std::filesystem::canonical(folder, error).string()));
  say_as(subcommand, words);
  put(stderr, "\nSend this back to the model:\n" + explain(report));
}

}  // namespace bodkin
