#include "lsp/cli/undo_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "agent/platform/paths.h"
#include "agent/support/json.h"
#include "agent/support/real_path.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/sessions/changed_files.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Relative to the current folder, if it is in there.
std::string shown_path(const std::string& root, const std::string& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const std::string full = root + "/" + path;
  return plain_line(lies_in(full, os::text_of(here))
                        ? os::text_of(fs::path(full).lexically_relative(here))
                        : full);
}

void print_json(const UndoOutcome& outcome) {
  json files = json::array();
  for (const ChangedFile& file : outcome.plan.files) files.push_back(json_of(file));
  put_bytes(stdout, text_of_json({{"proposal", outcome.id},
                                  {"title", outcome.plan.after.title},
                                  {"written", outcome.is_written},
                                  {"files", std::move(files)},
                                  {"left_out", outcome.plan.left_out},
                                  {"reason", outcome.plan.why_left_out},
                                  {"root", outcome.root}}) +
                        "\n");
}

// Whether it has files of which nothing was written, or stays.
bool is_part(const UndoOutcome& outcome) {
  const auto is_written = [&](const ProposedFile& file) {
    return std::ranges::any_of(outcome.plan.files, [&](const ChangedFile& each) {
      return std::ranges::any_of(names_of(file), [&](const ProposedName* name) {
        return name->path == each.path || name->path == each.rename_to;
      });
    });
  };
  return !outcome.plan.left_out.empty() ||
         !std::ranges::all_of(outcome.plan.after.files, is_written);
}

// "“Wider” is undone in a.c. Redo: bodkin redo p1-…"
std::string done_in_words(const UndoCommand& options, const UndoOutcome& outcome) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : outcome.plan.files)
    paths.push_back(shown_path(outcome.root, file.path));
  constexpr size_t kFew = 3;
  const std::string where = paths.size() > kFew ? counted(paths.size(), "file")
                                                : fmt::format("{}", fmt::join(paths, ", "));
  const char* const done = !options.redo             ? "undone"
                           : outcome.verdict.empty() ? "applied again"
                                                     : "applied";
  const char* const back = options.redo ? "undo" : "redo";
  return fmt::format("“{}” is {}{}. {}: {}", plain_line(outcome.plan.after.title), done,
                     is_part(outcome) ? " in " + where : "", options.redo ? "Undo" : "Redo",
                     options.in_conversation ? fmt::format("/{}", back)
                                             : fmt::format("bodkin {} {}", back, outcome.id));
}

}  // namespace

void print_undo(const UndoCommand& options, const UndoOutcome& outcome) {
  const UndoPlan& plan = outcome.plan;
  if (options.json) return print_json(outcome);
  if (outcome.is_written) {
    for (const ChangedFile& file : plan.files)
      put(stdout,
          fmt::format("{} {}{}\n", state_of(file), shown_path(outcome.root, file.path),
                      file.rename_to ? " -> " + shown_path(outcome.root, *file.rename_to) : ""));
  } else {
    print_diff(diff_of(plan.files));
    std::fflush(stdout);
  }
  if (!plan.left_out.empty())
    say_as(
        options.redo ? "redo" : "undo",
        with_root(fmt::format("Left as {}: {}.", plan.left_out.size() == 1 ? "it is" : "they are",
                              plain_line(plan.why_left_out)),
                  outcome.root));
  if (!outcome.age.empty())
    put(stderr, fmt::format("It was {}{}.\n", options.redo ? "undone" : "applied", outcome.age));
  if (!outcome.verdict.empty())
    put(stderr, folded("When it was proposed: " + outcome.verdict + ".") + "\n");
  if (outcome.is_written) put(stderr, folded(done_in_words(options, outcome)) + "\n");
}

void print_undo_refusal(const UndoCommand& options, const std::string& id, const std::string& why) {
  if (options.json)
    put_bytes(stdout, text_of_json({{"proposal", id}, {"written", false}, {"error", why}}) + "\n");
  else
    say_as(options.redo ? "redo" : "undo", why);
}

std::string with_root(const std::string& words, const std::string& root) {
  std::error_code error;
  if (os::equivalent(root, ".", error)) return words;
  return as_sentence(words) + " Paths are relative to " + plain_line(root) + ".";
}

}  // namespace bodkin
