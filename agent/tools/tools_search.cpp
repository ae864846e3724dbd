// More than 350 lines: what rg finds on the disk and what is found in open and drafted files become
// one list.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "agent/platform/paths.h"
#include "agent/support/process.h"
#include "agent/support/shown_text.h"
#include "agent/tools/shown_matches.h"
#include "agent/tools/tool_functions.h"
#include "agent/workspace/git.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxMatches = 50;
constexpr size_t kMaxOverlays = 200;  // open or drafted files that are searched one by one
constexpr int64_t kMaxAround = 100;   // lines before or after a match

struct Search {
  std::string query, below, include, exclude;
  std::vector<std::string> globs;  // of a type; empty: all files
  bool case_sensitive = true, literal = false, multiline = false;
};

bool wanted(const Search& search, std::string_view path) {
  if (!search.below.empty() && path != search.below && !path.starts_with(search.below + "/")) {
    return false;
  }
  const auto matches = [&](const std::string& glob) { return glob_matches(glob, path); };
  return (search.globs.empty() || std::ranges::any_of(search.globs, matches)) &&
         (search.include.empty() || matches(search.include)) &&
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
    if (is_in_worktree_) ++in_worktrees_;
    if (!is_shown_ || is_secret_line(line)) return true;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string hidden = hide_secrets(std::string(line));  // half of one is known by no form
    std::string text = hidden.substr(0, kMaxMatchBytes);
    if (hidden.size() > kMaxMatchBytes) text += "…";
    const size_t colon = text.find(':');
    if (colon != std::string::npos) text.insert(colon + 1, " ");
    bytes_ += path.size() + text.size();
    file_->push_back(std::move(text));
    is_cut_ = is_cut_ || bytes_ > kMaxBytes;
    return !is_cut_;
  }
  // Open and drafted files are searched again.
  void forget(const std::string& path) {
    by_path_.erase(path);
    file_ = nullptr;
  }

  bool is_cut() const { return is_cut_; }
  size_t in_worktrees() const { return in_worktrees_; }
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
    is_in_worktree_ = is_shown_ && place && is_in_worktree(place->root, place->inside);
    if (is_in_worktree_) is_shown_ = false;
    raw_.reset(), redacted_.reset();
    if (!is_shown_) return;
    auto raw = bench_.draft.read(path, task_);
    auto shown = bench_.shown.read(path, task_);
    if (!raw || !shown || raw->text == shown->text) return;
    // A match of several lines may begin or end with a secret's.
    is_shown_ = !search_.multiline;
    raw_ = std::move(raw->text), redacted_ = std::move(shown->text);
  }

  // Whether a path lies in a nested work tree, which is only searched if it is named.
  bool is_in_worktree(const Root& root, const std::string& inside) {
    NestedWorktrees& nested = nested_.try_emplace(root.folder, root.folder).first->second;
    if (!nested.contain(inside)) return false;
    const auto below = roots_.find(search_.below);
    return !below || below->inside.empty() || !nested.contain(below->inside + "/");
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
  std::map<std::string, NestedWorktrees> nested_;  // by folder of the workspace
  size_t bytes_ = 0, in_worktrees_ = 0;
  bool is_cut_ = false;
  // The members below belong to the file that is being added to.
  std::string path_;
  std::vector<std::string>* file_ = nullptr;
  bool is_shown_ = false, is_in_worktree_ = false;
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
    // The file of a name with line breaks is left out: text after one is not a name.
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
                       "--path-separator=/",
                       "--line-number",
                       "--color=never",
                       "--hidden",
                       "--glob=!.git/",
                       "--no-messages",
                       "--max-columns=2000",
                       search.case_sensitive ? "--case-sensitive" : "--ignore-case"};
  if (search.literal) request.arguments.emplace_back("--fixed-strings");
  if (search.multiline) {
    request.arguments.emplace_back("--multiline");
    request.arguments.emplace_back("--multiline-dotall");
  }
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
    return std::unexpected(outcome.error());
  }
  if (outcome->exit_code == 2 && !outcome->errors.empty()) {
    return fail(Error::Code::invalid_input, "rg refused the query: " + outcome->errors);
  }
  return {};
}

// rg follows a link named on its command line, and hangs on a pipe. Nullopt: no such file or
// folder.
std::optional<bool> leads_inside(const std::string& root, const std::string& inside) {
  std::error_code error;
  const std::filesystem::path top = os::canonical(root, error);
  if (error) return std::nullopt;
  const std::filesystem::path real = os::canonical(top / inside, error);
  if (error) return std::nullopt;
  const std::filesystem::file_status found = std::filesystem::status(real, error);
  if (!std::filesystem::is_directory(found) && !std::filesystem::is_regular_file(found)) {
    return std::nullopt;
  }
  const std::string way = real.lexically_relative(top).generic_string();
  return way != ".." && !way.starts_with("../");
}

// The globs of a file type of rg's. Error: there is none of this name.
Result<std::vector<std::string>> globs_of_type(const std::string& type, const Roots& roots,
                                               const Task& task) {
  ProcessRequest request;
  request.arguments = {"rg", "--no-config", "--type-list"};
  for (const Root& root : roots) request.never_from.push_back(root.folder);
  const auto outcome = run_process(request, task.stop);
  if (!outcome) return std::unexpected(outcome.error());
  std::istringstream lines(outcome->output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(type + ": ")) continue;
    std::vector<std::string> globs;
    for (size_t at = type.size() + 2; at < line.size();) {
      const size_t end = std::min(line.find(", ", at), line.size());
      globs.push_back(line.substr(at, end - at));
      at = end + 2;
    }
    return globs;
  }
  return fail_with_advice(Error::Code::invalid_input, "There is no file type \"" + type + "\".",
                          "Give a glob instead.");
}

// Searches the files, and then the texts of open and drafted ones, which count in their place.
Result<void> find_all(const Search& search, const Roots& roots, ToolBench& bench, Matches& matches,
                      const Task& task) {
  for (const Root& root : roots) {
    const std::string prefix = roots.prefix_of(root);
    // Only there, so that matches in other folders do not use up the output limit.
    std::string inside = search.below;
    if (!inside.empty() && !prefix.empty()) {
      if (inside + "/" != prefix && !inside.starts_with(prefix)) continue;
      inside = inside + "/" == prefix ? "" : inside.substr(prefix.size());
    }
    const auto is_inside = leads_inside(root.folder, inside);
    if (!is_inside) continue;  // it does not exist, or only in the draft
    if (!*is_inside)
      return fail(Error::Code::invalid_input,
                  search.below + " is a link to outside the workspace.");
    auto done = search_with_rg(search, root.folder, inside, prefix, nullptr, "", matches, task);
    if (!done) return done;
  }
  size_t overlays = 0;
  for (const std::string& path : bench.draft.open_paths(task)) {
    if (!wanted(search, path)) continue;
    if (++overlays > kMaxOverlays) break;
    matches.forget(path);
    auto file = bench.draft.read(path, task);
    if (!file) continue;  // removed by the draft
    auto done = search_with_rg(search, "", "", "", &file->text, path, matches, task);
    if (!done) return done;
  }
  return {};
}

// The matches as the call wants them shown.
std::string listing_of(const Matches& matches, const json& arguments, ToolBench& bench,
                       const Task& task) {
  const size_t limit = std::clamp<int64_t>(
      arguments.value("max_matches", static_cast<int64_t>(kMaxMatches)), 1, 1000);
  const auto lines_of = [&](const char* name) {
    return static_cast<size_t>(
        std::clamp<int64_t>(arguments.value(name, int64_t{0}), 0, kMaxAround));
  };
  const Around around{lines_of("before"), lines_of("after")};
  const bool has_number = arguments.value("line_numbers", true);
  const size_t skipped = std::max<int64_t>(arguments.value("skip", int64_t{0}), 0);
  size_t total = 0;
  std::string result;
  const std::string output = arguments.value("output", std::string("lines"));
  const auto add = [&](const std::string& line) {
    if (++total > skipped && total - skipped <= limit) result += line;
  };
  for (const auto& [path, lines] : matches.by_path()) {
    if (lines.empty()) continue;
    const std::string name = shown_name(path);
    if (output != "lines") {
      add(output == "count" ? fmt::format("{}: {}\n", name, lines.size()) : name + "\n");
      continue;
    }
    const auto file = around.before + around.after > 0 ? bench.shown.read(path, task)
                                                       : Result<Snapshot>(Snapshot{});
    if (file && around.before + around.after > 0) {
      if (total > 0) add("--\n");
      for (const std::string& line : with_context(name, lines, file->text, around, has_number))
        add(line);
      continue;
    }
    for (const std::string& line : lines) {
      const size_t colon = std::min(line.find(": "), line.size());
      add(shown_line(name, ':', line.substr(0, colon),
                     line.substr(std::min(colon + 2, line.size())), has_number));
    }
  }
  if (matches.is_cut()) {
    result += "(too many matches to check all of them: the list is incomplete; narrow the query)\n";
  }
  if (matches.in_worktrees() > 0)
    result +=
        fmt::format("({} more in nested git work trees, which are not part of this project)\n",
                    matches.in_worktrees());
  if (total == 0 && !matches.is_cut())
    return matches.in_worktrees() > 0 ? "No matches.\n" + result : "No matches.";
  const char* const what = output != "lines"                  ? "files"
                           : around.before + around.after > 0 ? "lines"
                                                              : "matches";
  if (skipped > 0 && total <= skipped)
    result += fmt::format("(there are only {} {})\n", total, what);
  if (total > skipped + limit)
    result += fmt::format("({} of {} {}; narrow the query or use include)\n", limit, total, what);
  return result;
}

}  // namespace

ToolOutcome grep_search(ToolBench& bench, const json& arguments, const Task& task) {
  const Roots roots = bench.draft.roots(task);
  auto below = path_in_workspace(string_of(arguments, "path"), roots);
  if (!below) return failed(below.error());
  Search search{.query = string_of(arguments, "query"),
                .below = *below,
                .include = string_of(arguments, "include"),
                .exclude = string_of(arguments, "exclude"),
                .globs = {},
                .case_sensitive = arguments.value("case_sensitive", true),
                .literal = arguments.value("literal", false),
                .multiline = arguments.value("multiline", false)};
  if (search.query.empty()) return failed("The query is empty.");
  if (const std::string type = string_of(arguments, "type"); !type.empty()) {
    auto globs = globs_of_type(type, roots, task);
    if (!globs) return failed(globs.error());
    search.globs = std::move(*globs);
  }
  Matches matches(search, bench, task);
  if (const auto done = find_all(search, roots, bench, matches, task); !done)
    return failed(done.error());
  return {listing_of(matches, arguments, bench, task)};
}

}  // namespace bodkin
