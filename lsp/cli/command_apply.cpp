// bodkin apply: places a model's reply into the files below a folder, all of it or nothing.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "agent/ask/cautions.h"
#include "agent/support/process.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/secrets.h"
#include "edits/apply/explain.h"
#include "edits/plan/diff.h"
#include "grammars/syntax_tree.h"
#include "lsp/cli/apply_reply.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/write_files.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {
namespace {

using nlohmann::json;

class FolderFiles : public Files {  // what leaves the folder is not there
 public:
  explicit FolderFiles(const ConfinedFolder& folder) : folder_(folder) {}
  std::optional<Text> read(std::string_view path) const override {
    const Result<std::string> resolved = folder_.resolve(path);
    if (!resolved) return std::nullopt;
    std::optional<std::string> bytes = folder_.read(*resolved);
    if (!bytes) return std::nullopt;
    return Text(std::move(*bytes));
  }
  std::vector<std::string> paths() const override { return folder_.files(); }

 private:
  const ConfinedFolder& folder_;
};

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
  if (::isatty(0)) put(stderr, "bodkin apply: paste the model's reply, then end it with Ctrl-D\n");
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

// The report's changes as file writes. Links are followed; two paths to one file are refused.
Result<std::vector<FileWrite>> writes_of(const ApplyReport& report, const ConfinedFolder& folder) {
  std::vector<FileWrite> writes;
  for (const ChangedFile& file : report.files) {
    const Result<std::string> path = folder.resolve(file.path);
    if (!path) return std::unexpected(path.error());
    const bool goes = !file.after || file.rename_to;
    if (goes && folder.is_link(file.path)) {
      return fail(
          Error::Code::invalid_input,
          file.path + " is a symbolic link; only the contents of its target can be changed");
    }
    std::optional<std::string> before, after;
    if (file.before) before = file.before->str();
    if (file.after) after = file.after->str();
    if (file.rename_to) {
      const Result<std::string> to = folder.resolve(*file.rename_to);
      if (!to) return std::unexpected(to.error());
      writes.push_back({*to, std::nullopt, std::move(after), *path});
    }
    writes.push_back({*path, std::move(before), goes ? std::nullopt : std::move(after)});
  }
  std::map<std::string_view, int> seen;
  for (const FileWrite& write : writes)
    if (++seen[write.path] > 1) {
      return fail(Error::Code::invalid_input, "two edited paths are the same file: " + write.path);
    }
  return writes;
}

// Once writing has started, nothing interrupts it except the end of the process.
class HeldSignals {
 public:
  HeldSignals() {
    std::signal(SIGXFSZ, SIG_IGN);  // a file size limit makes write(2) fail instead of killing us
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

std::string diff_of(const ChangedFile& file) {
  const std::string diff =
      unified_diff(file.path, file.rename_to ? *file.rename_to : file.path,
                   file.before ? &*file.before : nullptr, file.after ? &*file.after : nullptr);
  if (!file.rename_to) return diff;
  return fmt::format("diff --git a/{0} b/{1}\nrename from {0}\nrename to {1}\n{2}", file.path,
                     *file.rename_to, diff);
}

// https://no-color.org: set and not empty.
bool use_colors() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(1) && (!no_color || !*no_color) && terminal &&
         std::string_view(terminal) != "dumb";
}

void print_diff(const ApplyReport& report) {
  const bool colours = use_colors();
  for (const ChangedFile& file : report.files) {
    const std::string diff = diff_of(file);
    for (size_t at = 0; at < diff.size();) {
      const size_t end = std::min(diff.find('\n', at), diff.size());
      const std::string_view line = std::string_view(diff).substr(at, end - at);
      const char* colour = !colours                                               ? ""
                           : line.starts_with("@@")                               ? "\033[36m"
                           : line.starts_with("+++ ") || line.starts_with("--- ") ? "\033[1m"
                           : line.starts_with('+')                                ? "\033[32m"
                           : line.starts_with('-')                                ? "\033[31m"
                                                                                  : "";
      std::fputs(colour, stdout);
      put(stdout, line);
      std::fputs(*colour ? "\033[0m\n" : "\n", stdout);
      at = end + 1;
    }
  }
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

const char* state_of(const ChangedFile& file) {
  return !file.before ? "created" : !file.after ? "removed" : file.rename_to ? "moved" : "changed";
}

const char* plan_of(const ChangedFile& file) {
  return !file.before     ? "would create"
         : !file.after    ? "would remove"
         : file.rename_to ? "would move"
                          : "would change";
}

// Files that run commands deserve a look, before or after.
std::optional<std::string_view> caution_of(const ChangedFile& file) {
  return file.after ? caution_for(file.rename_to.value_or(file.path)) : std::nullopt;
}

void print_cautions(const ApplyReport& report) {
  for (const ChangedFile& file : report.files) {
    if (const auto why = caution_of(file))
      put(stderr,
          fmt::format("bodkin apply: caution: {} {}\n", file.rename_to.value_or(file.path), *why));
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
                const std::optional<Error>& failed, bool written) {
  json out = json_of(report);
  out["written"] = written && !report.files.empty();
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
  put(stdout, fmt::format("{}\n", text_of_json(out)));
}

// Waits for another run in the same root, and undoes what an interrupted one left.
std::optional<Error> begin_writing(const ConfinedFolder& folder,
                                   std::optional<JournalFolder>& journals,
                                   std::optional<HeldSignals>& held) {
  Result<JournalFolder> opened = JournalFolder::open(folder);
  if (!opened) return opened.error();
  journals.emplace(*std::move(opened));
  held.emplace();
  const Result<std::vector<std::string>> recovered = recover_files(folder, *journals);
  if (!recovered) return recovered.error();
  if (!recovered->empty()) {
    put(stderr, "bodkin apply: an earlier run was interrupted:\n");
    for (const std::string& sentence : *recovered) put(stderr, fmt::format("  {}\n", sentence));
  }
  return std::nullopt;
}

}  // namespace

int apply_command(const ApplyCommand& options) {
  if (options.jsonl) return apply_cases();
  const std::optional<Format> format = format_named(options.format);
  if (!format) {
    put(stderr, fmt::format("bodkin apply: unknown format \"{}\"; see bodkin apply --help\n",
                            options.format));
    return 2;
  }
  const Result<ConfinedFolder> folder = ConfinedFolder::open(options.root);
  if (!folder) {
    put(stderr, fmt::format("bodkin apply: {}\n", folder.error().message));
    return 2;
  }
  const Result<std::string> reply = reply_text(options);
  if (!reply) {
    put(stderr, fmt::format("bodkin apply: {}\n", reply.error().message));
    return 2;
  }
  const bool only_shows = options.diff || options.dry_run;
  std::optional<HeldSignals> held;
  std::optional<JournalFolder> journals;
  std::optional<Error> failed;
  if (const auto notice = old_journal_in(*folder))
    put(stderr, fmt::format("bodkin apply: {}\n", *notice));
  if (only_shows) {
    if (needs_recovery(*folder))
      put(stderr,
          "bodkin apply: an earlier run was interrupted and may have left files half changed; the "
          "next run that writes restores them first\n");
  } else {
    failed = begin_writing(*folder, journals, held);
  }
  ApplyReport report;
  bool written = false;
  if (!failed) {
    report = apply_reply(
        *reply, {.format = *format, .default_path = options.path, .truncated = options.truncated},
        FolderFiles(*folder), *make_syntax(), {});
    const Result<std::vector<FileWrite>> writes = writes_of(report, *folder);
    if (const ChangedFile* marked = file_with_marker(report)) {
      failed = Error{Error::Code::invalid_input,
                     marked->path + " would contain the placeholder of a removed secret"};
    } else if (!writes) {
      failed = writes.error();
    } else if (const Result<void> can = check_writes(*folder, *writes); !can) {
      failed = can.error();
    } else if (report.ok && !only_shows) {
      if (const Result<void> done = write_files(*folder, *journals, *writes); !done)
        failed = done.error();
      written = !failed;
    }
  }
  journals.reset();
  held.reset();
  const int code = report.ok && !failed ? 0 : 1;
  if (options.json) {
    print_json(report, options, failed, written);
  } else if (failed) {
    put(stderr, fmt::format("bodkin apply: {}; nothing was changed\n", failed->message));
  } else if (!report.ok) {
    put(stderr,
        report.hunks.empty()
            ? fmt::format("bodkin apply: {}; nothing was changed\n", report.failure->message)
            : (::isatty(2) ? "Send the following back to the model:\n" : "") + explain(report));
  } else if (options.diff) {
    print_diff(report);
    print_cautions(report);
    if (report.files.empty()) put(stderr, kNothing);
  } else {
    print_files(report, options.dry_run);
    put(stderr, explain(report));
  }
  return code;
}

}  // namespace bodkin
