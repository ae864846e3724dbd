// bodkin apply: places a model's reply into the files below a folder, all of it or nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "agent/ask/cautions.h"
#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/support/encoding.h"
#include "agent/support/json.h"
#include "agent/support/process.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/secrets.h"
#include "edits/apply/explain.h"
#include "edits/text/line_keys.h"
#include "grammars/certain_errors.h"
#include "grammars/syntax_tree.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/folder/change_log.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {
namespace {

using nlohmann::json;

// Runs the clipboard programs, the one for this kind of session first.
std::optional<std::string> clipboard(const std::string& root) {
  std::vector<std::vector<std::string>> commands;
  if (os::getenv("WAYLAND_DISPLAY")) commands.push_back({"wl-paste", "--no-newline"});
  if (os::getenv("DISPLAY")) {
    commands.push_back({"xclip", "-selection", "clipboard", "-o"});
    commands.push_back({"xsel", "--clipboard", "--output"});
  }
  commands.push_back({"pbpaste"});
  std::error_code error;
  const std::string absolute_root = os::text_of(std::filesystem::absolute(root, error));
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
    return utf8_of_shell(std::move(text));
  }
  if (os::is_terminal(0)) say_as("apply", "paste the model's reply, then end it with Ctrl-D");
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  if (os::is_terminal(0) && is_cut_by_terminal(text))
    return fail(Error::Code::invalid_input, kCutByTerminal);
  return utf8_of_shell(std::move(text));
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
Result<ApplyReport> report_of(const ProposalRow& asked, const Files& files) {
  ApplyReport report;
  report.ok = true;
  if (std::ranges::all_of(asked.files, [&](const ChangedFile& kept) {
        return files.read(kept.last_path()) == kept.after &&
               !(kept.rename_to && files.read(kept.path));
      }))
    return report;  // it was applied already
  report.files = asked.files;
  for (const ChangedFile& kept : report.files)
    if (files.read(kept.path) != kept.before || (kept.rename_to && files.read(*kept.rename_to)))
      return fail(Error::Code::stale, kept.path + " has been changed since this was asked for");
  return report;
}

// What runs commands, or has lost characters on its way, deserves a look, before or after.
std::optional<std::string> caution_of(const ChangedFile& file) {
  if (!file.after) return std::nullopt;
  const auto of_path = caution_for(file.last_path());
  const auto of_text = caution_for_text(file);
  if (!of_path) return of_text;
  return std::string(*of_path) + (of_text ? "; " + *of_text : "");
}

void print_cautions(const ApplyReport& report) {
  for (const ChangedFile& file : report.files) {
    if (const auto why = caution_of(file))
      say_as("apply", fmt::format("caution: {} {}", file.last_path(), *why));
  }
}

// An exact edit is placed even if it breaks the syntax. Parsing takes longer than all the rest, so
// a script does not wait for it; it has bodkin verify.
void print_syntax_errors(const ApplyReport& report) {
  if (!os::is_terminal(2)) return;
  const auto syntax = make_syntax();
  for (const ChangedFile& file : report.files) {
    if (!file.after) continue;
    const std::string path = file.last_path();
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
    put(stdout, line_of(file, dry_run) + (hunks > 1 ? fmt::format(" ({} hunks)\n", hunks) : "\n"));
  }
  print_cautions(report);
  if (report.files.empty()) put(stdout, kNothing);
}

struct Applied {
  ApplyReport report;
  std::optional<Error> failed;  // it could be placed, but not written
  bool written = false;
  std::string undo;                // the command; empty: there is none
  std::vector<std::string> notes;  // for the user, without periods
};

// Decides: the exit code of bodkin apply.
int exit_code_of(const Applied& applied) { return applied.report.ok && !applied.failed ? 0 : 1; }

void print_json(const Applied& applied, const ApplyCommand& options) {
  const auto& [report, failed, written, undo, notes] = applied;
  json out = json_of(report);
  out["written"] = written && !report.files.empty();
  if (!notes.empty()) out["notes"] = notes;
  if (!undo.empty()) out["undo"] = undo;
  if (const std::string words = explain(report, false); !words.empty()) out["explanation"] = words;
  if (failed) {
    out["ok"] = false;
    out["error"] = {{"kind", "io"}, {"message", failed->message}};
  }
  out["files"] = json::array();
  for (const ChangedFile& file : report.files) {
    json entry = json_of(file, options.diff);
    if (const auto why = caution_of(file)) entry["caution"] = *why;
    out["files"].push_back(std::move(entry));
  }
  put_bytes(stdout, fmt::format("{}\n", text_of_json(out)));
}

// Writes what was placed, all or nothing, and has it in the log before that. `asked`: the id of the
// change if it waited for the user's word; or empty.
void write(Applied& applied, Writing& writing, const ConfinedFolder& folder,
           const std::vector<FileWrite>& writes, const std::string& asked) {
  if (applied.report.files.empty()) {
    applied.written = true;
    return;
  }
  auto logged = log_change(folder, "apply", applied.report.files, Logged::applied, asked);
  if (const Result<void> done = writing.write(writes); !done) {
    applied.failed = done.error();
    if (!asked.empty()) log_change(folder, "mcp", applied.report.files, Logged::asked, asked);
    if (logged && asked.empty()) logged->forget();
    return;
  }
  applied.written = true;
  if (!writing.in_place_words().empty()) applied.notes.push_back(writing.in_place_words());
  if (logged) logged->confirm();
  if (logged)
    applied.undo = "bodkin undo " + logged->id;
  else
    applied.notes.push_back("This change cannot be undone later: " + logged.error().message);
}

// A file that would be new in a folder that would be new here, but is there from the repository's
// folder on: a chat writes paths from there.
Result<void> check_place_of_new_files(const ApplyReport& report, const ApplyCommand& options) {
  if (options.root != ApplyCommand().root) return {};
  const std::filesystem::path repository = root_of({});
  std::error_code error;
  for (const ChangedFile& file : report.files) {
    const std::string path = file.last_path();
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if ((!file.before || file.rename_to) && !folder.empty() &&
        !std::filesystem::exists(folder, error) &&
        std::filesystem::exists(repository / folder, error))
      return fail(Error::Code::invalid_input,
                  fmt::format("{} would be in a new folder here, but {} has that folder; --root "
                              "says which is meant (./ is this one)",
                              path, plain_line(os::text_of(repository))));
  }
  return {};
}

// Places and writes; `writing` is null if it only shows.
Applied apply(const std::string& reply, const ApplyCommand& options, Format format,
              const ConfinedFolder& folder, const std::optional<ProposalRow>& asked,
              Writing* writing) {
  Applied applied;
  const auto place = [&](const Files& files) {
    return apply_reply(
        reply, {.format = format, .default_path = options.path, .truncated = options.truncated},
        files, *make_syntax(), {.with_bills = options.why});
  };
  auto placed = asked ? report_of(*asked, FolderFiles(folder))
                      : Result<ApplyReport>(place(FolderFiles(folder)));
  // A reply that only adds lines could be placed once more.
  if (placed && !asked && (!placed->ok || !placed->files.empty()))
    if (auto done = applied_before(folder, *placed, place)) {
      done->files.clear();
      placed = *std::move(done);
    }
  if (!placed) {
    applied.failed = placed.error();
    return applied;
  }
  applied.report = *std::move(placed);
  const Result<std::vector<FileWrite>> writes = writes_of(applied.report.files, folder);
  if (const ChangedFile* marked = file_with_marker(applied.report)) {
    applied.failed = Error{Error::Code::invalid_input,
                           marked->path + " would contain the placeholder of a removed secret"};
  } else if (!writes) {
    applied.failed = writes.error();
  } else if (const Result<void> can = check_writes(folder, *writes); !can) {
    applied.failed = can.error();
  } else if (const Result<void> here = check_place_of_new_files(applied.report, options); !here) {
    applied.failed = here.error();
  } else if (applied.report.ok && writing) {
    write(applied, *writing, folder, *writes, asked ? asked->id : "");
  }
  return applied;
}

void print(const Applied& applied, const ApplyCommand& options, const std::string& reply,
           const std::string& folder) {
  const ApplyReport& report = applied.report;
  if (options.json) return print_json(applied, options);
  for (const std::string& note : applied.notes) say_as("apply", note);
  if (options.why)
    for (const HunkReport& hunk : report.hunks)
      if (!hunk.bill.empty())
        put(stderr, fmt::format("Hunk {} of {}, {}", hunk.hunk + 1, hunk.path, hunk.bill));
  if (applied.failed) return say_as("apply", applied.failed->message + "; nothing was changed");
  if (!report.ok) return print_refusal(report, "apply", folder);
  if (options.diff) {
    print_diff(diff_of(report.files));
    print_cautions(report);
    if (report.files.empty()) put(stderr, kNothing);
  } else {
    print_files(report, options.dry_run);
  }
  if (!report.files.empty()) put(stderr, explain(report));
  print_syntax_errors(report);
  if (!applied.undo.empty() && os::is_terminal(2)) put(stderr, "Undo: " + applied.undo + "\n");
  put(stderr, modes_left_alone(reply));
}

}  // namespace

int apply_command(const ApplyCommand& given) {
  if (given.jsonl) return apply_cases();
  ApplyCommand options = given;
  const auto refuse = [](const std::string& why, int code = 2) {
    say_as("apply", why);
    return code;
  };
  std::error_code error;
  const bool may_be_id = !options.clipboard && !std::filesystem::exists(options.reply, error);
  const auto meant = may_be_id ? change_to_apply(options.reply) : std::nullopt;
  if (!meant) return refuse(meant.error().message, 1);
  const std::optional<ProposalRow>& asked = *meant;
  if (asked) options.root = asked->workspace;
  const std::optional<Format> format = format_named(options.format);
  if (!format)
    return refuse(fmt::format("unknown format \"{}\"; choose one of {}", options.format,
                              fmt::join(format_names(), ", ")));
  const Result<ConfinedFolder> folder = ConfinedFolder::open(options.root);
  if (!folder) return refuse(folder.error().message);
  const Result<std::string> reply =
      asked ? Result<std::string>(options.reply) : reply_text(options);
  if (!reply) return refuse(reply.error().message);
  if (!options.json && is_blank_text(*reply))
    return refuse("the reply is empty; nothing was changed", 1);
  std::unique_ptr<Writing> writing;
  Applied applied;
  if (options.diff || options.dry_run) {
    if (needs_recovery(*folder))
      say_as("apply",
             "an earlier run was interrupted and may have left files half changed; the next run "
             "that writes restores them first");
  } else if (auto begun = Writing::begin_command(*folder, "apply")) {
    writing = *std::move(begun);
  } else {
    applied.failed = begun.error();
  }
  if (!applied.failed) applied = apply(*reply, options, *format, *folder, asked, writing.get());
  writing.reset();
  print(applied, options, *reply, folder->path());
  return exit_code_of(applied);
}

}  // namespace bodkin
