#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "agent/process.h"
#include "agent/tool_functions.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxMatches = 50;
constexpr size_t kMaxMatchBytes = 300;  // of a matching line
constexpr size_t kMaxOverlays = 200;    // open or drafted files that are searched one by one

struct Search {
  std::string query, below, include, exclude;
  bool case_sensitive = true;
};

bool wanted(const Search& search, std::string_view path) {
  if (!search.below.empty() && path != search.below && !path.starts_with(search.below + "/")) {
    return false;
  }
  return (search.include.empty() || glob_matches(search.include, path)) &&
         (search.exclude.empty() || !glob_matches(search.exclude, path));
}

struct Matches {
  std::map<std::string, std::vector<std::string>> by_path;  // each "line: text"
  bool cut = false;  // there was more than anybody could read
};

// One run of rg: over a folder or file below `root`, or over a text on its standard input, whose
// path is given.
Result<void> search_with_rg(const Search& search, const std::string& root, const std::string& below,
                            const std::string& prefix, const Text* text, const std::string& path,
                            Matches& matches, const Task& task) {
  // Above this much a query is too wide to be of use; the rest is not waited for.
  constexpr size_t kMaxOutput = 2'000'000;
  ProcessRequest request;
  request.max_output = kMaxOutput;
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
  auto outcome = run_process(request, task.stop);
  if (!outcome) {
    if (outcome.error().code == Error::Code::unavailable) {
      return fail(Error::Code::unavailable,
                  "Searching needs ripgrep (rg), which is not installed here; use list_dir and "
                  "read_file.");
    }
    return std::unexpected(outcome.error());
  }
  if (outcome->exit_code == 2 && outcome->output.empty()) {
    return fail(Error::Code::invalid_input, "rg refused the query: " + outcome->errors);
  }
  matches.cut = matches.cut || outcome->cut;
  const std::string& output = outcome->output;
  for (size_t begin = 0; begin < output.size();) {
    const size_t name_end = output.find('\0', begin);
    if (name_end == std::string::npos) break;
    const size_t end = std::min(output.find('\n', name_end), output.size());
    if (end == output.size() && outcome->cut) break;
    std::string name = output.substr(begin, name_end - begin);
    if (name.starts_with("./")) name.erase(0, 2);
    std::string line = output.substr(name_end + 1, end - name_end - 1);
    if (line.ends_with('\r')) line.pop_back();
    if (line.size() > kMaxMatchBytes) line = line.substr(0, kMaxMatchBytes) + "…";
    const size_t colon = line.find(':');
    if (colon != std::string::npos) line.insert(colon + 1, " ");
    const std::string where = text ? path : prefix + name;
    if (text || wanted(search, where)) matches.by_path[where].push_back(std::move(line));
    begin = end + 1;
  }
  return {};
}

// A line may be a part of a secret, such as a key's, without looking like one. Whether it matches
// would tell of the secret, sign by sign: such a line never matches.
void hide_secrets_in(std::vector<std::string>& lines, const std::string& path, ToolBench& bench,
                     const Task& task) {
  const auto raw = bench.draft.read(path, task);
  const auto shown = bench.shown.read(path, task);
  if (!raw || !shown || raw->text == shown->text) return;
  std::erase_if(lines, [&](const std::string& line) {
    const size_t number = std::strtoull(line.c_str(), nullptr, 10);
    if (number == 0 || number > shown->text.line_count()) return false;
    return shown->text.line(number - 1) != raw->text.line(number - 1);
  });
}

// rg follows a link that it is told to search, and waits for a pipe's other end. Nothing: there is
// no such file or folder.
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
  if (!below) return failed(below.error().message);
  const Search search{string_of(arguments, "query"), *below, string_of(arguments, "include"),
                      string_of(arguments, "exclude"), arguments.value("case_sensitive", true)};
  if (search.query.empty()) return failed("The query is empty.");
  Matches matches;
  for (const Root& root : roots) {
    const std::string prefix = roots.prefix_of(root);
    // Only there: what other folders match must not fill what is read of the output.
    std::string inside = *below;
    if (!inside.empty() && !prefix.empty()) {
      if (inside + "/" != prefix && !inside.starts_with(prefix)) continue;
      inside = inside + "/" == prefix ? "" : inside.substr(prefix.size());
    }
    const auto is_inside = leads_inside(root.folder, inside);
    if (!is_inside) continue;  // there is nothing, or nothing yet: it may be in the draft
    if (!*is_inside) return failed(*below + " is a link that leaves the workspace.");
    auto done = search_with_rg(search, root.folder, inside, prefix, nullptr, "", matches, task);
    if (!done) return failed(done.error().message);
  }
  // A file in two folders of the workspace is found in the inner one.
  std::erase_if(matches.by_path, [&](const auto& entry) {
    const auto place = roots.find(entry.first);
    return place && place->path != entry.first;
  });
  // What is open or drafted counts as it is there, not as it is on disk.
  size_t overlays = 0;
  for (const std::string& path : bench.draft.open_paths(task)) {
    if (!wanted(search, path)) continue;
    if (++overlays > kMaxOverlays) break;
    matches.by_path.erase(path);
    auto file = bench.draft.read(path, task);
    if (!file) continue;  // removed by the draft
    auto done = search_with_rg(search, "", "", "", &file->text, path, matches, task);
    if (!done) return failed(done.error().message);
  }
  std::erase_if(matches.by_path, [&](const auto& entry) { return bench.guard.is_private(entry.first); });
  const size_t limit = std::clamp<int64_t>(
      arguments.value("max_matches", static_cast<int64_t>(kMaxMatches)), 1, 1000);
  size_t total = 0;
  std::string result;
  for (auto& [path, lines] : matches.by_path) {
    hide_secrets_in(lines, path, bench, task);
    for (const std::string& line : lines) {
      if (++total <= limit) result += path + ":" + line + "\n";
    }
  }
  if (matches.cut) {
    result += "(there are more matches than can be looked at: the list is not whole; narrow it)\n";
  }
  if (total == 0 && !matches.cut) return {"No matches."};
  if (total > limit) {
    result += fmt::format("({} of {} matches; narrow the query or use include)\n", limit, total);
  }
  return {result};
}

}  // namespace bodkin
