// bodkin apply: places a model's reply into the files below a folder, all of it or nothing.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "edits/diff.h"
#include "edits/explain.h"
#include "lsp/apply_reply.h"
#include "lsp/commands.h"
#include "lsp/confined_folder.h"
#include "lsp/write_files.h"

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

// Asks the programs that know the clipboard, the one of this session's kind first.
std::optional<std::string> clipboard() {
  std::vector<const char*> commands;
  if (std::getenv("WAYLAND_DISPLAY")) commands.push_back("wl-paste --no-newline 2>/dev/null");
  if (std::getenv("DISPLAY")) {
    commands.push_back("xclip -selection clipboard -o 2>/dev/null");
    commands.push_back("xsel --clipboard --output 2>/dev/null");
  }
  commands.push_back("pbpaste 2>/dev/null");
  for (const char* command : commands) {
    FILE* const pipe = ::popen(command, "r");
    if (!pipe) continue;
    std::string text;
    char block[65536];
    for (size_t n; (n = std::fread(block, 1, sizeof block, pipe)) > 0;) text.append(block, n);
    if (::pclose(pipe) == 0) return text;
  }
  return std::nullopt;
}

Result<std::string> reply_text(const ApplyCommand& options) {
  if (options.clipboard) {
    if (std::optional<std::string> text = clipboard()) return *text;
    return fail(Error::Code::unavailable,
                "the clipboard cannot be read; install wl-paste, xclip or xsel, or pipe the reply");
  }
  if (!options.reply.empty() && options.reply != "-") {
    std::ifstream file(options.reply, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) return fail(Error::Code::not_found, options.reply + " cannot be read");
    return text;
  }
  if (::isatty(0))
    fmt::print(stderr, "bodkin apply: paste the model's reply, then end it with Ctrl-D\n");
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

// What the report says, for the disk. Links are followed; two paths that are one file are refused.
Result<std::vector<FileWrite>> writes_of(const ApplyReport& report, const ConfinedFolder& folder) {
  std::vector<FileWrite> writes;
  for (const ChangedFile& file : report.files) {
    const Result<std::string> path = folder.resolve(file.path);
    if (!path) return std::unexpected(path.error());
    const bool goes = !file.after || file.rename_to;
    if (goes && folder.is_link(file.path)) {
      return fail(Error::Code::invalid_input,
                  file.path + " is a symbolic link; only the text behind it can be changed");
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
      return fail(Error::Code::invalid_input,
                  "two of the edited paths are the same file: " + write.path);
    }
  return writes;
}

// Nothing interrupts the change of the files once it has begun, other than the end of the process.
class HeldSignals {
 public:
  HeldSignals() {
    std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error of write(2), not our end
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
bool wants_colours() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(1) && (!no_color || !*no_color) && terminal &&
         std::string_view(terminal) != "dumb";
}

void print_diff(const ApplyReport& report) {
  const bool colours = wants_colours();
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
      fmt::print("{}{}{}\n", colour, line, *colour ? "\033[0m" : "");
      at = end + 1;
    }
  }
}

const char* state_of(const ChangedFile& file) {
  return !file.before ? "created" : !file.after ? "removed" : file.rename_to ? "moved" : "changed";
}

void print_files(const ApplyReport& report, bool dry_run) {
  for (const ChangedFile& file : report.files) {
    const auto hunks = std::ranges::count_if(report.hunks, [&](const HunkReport& hunk) {
      return hunk.path == file.path && hunk.state == HunkReport::State::applied;
    });
    fmt::print("{}{} {}{}{}\n", dry_run ? "would be " : "", state_of(file), file.path,
               file.rename_to ? " -> " + *file.rename_to : "",
               hunks > 1 ? fmt::format(" ({} hunks)", hunks) : "");
  }
  if (report.files.empty()) fmt::print("nothing to change: the new text is there already\n");
}

void print_json(const ApplyReport& report, const ApplyCommand& options,
                const std::optional<Error>& failed, bool written) {
  json out = json_of(report);
  out["written"] = written;
  if (failed) {
    out["ok"] = false;
    out["error"] = {{"kind", "io"}, {"message", failed->message}};
  }
  out["files"] = json::array();
  for (const ChangedFile& file : report.files) {
    json entry = {{"path", file.path}, {"state", state_of(file)}};
    if (file.rename_to) entry["to"] = *file.rename_to;
    if (options.diff) entry["diff"] = diff_of(file);
    out["files"].push_back(std::move(entry));
  }
  fmt::print("{}\n", text_of_json(out));
}

}  // namespace

int apply_command(const ApplyCommand& options) {
  if (options.jsonl) return apply_cases();
  const std::optional<Format> format = format_named(options.format);
  if (!format) {
    fmt::print(stderr, "bodkin apply: there is no format \"{}\"; see bodkin apply --help\n",
               options.format);
    return 2;
  }
  const Result<ConfinedFolder> folder = ConfinedFolder::open(options.root);
  if (!folder) {
    fmt::print(stderr, "bodkin apply: {}\n", folder.error().message);
    return 2;
  }
  const Result<std::string> reply = reply_text(options);
  if (!reply) {
    fmt::print(stderr, "bodkin apply: {}\n", reply.error().message);
    return 2;
  }
  const bool only_shows = options.diff || options.dry_run;
  std::optional<HeldSignals> held;
  std::optional<FolderLock> lock;
  std::optional<Error> failed;
  if (only_shows) {
    if (needs_recovery(*folder))
      fmt::print(stderr,
                 "bodkin apply: an earlier run was interrupted and some files may be half changed; "
                 "the next run that writes changes them back first\n");
  } else {
    held.emplace();
    lock.emplace(*folder);
    const Result<std::vector<std::string>> recovered = recover_files(*folder);
    if (!recovered) {
      failed = recovered.error();
    } else if (!recovered->empty()) {
      fmt::print(stderr, "bodkin apply: an earlier run was interrupted:\n");
      for (const std::string& sentence : *recovered) fmt::print(stderr, "  {}\n", sentence);
    }
  }
  ApplyReport report;
  bool written = false;
  if (!failed) {
    report = apply_reply(
        *reply, {.format = *format, .default_path = options.path, .truncated = options.truncated},
        FolderFiles(*folder), {});
    const Result<std::vector<FileWrite>> writes = writes_of(report, *folder);
    if (!writes) {
      failed = writes.error();
    } else if (const Result<void> can = check_writes(*folder, *writes); !can) {
      failed = can.error();
    } else if (report.ok && !only_shows) {
      if (const Result<void> done = write_files(*folder, *writes); !done) failed = done.error();
      written = !failed;
    }
  }
  lock.reset();
  held.reset();
  const int code = report.ok && !failed ? 0 : 1;
  if (options.json) {
    print_json(report, options, failed, written);
  } else if (failed) {
    fmt::print(stderr, "bodkin apply: {}; nothing was changed\n", failed->message);
  } else if (!report.ok) {
    fmt::print(stderr, "{}",
               report.hunks.empty()
                   ? fmt::format("bodkin apply: {}: {}; nothing was changed\n",
                                 name_of(report.failure->kind), report.failure->message)
                   : explain(report));
  } else if (options.diff) {
    print_diff(report);
  } else {
    print_files(report, options.dry_run);
    fmt::print(stderr, "{}", explain(report));
  }
  return code;
}

}  // namespace bodkin
