#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "agent/support/path_text.h"
#include "agent/support/process.h"
#include "agent/support/shown_text.h"
#include "agent/tools/tool_functions.h"
#include "agent/tools/waiting_rg.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxMatches = 50;
constexpr size_t kMaxMatchBytes = 300;  // of a matching line
constexpr size_t kMaxOverlays = 200;    // open or drafted files that are searched one by one

struct Search {
  std::string query, below, include, exclude;
  bool case_sensitive = true, literal = false;
};

bool wanted(const Search& search, std::string_view path) {
  if (!search.below.empty() && path != search.below && !path.starts_with(search.below + "/")) {
    return false;
  }
  return (search.include.empty() || glob_matches(search.include, path)) &&
         (search.exclude.empty() || !glob_matches(search.exclude, path));
}

// The matches that may be shown. Others are dropped before anything is counted, so that no number
// or limit reveals them.
class Matches {
 public:
  Matches(const Search& search, ToolBench& bench, const Task& task)
      : search_(search), bench_(bench), task_(task), roots_(bench.draft.roots(task)) {}

  // Adds "12:text" of a file. False: there are too many matches.
  bool add(const std::string& path, std::string_view line) {
    if (!file_ || path != path_) look_at(path);
    if (!is_shown_ || is_secret_line(line)) return true;
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string text(line.substr(0, kMaxMatchBytes));
    if (line.size() > kMaxMatchBytes) text += "…";
    const size_t colon = text.find(':');
    if (colon != std::string::npos) text.insert(colon + 1, " ");
    bytes_ += path.size() + text.size();
    file_->push_back(std::move(text));
    is_cut_ = is_cut_ || bytes_ > kMaxBytes;
    return !is_cut_;
  }
  // What is open or drafted is searched anew.
  void forget(const std::string& path) {
    by_path_.erase(path);
    file_ = nullptr;
  }

  bool is_cut() const { return is_cut_; }
  const std::map<std::string, std::vector<std::string>>& by_path() const { return by_path_; }

 private:
  // Beyond this, a query is too broad to be useful; the rest is not read.
  static constexpr size_t kMaxBytes = 2'000'000;

  void look_at(const std::string& path) {
    path_ = path;
    file_ = &by_path_[path];
    // A file in two folders of the workspace is found in the inner one.
    const auto place = roots_.find(path);
    is_shown_ =
        wanted(search_, path) && !bench_.guard.is_private(path) && (!place || place->path == path);
    raw_.reset(), redacted_.reset();
    if (!is_shown_) return;
    auto raw = bench_.draft.read(path, task_);
    auto shown = bench_.shown.read(path, task_);
    if (!raw || !shown || raw->text == shown->text) return;
    raw_ = std::move(raw->text), redacted_ = std::move(shown->text);
  }

  // A line may be part of a secret, such as a key, without looking like one. Matching it would
  // reveal the secret character by character, so such a line never matches.
  bool is_secret_line(std::string_view line) const {
    if (!raw_) return false;
    size_t number = 0;
    for (const char c : line) {
      if (c < '0' || c > '9' || number > (size_t{1} << 40)) break;
      number = number * 10 + static_cast<size_t>(c - '0');
    }
    if (number == 0 || number > redacted_->line_count()) return false;
    return redacted_->line(number - 1) != raw_->line(number - 1);
  }

  const Search& search_;
  ToolBench& bench_;
  const Task& task_;
  const Roots roots_;
  std::map<std::string, std::vector<std::string>> by_path_;
  size_t bytes_ = 0;
  bool is_cut_ = false;
  // Of the file that is being added to.
  std::string path_;
  std::vector<std::string>* file_ = nullptr;
  bool is_shown_ = false;
  std::optional<Text> raw_, redacted_;  // if they differ
};

// The output of rg, which arrives in chunks: "name NUL 12:text LF".
class RgLines {
 public:
  using Sink = std::function<bool(std::string name, std::string_view line)>;
  explicit RgLines(Sink sink) : sink_(std::move(sink)) {}

  bool take(std::string_view output) {
    held_ += output;
    size_t begin = 0;
    for (size_t end; (end = held_.find('\n', searched_)) != std::string::npos; begin = searched_) {
      searched_ = end + 1;
      if (!take_line(std::string_view(held_).substr(begin, end - begin))) return false;
    }
    held_.erase(0, begin);
    searched_ = held_.size();
    return true;
  }

 private:
  bool take_line(std::string_view line) {
    const size_t name_end = line.find('\0');
    if (name_end == std::string_view::npos) {
      is_in_name_ = !line.contains(": WARNING: stopped searching binary file") &&
                    !line.contains(": binary file matches");
      return true;
    }
    // The file of a name with line breaks is left out: what follows one is no name.
    if (std::exchange(is_in_name_, false)) return true;
    if (line.starts_with("./"))
      return sink_(std::string(line.substr(2, name_end - 2)), line.substr(name_end + 1));
    return sink_(std::string(line.substr(0, name_end)), line.substr(name_end + 1));
  }

  Sink sink_;
  bool is_in_name_ = false;
  std::string held_;
  size_t searched_ = 0;
};

// One run of rg: over a folder or file below `root`, or over a text on its standard input, whose
// path is given.
Result<void> search_with_rg(const Search& search, const std::string& root, const std::string& below,
                            const std::string& prefix, const Text* text, const std::string& path,
                            Matches& matches, const Task& task) {
  ProcessRequest request;
  request.arguments = {"rg",
                       "--no-config",
                       "--no-pre",
                       "--no-search-zip",
                       "--no-heading",
                       "--with-filename",
                       "--null",
                       "--line-number",
                       "--color=never",
                       "--hidden",
                       "--glob=!.git/",
                       "--no-messages",
                       "--max-columns=2000",
                       search.case_sensitive ? "--case-sensitive" : "--ignore-case"};
  if (search.literal) request.arguments.emplace_back("--fixed-strings");
  const bool waits = !text && would_rg_hang(root, join_path(root, below));
  if (waits) request.arguments.emplace_back("--no-ignore");
  request.arguments.push_back("--regexp=" + search.query);
  request.arguments.push_back("--");
  if (text) {
    request.input = text->str();
    request.arguments.push_back("-");
    if (request.input.empty()) return {};
  } else {
    request.folder = root;
    request.arguments.push_back(below.empty() ? "." : "./" + below);
  }
  if (!root.empty()) request.never_from = {root};
  RgLines lines([&](const std::string& name, std::string_view line) {
    return !task.stop.stop_requested() && matches.add(text ? path : prefix + name, line);
  });
  request.on_output = [&](std::string_view output) { return lines.take(output); };
  auto outcome = run_process(request, task.stop);
  if (!outcome) {
    if (outcome.error().code == Error::Code::unavailable) {
      return fail_with_advice(Error::Code::unavailable,
                              "Searching needs ripgrep (rg), which is not installed here.",
                              "List folders and "
                              "read files.");
    }
    if (!text && !waits && outcome.error().code == Error::Code::internal)
      remember_rg_hang(root, task.stop);
    return std::unexpected(outcome.error());
  }
  if (outcome->exit_code == 2 && !outcome->errors.empty()) {
    return fail(Error::Code::invalid_input, "rg refused the query: " + outcome->errors);
  }
  return {};
}

// rg follows a link named on its command line, and hangs on a pipe. Nothing: no such file or
// folder.
std::optional<bool> leads_inside(const std::string& root, const std::string& inside) {
  std::error_code error;
  const std::filesystem::path top = std::filesystem::canonical(root, error);
  if (error) return std::nullopt;
  const std::filesystem::path real = std::filesystem::canonical(top / inside, error);
  if (error) return std::nullopt;
  const std::filesystem::file_status found = std::filesystem::status(real, error);
  if (!std::filesystem::is_directory(found) && !std::filesystem::is_regular_file(found)) {
    return std::nullopt;
  }
  const std::string way = real.lexically_relative(top).generic_string();
  return way != ".." && !way.starts_with("../");
}

}  // namespace

ToolOutcome grep_search(ToolBench& bench, const json& arguments, const Task& task) {
  const Roots roots = bench.draft.roots(task);
  auto below = path_in_workspace(string_of(arguments, "path"), roots);
  if (!below) return failed(below.error());
  const Search search{string_of(arguments, "query"),           *below,
                      string_of(arguments, "include"),         string_of(arguments, "exclude"),
                      arguments.value("case_sensitive", true), arguments.value("literal", false)};
  if (search.query.empty()) return failed("The query is empty.");
  Matches matches(search, bench, task);
  for (const Root& root : roots) {
    const std::string prefix = roots.prefix_of(root);
    // Only there, so that matches in other folders do not use up the output limit.
    std::string inside = *below;
    if (!inside.empty() && !prefix.empty()) {
      if (inside + "/" != prefix && !inside.starts_with(prefix)) continue;
      inside = inside + "/" == prefix ? "" : inside.substr(prefix.size());
    }
    const auto is_inside = leads_inside(root.folder, inside);
    if (!is_inside) continue;  // it does not exist, or only in the draft
    if (!*is_inside) return failed(*below + " is a link to outside the workspace.");
    auto done = search_with_rg(search, root.folder, inside, prefix, nullptr, "", matches, task);
    if (!done) return failed(done.error());
  }
  // For open or drafted files that text counts, not the disk's.
  size_t overlays = 0;
  for (const std::string& path : bench.draft.open_paths(task)) {
    if (!wanted(search, path)) continue;
    if (++overlays > kMaxOverlays) break;
    matches.forget(path);
    auto file = bench.draft.read(path, task);
    if (!file) continue;  // removed by the draft
    auto done = search_with_rg(search, "", "", "", &file->text, path, matches, task);
    if (!done) return failed(done.error());
  }
  const size_t limit = std::clamp<int64_t>(
      arguments.value("max_matches", static_cast<int64_t>(kMaxMatches)), 1, 1000);
  size_t total = 0;
  std::string result;
  const std::string output = arguments.value("output", std::string("lines"));
  for (const auto& [path, lines] : matches.by_path()) {
    if (lines.empty()) continue;
    if (output != "lines") {
      if (++total <= limit)
        result += output == "count" ? fmt::format("{}: {}\n", shown_name(path), lines.size())
                                    : shown_name(path) + "\n";
      continue;
    }
    for (const std::string& line : lines) {
      if (++total <= limit) result += shown_name(path) + ":" + line + "\n";
    }
  }
  if (matches.is_cut()) {
    result += "(too many matches to check all of them: the list is incomplete; narrow the query)\n";
  }
  if (total == 0 && !matches.is_cut()) return {"No matches."};
  if (total > limit) {
    result += fmt::format("({} of {} {}; narrow the query or use include)\n", limit, total,
                          output == "lines" ? "matches" : "files");
  }
  return {result};
}

}  // namespace bodkin
