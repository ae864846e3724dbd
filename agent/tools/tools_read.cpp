#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "agent/context/symbols.h"
#include "agent/placing/placing.h"
#include "agent/platform/paths.h"
#include "agent/support/shown_text.h"
#include "agent/tools/tool_functions.h"
#include "agent/workspace/outside.h"
#include "agent/workspace/privacy.h"
#include "edits/apply/explain.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxReadLines = 2000;
constexpr size_t kMaxReadBytes = 100'000;
constexpr size_t kMaxListed = 1000;
constexpr size_t kMaxPaths = 100'000;
constexpr size_t kMaxFound = 10;
constexpr size_t kMaxGlobbed = 100;

// How well a path matches the query; nullopt if it does not. Smaller is better: the whole path, its
// end, part of the name, part of the path, the letters in order.
std::optional<int> rank_of(std::string_view path, std::string_view wanted) {
  const std::string whole = lower_case(path), part = lower_case(wanted);
  const std::string name(last_part(whole));
  if (whole == part) return 0;
  if (name == part || whole.ends_with("/" + part)) return 1;
  if (name.starts_with(part)) return 2;
  if (name.find(part) != name.npos) return 3;
  if (whole.find(part) != whole.npos) return 4;
  size_t at = 0;
  for (const char c : part) {
    at = whole.find(c, at);
    if (at == whole.npos) return std::nullopt;
    ++at;
  }
  return 5;
}

// A glob to leave out names a file, or a folder with all that is below it.
bool excludes(const std::string& glob, std::string_view path) {
  std::string pattern = glob;
  while (pattern.ends_with('/')) pattern.pop_back();
  for (size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
    if (glob_matches(pattern, path.substr(0, end))) return true;
  }
  return glob_matches(pattern, path);
}

// Sorted paths below a folder, drawn as a tree.
std::string drawn_tree(const std::vector<std::string>& paths, const std::string& folder) {
  struct Node {
    std::map<std::string, Node> inner;
    std::string drawn(const std::string& indent) const {
      std::string result;
      for (auto it = inner.begin(); it != inner.end(); ++it) {
        const bool is_last = std::next(it) == inner.end();
        result += indent + (is_last ? "└── " : "├── ") + shown_name(it->first) +
                  (it->second.inner.empty() ? "\n" : "/\n") +
                  it->second.drawn(indent + (is_last ? "    " : "│   "));
      }
      return result;
    }
  };
  Node top;
  for (const std::string& path : paths) {
    Node* at = &top;
    for (size_t from = folder.empty() ? 0 : folder.size() + 1; from < path.size();) {
      const size_t end = std::min(path.find('/', from), path.size());
      at = &at->inner[path.substr(from, end - from)];
      from = end + 1;
    }
  }
  return top.drawn("");
}

std::unexpected<Error> outside_workspace(std::string_view raw) {
  return fail_with_advice(Error::Code::invalid_input,
                          std::string(raw) + " is outside the workspace.",
                          "Use paths relative to its folder.");
}

}  // namespace

ToolOutcome failed(std::string message, const std::string& advice) {
  std::string reason = message.substr(0, message.find('\n'));
  if (!advice.empty()) message += " " + advice;
  return {std::move(message), true, false, std::move(reason)};
}

ToolOutcome failed(const Error& error) { return failed(error.message, error.advice); }

ToolOutcome failed(const Failure& failure) {
  return {for_model(failure) + ".", true, false, failure.message + "."};
}

ToolOutcome failed(const ApplyReport& report) {
  return {.content = explain(report),
          .is_error = true,
          .reason = reason_for_user(report),
          .unplaced = unplaced_of(report)};
}

ToolOutcome misplaced(ToolOutcome failed, const std::string& path, FailureKind kind) {
  failed.unplaced.push_back({path, kind});
  return failed;
}

std::string string_of(const json& arguments, const char* name) {
  return arguments.contains(name) ? arguments[name].get<std::string>() : std::string();
}

Result<std::string> path_in_workspace(std::string_view raw, const Roots& roots) {
  namespace fs = std::filesystem;
  if (raw.contains('\0'))
    return fail(Error::Code::invalid_input, printable(raw) + " contains a zero byte.");
  std::string path = fs::path(raw).lexically_normal().generic_string();
  while (path.ends_with('/')) path.pop_back();
  if (path == ".") return std::string();
  if (const auto place = roots.find(path)) return spelled_on_disk(place->path, roots);
  if (!path.empty() && !is_plain_path(path)) {
    return outside_workspace(raw);
  }
  return path;
}

Result<std::string> folder_in_workspace(std::string_view raw, const Roots& roots) {
  auto folder = path_in_workspace(raw, roots);
  if (!folder || !os::is_absolute(raw) || roots.find(raw)) return folder;
  return outside_workspace(raw);
}

NumberedLines numbered(const Text& text, size_t begin, size_t end) {
  NumberedLines result{"", begin};
  end = std::min(end, begin + kMaxReadLines);
  size_t bytes = 0;
  while (result.shown < end) {
    bytes += text.line_end(result.shown) - text.line_begin(result.shown) + 8;
    if (bytes > kMaxReadBytes) break;
    result.text += fmt::format("{}| {}\n", result.shown + 1, text.line(result.shown));
    ++result.shown;
  }
  return result;
}

void note_read(ToolBench& bench, const std::string& path, const Text& text, LineRange lines,
               size_t count) {
  const uint64_t hash = hash_of(text);
  const auto seen = bench.conversation.seen.find(path);
  const bool was_seen = seen != bench.conversation.seen.end() && seen->second == hash;
  bench.conversation.seen[path] = hash;
  if (was_seen && !bench.read_lines.contains(path)) return;  // whole
  std::vector<LineRange>& parts = bench.read_lines[path];
  if (!was_seen) parts.clear();
  parts.push_back(lines);
  std::ranges::sort(parts, {}, &LineRange::begin);
  size_t next = 0;  // all before it have been read
  for (const LineRange& part : parts)
    if (part.begin <= next) next = std::max(next, part.end);
  if (next >= count) bench.read_lines.erase(path);
}

Error missing(const std::string& path, const Error& error, Draft& draft, const Task& task) {
  if (error.code != Error::Code::not_found) return error;
  const std::string name(last_part(path));
  auto paths = draft.list("", kMaxPaths, task);
  std::string similar;
  size_t count = 0;
  for (const std::string& other : paths ? *paths : std::vector<std::string>()) {
    if (last_part(other) == name && ++count <= 5) similar += " " + shown_name(other);
  }
  return {.code = error.code,
          .message = path + " does not exist.",
          .advice =
              similar.empty() ? "List a folder to see what there is." : "Similar paths:" + similar};
}

ToolOutcome read_file(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error());
  auto file = bench.shown.read(*path, task);
  if (!file) {
    const auto below = bench.draft.list(*path, 1, task);
    const bool is_folder = path->empty() || (below && !below->empty());
    if (is_folder && !arguments.contains("start_line"))
      return list_dir(bench, {{"path", *path}}, task);
    return failed(missing(*path, file.error(), bench.draft, task));
  }
  const Text& text = file->text;
  const size_t count = line_count_of(text);
  const int64_t from = arguments.value("start_line", int64_t{1});
  int64_t to = arguments.value("end_line", static_cast<int64_t>(count));
  if (arguments.contains("max_lines")) {
    const int64_t most = arguments["max_lines"].get<int64_t>();
    if (most < 1) return failed("The number of lines to read must be at least 1.");
    to = std::min(to, most < to ? from - 1 + most : to);
  }
  if (text.size() == 0) {
    note_read(bench, *path, text, {0, 0}, 0);
    return {*path + " is empty."};
  }
  if (from < 1 || from > static_cast<int64_t>(count) || to < from) {
    return failed(fmt::format("{} has {} lines.", *path, count),
                  fmt::format("Ask for lines between 1 and {}.", count));
  }
  const size_t begin = from - 1;
  const NumberedLines lines = numbered(text, begin, std::min<size_t>(to, count));
  const size_t shown = lines.shown;
  note_read(bench, *path, text, {begin, shown}, count);
  if (shown == begin) {
    return {fmt::format("Line {} of {} is {} bytes long; its beginning:\n{}", begin + 1, *path,
                        text.line_end(begin) - text.line_begin(begin),
                        text.substr(text.line_begin(begin), kMaxReadBytes / 10))};
  }
  std::string result =
      fmt::format("{}, lines {}-{} of {}:\n", *path, begin + 1, shown, count) + lines.text;
  if (shown < std::min<size_t>(to, count)) {
    result += fmt::format("(truncated; continue at line {})\n", shown + 1);
  }
  return {result};
}

ToolOutcome list_dir(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error());
  const std::vector<std::string> ignored = arguments.value("exclude", std::vector<std::string>());
  auto paths = bench.draft.list(*path, ignored.empty() ? kMaxListed + 1 : kMaxPaths, task);
  if (!paths) return failed(paths.error());
  std::erase_if(*paths, [&](const std::string& one) {
    return std::ranges::any_of(ignored, [&](const auto& glob) { return excludes(glob, one); });
  });
  if (paths->empty()) return {(path->empty() ? "The workspace" : *path) + " has no files to show."};
  const bool cut = paths->size() > kMaxListed;
  if (cut) paths->resize(kMaxListed);
  std::string result;
  if (arguments.value("tree", false)) {
    result = (path->empty() ? "." : *path) + "/\n" + drawn_tree(*paths, *path);
  } else {
    for (const std::string& one : *paths) result += shown_name(one) + "\n";
  }
  if (cut) result += fmt::format("(truncated after {}; list a subfolder)\n", kMaxListed);
  return {result};
}

ToolOutcome find_file(ToolBench& bench, const json& arguments, const Task& task) {
  const std::string wanted = string_of(arguments, "name");
  if (wanted.empty() || wanted.size() > 500) return failed("Give a part of the file's name.");
  const auto paths = bench.draft.list("", kMaxPaths, task);
  if (!paths) return failed(paths.error());
  std::vector<std::tuple<int, size_t, std::string_view>> found;
  for (const std::string& path : *paths) {
    if (const auto rank = rank_of(path, wanted)) found.emplace_back(*rank, path.size(), path);
  }
  if (found.empty()) return {"No path contains \"" + wanted + "\"."};
  std::ranges::sort(found);
  std::string result;
  for (size_t i = 0; i < std::min(found.size(), kMaxFound); ++i) {
    result += shown_name(std::get<2>(found[i])) + "\n";
  }
  if (found.size() > kMaxFound) {
    result += fmt::format("({} of {}, best matches first)\n", kMaxFound, found.size());
  }
  return {result};
}

ToolOutcome glob(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error());
  const std::string pattern = string_of(arguments, "pattern");
  if (pattern.empty() || pattern.size() > 500) return failed("Give a pattern, such as **/*.cpp.");
  const auto paths = bench.draft.list(*path, kMaxPaths, task);
  if (!paths) return failed(paths.error());
  const size_t below = path->empty() ? 0 : path->size() + 1;
  std::string result;
  size_t count = 0;
  for (const std::string& one : *paths) {
    if (one.size() <= below || !glob_matches(pattern, std::string_view(one).substr(below)))
      continue;
    if (++count <= kMaxGlobbed) result += shown_name(one) + "\n";
  }
  if (count == 0) return {"No path matches " + pattern + "."};
  if (count > kMaxGlobbed)
    result += fmt::format("({} of {}; use a narrower pattern or a path)\n", kMaxGlobbed, count);
  return {result};
}

}  // namespace bodkin
