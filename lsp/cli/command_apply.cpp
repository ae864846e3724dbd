// bodkin apply: places a model's reply into the files below a folder, all of it or nothing.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "agent/ask/cautions.h"
#include "agent/support/json.h"
#include "agent/support/process.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/secrets.h"
#include "edits/apply/explain.h"
#include "grammars/certain_errors.h"
#include "grammars/syntax_tree.h"
#include "lsp/apply/applied_before.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/apply/kept_changes.h"
#include "lsp/apply/write_journal.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {
namespace {

using nlohmann::json;

// Runs the clipboard programs, the one for this kind of session first.
std::optional<std::string> clipboard(const std::string& root) {
  std::vector<std::vector<std::string>> commands;
  if (std::getenv("WAYLAND_DISPLAY")) commands.push_back({"wl-paste", "--no-newline"});
  if (std::getenv("DISPLAY")) {
    commands.push_back({"xclip", "-selection", "clipboard", "-o"});
    commands.push_back({"xsel", "--clipboard", "--output"});
  }
  commands.push_back({"pbpaste"});
  std::error_code error;
  const std::string absolute_root = std::filesystem::absolute(root, error).string();
  for (std::vector<std::string>& command : commands) {
    ProcessRequest request;
    request.arguments = std::move(command);
    request.max_output = 64'000'000;
    request.never_from = {absolute_root};
    request.also_variables = {"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"};
    auto outcome = run_process(request, {});
    if (outcome && outcome->exit_code == 0 && !outcome->cut) return std::move(outcome->output);
  }
  return std::nullopt;
}

Result<std::string> reply_text(const ApplyCommand& options) {
  if (options.clipboard) {
    if (std::optional<std::string> text = clipboard(options.root)) return *text;
    return fail(Error::Code::unavailable,
                "the clipboard cannot be read; install wl-paste, xclip or xsel, or pipe the reply");
  }
  if (!options.reply.empty() && options.reply != "-") {
    std::error_code error;
    if (std::filesystem::is_directory(options.reply, error))
      return fail(Error::Code::invalid_input, options.reply + " is a folder, not a reply");
    std::ifstream file(options.reply, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) return fail(Error::Code::not_found, options.reply + " cannot be read");
    return text;
  }
  if (::isatty(0)) say_as("apply", "paste the model's reply, then end it with Ctrl-D");
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  if (::isatty(0) && is_cut_by_terminal(text))
    return fail(Error::Code::invalid_input, kCutByTerminal);
  return text;
}

// The chat that replied may have been shown markers instead of secrets
// (agent/workspace/redaction.h).
const ChangedFile* file_with_marker(const ApplyReport& report) {
  for (const ChangedFile& file : report.files) {
    if (file.after && has_piece_of_marker(file.after->str()) &&
        !(file.before && has_piece_of_marker(file.before->str())))
      return &file;
  }
  return nullptr;
}

// A change that waited for the user's word, made of exactly the texts that it was asked for.
Result<ApplyReport> report_of(const KeptChange& asked, const Files& files) {
  ApplyReport report;
  report.ok = true;
  report.files.assign(asked.files.begin(), asked.files.end());
  for (const ChangedFile& kept : report.files)
    if (files.read(kept.path) != kept.before || (kept.rename_to && files.read(*kept.rename_to)))
      return fail(Error::Code::stale, kept.path + " has been changed since this was asked for");
  return report;
}

// Files that run commands deserve a look, before or after.
std::optional<std::string_view> caution_of(const ChangedFile& file) {
  return file.after ? caution_for(file.rename_to.value_or(file.path)) : std::nullopt;
}

void print_cautions(const ApplyReport& report) {
  for (const ChangedFile& file : report.files) {
    if (const auto why = caution_of(file))
      say_as("apply", fmt::format("caution: {} {}", file.rename_to.value_or(file.path), *why));
  }
}

// An exact edit is placed whatever it makes of the syntax. Parsing takes longer than all the rest,
// so a script does not wait for it; it has bodkin verify.
void print_syntax_errors(const ApplyReport& report) {
  if (!::isatty(2)) return;
  const auto syntax = make_syntax();
  for (const ChangedFile& file : report.files) {
    if (!file.after) continue;
    const std::string path = file.rename_to.value_or(file.path);
    const auto lines = certain_errors(*syntax, path, file.before.value_or(Text()), *file.after);
    if (!lines || lines->empty()) continue;
    const size_t more = lines->size() - 1;
    say_as("apply",
           fmt::format("caution: {} has a new syntax error at line {}{}", path, lines->front() + 1,
                       more ? fmt::format(", and {} more", more) : ""));
  }
}

constexpr const char* kNothing = "nothing to do: the changes are already in place\n";

void print_files(const ApplyReport& report, bool dry_run) {
  for (const ChangedFile& file : report.files) {
    const auto hunks = std::ranges::count_if(report.hunks, [&](const HunkReport& hunk) {
      return hunk.path == file.path && hunk.state == HunkReport::State::applied;
    });
    put(stdout, fmt::format("{} {}{}{}\n", dry_run ? plan_of(file) : state_of(file), file.path,
                            file.rename_to ? " -> " + *file.rename_to : "",
                            hunks > 1 ? fmt::format(" ({} hunks)", hunks) : ""));
  }
  print_cautions(report);
  if (report.files.empty()) put(stdout, kNothing);
}

void print_json(const ApplyReport& report, const ApplyCommand& options,
                const std::optional<Error>& failed, bool written, const std::string& in_place,
                const std::string& undo) {
  json out = json_of(report);
  out["written"] = written && !report.files.empty();
  if (!in_place.empty()) out["notes"] = json::array({in_place});
  if (!undo.empty()) out["undo"] = undo;
  if (const std::string words = explain(report); !words.empty()) out["explanation"] = words;
  if (failed) {
    out["ok"] = false;
    out["error"] = {{"kind", "io"}, {"message", failed->message}};
  }
  out["files"] = json::array();
  for (const ChangedFile& file : report.files) {
    json entry = {{"path", file.path}, {"state", state_of(file)}};
    if (file.rename_to) entry["to"] = *file.rename_to;
    if (options.diff) entry["diff"] = diff_of(file);
    if (const auto why = caution_of(file)) entry["caution"] = *why;
    out["files"].push_back(std::move(entry));
  }
  put_bytes(stdout, fmt::format("{}\n", text_of_json(out)));
}

}  // namespace

int apply_command(const ApplyCommand& given) {
  if (given.jsonl) return apply_cases();
  ApplyCommand options = given;
  std::error_code error;
  const bool may_be_id = !options.clipboard && !std::filesystem::exists(options.reply, error);
  const auto asked = may_be_id ? kept_question(options.reply) : std::nullopt;
  if (asked) options.root = asked->root;
  const std::optional<Format> format = format_named(options.format);
  if (!format) {
    say_as("apply", fmt::format("unknown format \"{}\"; choose one of {}", options.format,
                                fmt::join(format_names(), ", ")));
    return 2;
  }
  const Result<ConfinedFolder> folder = ConfinedFolder::open(options.root);
  if (!folder) {
    say_as("apply", folder.error().message);
    return 2;
  }
  const Result<std::string> reply =
      asked ? Result<std::string>(options.reply) : reply_text(options);
  if (!reply) {
    say_as("apply", reply.error().message);
    return 2;
  }
  if (!options.json && reply->find_first_not_of(" \t\r\n") == reply->npos) {
    say_as("apply", "the reply is empty; nothing was changed");
    return 1;
  }
  const bool only_shows = options.diff || options.dry_run;
  std::unique_ptr<Writing> writing;
  std::optional<Error> failed;
  if (const auto notice = old_journal_in(*folder)) say_as("apply", *notice);
  if (only_shows) {
    if (needs_recovery(*folder))
      say_as("apply",
             "an earlier run was interrupted and may have left files half changed; the next run "
             "that writes restores them first");
  } else if (auto begun = Writing::begin_command(*folder, "apply")) {
    writing = *std::move(begun);
  } else {
    failed = begun.error();
  }
  ApplyReport report;
  bool written = false;
  std::string undo, in_place;
  if (!failed) {
    const auto place = [&](const Files& files) {
      return apply_reply(
          *reply, {.format = *format, .default_path = options.path, .truncated = options.truncated},
          files, *make_syntax(), {.with_bills = options.why});
    };
    auto placed = asked ? report_of(*asked, FolderFiles(*folder))
                        : Result<ApplyReport>(place(FolderFiles(*folder)));
    if (placed && !placed->ok && !asked)
      if (auto done = applied_before(*folder, place)) {
        done->files.clear();
        placed = *std::move(done);
      }
    if (placed)
      report = *std::move(placed);
    else
      failed = placed.error();
  }
  if (!failed) {
    const Result<std::vector<FileWrite>> writes = writes_of(report.files, *folder);
    if (const ChangedFile* marked = file_with_marker(report)) {
      failed = Error{Error::Code::invalid_input,
                     marked->path + " would contain the placeholder of a removed secret"};
    } else if (!writes) {
      failed = writes.error();
    } else if (const Result<void> can = check_writes(*folder, *writes); !can) {
      failed = can.error();
    } else if (report.ok && !only_shows) {
      const auto kept = report.files.empty()
                            ? fail(Error::Code::not_found, "")
                            : keep_change(writing->journals(), *folder, "apply", report.files);
      if (const Result<void> done = writing->write(*writes); !done) failed = done.error();
      written = !failed;
      if (written) in_place = writing->in_place_words();
      if (!in_place.empty() && !options.json) say_as("apply", in_place);
      if (kept && written) undo = "bodkin undo p0-" + *kept;
      if (asked && written) forget_change(writing->journals(), options.reply, Kept::question);
      if (kept && failed) forget_change(writing->journals(), *kept);
    }
  }
  writing.reset();
  // Decides: the exit code of bodkin apply.
  const int code = report.ok && !failed ? 0 : 1;
  if (options.why && !options.json)
    for (const HunkReport& hunk : report.hunks)
      if (!hunk.bill.empty())
        put(stderr, fmt::format("Hunk {} of {}, {}", hunk.hunk + 1, hunk.path, hunk.bill));
  if (options.json) {
    print_json(report, options, failed, written, in_place, undo);
  } else if (failed) {
    say_as("apply", failed->message + "; nothing was changed");
  } else if (!report.ok) {
    print_refusal(report, "apply", folder->path());
  } else if (options.diff) {
    print_diff(diff_of(report.files));
    print_cautions(report);
    print_syntax_errors(report);
    if (report.files.empty()) put(stderr, kNothing);
  } else {
    print_files(report, options.dry_run);
    if (!report.files.empty()) put(stderr, explain(report));
    print_syntax_errors(report);
    if (!undo.empty() && ::isatty(2)) put(stderr, "Undo: " + undo + "\n");
  }
  if (code == 0 && !options.json) put(stderr, modes_left_alone(*reply));
  return code;
}

}  // namespace bodkin
