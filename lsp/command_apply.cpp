// bodkin apply: places a model's reply into the files below a folder, or into cases that come as
// JSON lines. All files or none: every new text is written beside its file and synced first; only
// then are the files renamed into place, and what was renamed is put back if one rename fails.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "agent/edit_json.h"
#include "edits/apply.h"
#include "edits/diff.h"
#include "edits/explain.h"
#include "edits/parse.h"
#include "grammars/syntax.h"
#include "lsp/commands.h"

namespace bodkin {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class CaseFiles : public Files {  // the files of one case
 public:
  explicit CaseFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  std::optional<Text> read(std::string_view path) const override {
    const auto it = files_.find(std::string(path));
    if (it == files_.end()) return std::nullopt;
    return Text(it->second);
  }
  std::vector<std::string> paths() const override {
    std::vector<std::string> out;
    for (const auto& [path, text] : files_) out.push_back(path);
    return out;
  }

 private:
  std::map<std::string, std::string> files_;
};

class FolderFiles : public Files {  // the files below a folder; what leaves it is not there
 public:
  explicit FolderFiles(fs::path root) : root_(std::move(root)) {}

  std::optional<fs::path> inside(std::string_view path) const {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(root_ / fs::path(path), error);
    if (error) return std::nullopt;
    const fs::path relative = whole.lexically_relative(root_);
    if (relative.empty() || *relative.begin() == "..") return std::nullopt;
    return whole;
  }
  std::optional<Text> read(std::string_view path) const override {
    const std::optional<fs::path> file = inside(path);
    std::error_code error;
    if (!file || !fs::is_regular_file(*file, error)) return std::nullopt;
    std::ifstream in(*file, std::ios::binary);
    if (!in) return std::nullopt;
    return Text(std::string(std::istreambuf_iterator<char>(in), {}));
  }
  std::vector<std::string> paths() const override {
    constexpr size_t kMostFiles = 100'000;
    std::vector<std::string> out;
    std::error_code error;
    fs::recursive_directory_iterator it(root_, fs::directory_options::skip_permission_denied,
                                        error);
    for (; !error && it != fs::recursive_directory_iterator() && out.size() < kMostFiles;
         it.increment(error)) {
      const std::string name = it->path().filename();
      if (it->is_directory(error) && (name == ".git" || name == "node_modules")) {
        it.disable_recursion_pending();
      } else if (it->is_regular_file(error)) {
        out.push_back(it->path().lexically_relative(root_).generic_string());
      }
    }
    return out;
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

// The report of a reply whose text could not be parsed at all.
ApplyReport unparsed(const Error& error) {
  ApplyReport report;
  Failure failure{FailureKind::malformed, error.message};
  for (const FailureKind kind : {FailureKind::truncated, FailureKind::malformed})
    if (error.message.starts_with(std::string(name_of(kind)) + ": ")) {
      failure.kind = kind;
      failure.message = error.message.substr(name_of(kind).size() + 2);
    }
  report.failure = failure;
  return report;
}

ApplyReport applied(std::string_view reply, const ParseOptions& parse, const Files& files,
                    const ApplyOptions& options) {
  const Result<EditPlan> plan = parse_reply(reply, parse);
  if (!plan) return unparsed(plan.error());
  if (plan->changes.empty()) {
    ApplyReport report;
    report.failure = Failure{FailureKind::malformed, "the reply holds no edit"};
    return report;
  }
  static const std::unique_ptr<Syntax> syntax = make_syntax();
  return apply(*plan, files, syntax.get(), options);
}

std::string_view name_of(HunkReport::State state) {
  switch (state) {
    case HunkReport::State::applied:
      return "applied";
    case HunkReport::State::already_applied:
      return "already_applied";
    case HunkReport::State::no_change:
      return "no_change";
    case HunkReport::State::failed:
      return "failed";
  }
  return "failed";
}

json json_of(const ApplyReport& report) {
  json out = {{"ok", report.ok}, {"error", nullptr}, {"hunks", json::array()}};
  if (report.failure)
    out["error"] = {{"kind", bodkin::name_of(report.failure->kind)},
                    {"message", report.failure->message}};
  for (const HunkReport& hunk : report.hunks) {
    json entry = {{"path", hunk.path}, {"state", name_of(hunk.state)}};
    if (hunk.match) {
      entry["line"] = hunk.match->lines.begin + 1;
      entry["quality"] = bodkin::name_of(hunk.match->quality);
    }
    if (hunk.failure)
      entry["error"] = {{"kind", bodkin::name_of(hunk.failure->kind)},
                        {"message", hunk.failure->message}};
    out["hunks"].push_back(std::move(entry));
  }
  return out;
}

std::string dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json result_of_case(const json& input) {
  std::map<std::string, std::string> files;
  for (const auto& [path, text] : input.at("files").items()) files[path] = text.get<std::string>();
  const json options = input.value("options", json::object());
  ParseOptions parse;
  const std::string format = input.value("format", "auto");
  if (const auto named = format_named(format)) {
    parse.format = *named;
  } else {
    throw std::invalid_argument("there is no format " + format);
  }
  parse.default_path = options.value("path", "");
  parse.truncated = options.value("truncated", false);
  ApplyOptions apply_options;
  if (const auto it = options.find("selection"); it != options.end() && it->is_object()) {
    apply_options.selection_path = it->value("path", "");
    const size_t start = it->value("start_line", size_t{1}), end = it->value("end_line", size_t{1});
    apply_options.selection = {start > 0 ? start - 1 : 0, end};
  }
  if (parse.default_path.empty() && apply_options.selection_path)
    parse.default_path = *apply_options.selection_path;
  const std::string edit =
      input.at("edit").is_string() ? input.at("edit").get<std::string>() : dumped(input.at("edit"));
  const auto begin = std::chrono::steady_clock::now();
  const ApplyReport report = applied(edit, parse, CaseFiles(files), apply_options);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  json out = json_of(report);
  out["id"] = input.value("id", json(nullptr));
  json after = json::object();
  for (const auto& [path, text] : files) after[path] = text;
  for (const ChangedFile& file : report.files) {
    if (file.rename_to || !file.after) after[file.path] = nullptr;
    if (file.after) after[file.rename_to ? *file.rename_to : file.path] = file.after->str();
  }
  out["files"] = std::move(after);
  out["micros"] = micros.count();
  return out;
}

int apply_cases() {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    json result;
    try {
      result = result_of_case(json::parse(line));
    } catch (const std::exception& error) {
      result = {{"id", nullptr},
                {"ok", false},
                {"files", json::object()},
                {"error", {{"kind", "malformed"}, {"message", error.what()}}},
                {"hunks", json::array()}};
    }
    const std::string out = dumped(result) + "\n";
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

// ---- writing ----

struct Write {
  fs::path target;                  // the real file, behind symbolic links
  std::optional<std::string> text;  // nothing: the file goes
  fs::path beside;                  // the new text, until it is renamed into place
  fs::path saved;                   // the old file, until everything is done
};

std::optional<std::string> write_synced(const fs::path& path, const std::string& text,
                                        mode_t mode) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) return std::string(std::strerror(errno));
  size_t done = 0;
  std::optional<std::string> failed;
  while (done < text.size() && !failed) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) failed = std::strerror(errno);
    if (n > 0) done += static_cast<size_t>(n);
  }
  if (!failed && (::fchmod(fd, mode) != 0 || ::fsync(fd) != 0)) failed = std::strerror(errno);
  if (::close(fd) != 0 && !failed) failed = std::strerror(errno);
  return failed;
}

// All of the writes or none; the error names the file.
std::optional<std::string> write_all(std::vector<Write>& writes) {
  std::error_code ignored;
  const std::string mark = fmt::format(".bodkin-{}", ::getpid());
  std::vector<fs::path> made_folders;
  size_t renamed = 0;
  const auto undo = [&] {
    for (size_t i = renamed; i-- > 0;) {
      if (!writes[i].saved.empty())
        fs::rename(writes[i].saved, writes[i].target, ignored);
      else
        fs::remove(writes[i].target, ignored);
    }
    for (const Write& write : writes) {
      if (!write.beside.empty()) fs::remove(write.beside, ignored);
      if (!write.saved.empty()) fs::remove(write.saved, ignored);
    }
    for (auto folder = made_folders.rbegin(); folder != made_folders.rend(); ++folder)
      fs::remove(*folder, ignored);
  };
  for (Write& write : writes) {
    struct stat status{};
    const bool exists = ::stat(write.target.c_str(), &status) == 0;
    if (write.text) {
      std::vector<fs::path> missing;
      for (fs::path folder = write.target.parent_path(); !fs::exists(folder, ignored);
           folder = folder.parent_path())
        missing.push_back(folder);
      for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder)
        if (fs::create_directory(*folder, ignored)) made_folders.push_back(*folder);
      write.beside = write.target.string() + mark + ".new";
      if (const auto failed = write_synced(write.beside, *write.text,
                                           exists ? status.st_mode & 07777 : mode_t{0644})) {
        const std::string target = write.target;
        undo();
        return fmt::format("{} cannot be written: {}", target, *failed);
      }
    }
    if (exists) {
      const fs::path saved = write.target.string() + mark + ".old";
      if (::link(write.target.c_str(), saved.c_str()) != 0) {
        const std::string reason = std::strerror(errno);
        undo();
        return fmt::format("{} cannot be kept aside: {}", write.target.string(), reason);
      }
      write.saved = saved;
    }
  }
  for (Write& write : writes) {
    const int failed = write.text ? ::rename(write.beside.c_str(), write.target.c_str())
                                  : ::unlink(write.target.c_str());
    if (failed != 0) {
      const std::string reason = std::strerror(errno);
      undo();
      return fmt::format("{} cannot be replaced: {}", write.target.string(), reason);
    }
    ++renamed;
    if (write.text) write.beside.clear();
  }
  for (const Write& write : writes)
    if (!write.saved.empty()) fs::remove(write.saved, ignored);
  return std::nullopt;
}

void print_diff(const ApplyReport& report) {
  const bool colours = ::isatty(1) && !std::getenv("NO_COLOR");
  for (const ChangedFile& file : report.files) {
    const std::string diff =
        unified_diff(file.path, file.rename_to ? *file.rename_to : file.path,
                     file.before ? &*file.before : nullptr, file.after ? &*file.after : nullptr);
    if (file.rename_to && diff.empty())
      fmt::print("rename from {}\nrename to {}\n", file.path, *file.rename_to);
    for (size_t at = 0; at < diff.size();) {
      const size_t end = std::min(diff.find('\n', at), diff.size());
      const std::string_view line = std::string_view(diff).substr(at, end - at);
      const char* colour = !colours                 ? ""
                           : line.starts_with("@@") ? "\033[36m"
                           : line.starts_with('+')  ? "\033[32m"
                           : line.starts_with('-')  ? "\033[31m"
                                                    : "";
      fmt::print("{}{}{}\n", colour, line, *colour ? "\033[0m" : "");
      at = end + 1;
    }
  }
}

}  // namespace

int apply_command(const ApplyCommand& options) {
  if (options.jsonl) return apply_cases();
  const std::optional<Format> format = format_named(options.format);
  if (!format) {
    fmt::print(stderr, "bodkin apply: there is no format \"{}\"\n", options.format);
    return 2;
  }
  std::error_code error;
  const fs::path root = fs::canonical(options.root, error);
  if (error || !fs::is_directory(root, error)) {
    fmt::print(stderr, "bodkin apply: {} is not a folder\n", options.root);
    return 2;
  }
  const std::string reply(std::istreambuf_iterator<char>(std::cin), {});
  const FolderFiles files(root);
  const ApplyReport report = applied(
      reply, {.format = *format, .default_path = options.path, .truncated = options.truncated},
      files, {});
  const bool writes_files = report.ok && !options.diff && !options.dry_run;
  std::optional<std::string> failed;
  if (writes_files) {
    std::vector<Write> writes;
    for (const ChangedFile& file : report.files) {
      const auto old_path = files.inside(file.path);
      const auto new_path = file.rename_to ? files.inside(*file.rename_to) : old_path;
      if (!old_path || !new_path) {
        failed = fmt::format("{} leaves {}", file.rename_to.value_or(file.path), options.root);
        break;
      }
      if (file.after) writes.push_back({*new_path, file.after->str(), {}, {}});
      if (!file.after || file.rename_to) writes.push_back({*old_path, std::nullopt, {}, {}});
    }
    if (!failed) failed = write_all(writes);
  }
  if (options.json) {
    json out = json_of(report);
    out["written"] = writes_files && !failed;
    if (failed) out["error"] = {{"kind", "io"}, {"message", *failed}};
    if (failed) out["ok"] = false;
    fmt::print("{}\n", dumped(out));
    return report.ok && !failed ? 0 : 1;
  }
  if (failed) {
    fmt::print(stderr, "bodkin apply: {}; nothing was changed\n", *failed);
    return 1;
  }
  if (!report.ok) {
    fmt::print(stderr, "{}",
               report.hunks.empty()
                   ? fmt::format("bodkin apply: {}: {}; nothing was changed\n",
                                 bodkin::name_of(report.failure->kind), report.failure->message)
                   : explain(report));
    return 1;
  }
  if (options.diff) {
    print_diff(report);
    return 0;
  }
  for (const ChangedFile& file : report.files) {
    size_t hunks = 0;
    for (const HunkReport& hunk : report.hunks)
      hunks += hunk.path == file.path && hunk.state == HunkReport::State::applied;
    const char* what = !file.before ? "created" : !file.after ? "removed" : "changed";
    fmt::print("{}{} {}{}", options.dry_run ? "would be " : "", what, file.path,
               file.rename_to ? " -> " + *file.rename_to : "");
    fmt::print("{}\n", hunks > 1 ? fmt::format(" ({} hunks)", hunks) : "");
  }
  if (report.files.empty()) fmt::print("nothing to change: the new text is there already\n");
  fmt::print(stderr, "{}", explain(report));
  return 0;
}

}  // namespace bodkin
