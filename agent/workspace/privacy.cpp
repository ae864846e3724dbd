#include "agent/workspace/privacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/path_text.h"
#include "agent/support/real_path.h"
#include "agent/workspace/outside.h"
#include "edits/plan/paths.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); }

// Limits of a .bodkinignore: every path of a folder is matched against every pattern.
constexpr size_t kMaxPatterns = 2000;
constexpr size_t kMaxPatternBytes = 64u << 10;  // of all of them
constexpr size_t kLongestPath = 4096;
constexpr size_t kMaxAlternatives = 64;  // of a single glob

// {a,b} becomes two patterns. Nullopt: there are more than `most`.
std::optional<std::vector<std::string>> alternatives(std::string_view pattern, size_t most) {
  if (pattern.size() > kLongestPath) return std::nullopt;
  std::vector<std::string> done, todo{std::string(pattern)};
  while (!todo.empty()) {
    if (done.size() + todo.size() > most) return std::nullopt;
    std::string one = std::move(todo.back());
    todo.pop_back();
    const size_t open = one.find('{');
    const size_t close = open == std::string::npos ? open : one.find('}', open);
    if (close == std::string::npos) {
      done.push_back(std::move(one));
      continue;
    }
    for (size_t begin = open + 1; begin <= close;) {
      const size_t end = std::min(one.find(',', begin), close);
      todo.push_back(one.substr(0, open) + one.substr(begin, end - begin) + one.substr(close + 1));
      begin = end + 1;
    }
  }
  return done;
}

}  // namespace

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  return std::ranges::none_of(split(path, '/'), [](std::string_view part) {
    return part.empty() || part == "." || part == "..";
  });
}

// Backtracks only to the last star of either kind.
bool pattern_matches(std::string_view pattern, std::string_view path) {
  size_t p = 0, s = 0;
  size_t star_p = std::string_view::npos, star_s = 0;  // after "*"
  size_t glob_p = std::string_view::npos, glob_s = 0;  // after "**"
  bool whole_parts = false;                            // it was "**/": what follows begins a part
  while (s < path.size() || p < pattern.size()) {
    if (p < pattern.size()) {
      const char c = pattern[p];
      if (c == '*' && p + 1 < pattern.size() && pattern[p + 1] == '*') {
        p += 2;
        whole_parts = p < pattern.size() && pattern[p] == '/';  // "**/" also matches nothing
        if (whole_parts) ++p;
        glob_p = p;
        glob_s = s;
        star_p = std::string_view::npos;
        continue;
      }
      if (c == '*') {
        star_p = ++p;
        star_s = s;
        continue;
      }
      if (s < path.size()) {
        size_t next = p + 1;
        bool fits = false;
        if (c == '?') {
          fits = path[s] != '/';
        } else if (c == '[' && pattern.find(']', p + 2) != std::string_view::npos) {
          const size_t close = pattern.find(']', p + 2);
          size_t i = p + 1;
          const bool negated = pattern[i] == '!' || pattern[i] == '^';
          if (negated) ++i;
          for (; i < close; ++i) {
            if (i + 2 < close && pattern[i + 1] == '-') {
              fits |=
                  lower(pattern[i]) <= lower(path[s]) && lower(path[s]) <= lower(pattern[i + 2]);
              i += 2;
            } else {
              fits |= lower(pattern[i]) == lower(path[s]);
            }
          }
          fits = fits != negated && path[s] != '/';
          next = close + 1;
        } else if (c == '\\' && p + 1 < pattern.size()) {
          fits = lower(pattern[p + 1]) == lower(path[s]);
          next = p + 2;
        } else {
          fits = lower(c) == lower(path[s]);
        }
        if (fits) {
          p = next;
          ++s;
          continue;
        }
      }
    }
    if (star_p != std::string_view::npos && star_s < path.size() && path[star_s] != '/') {
      p = star_p;
      s = ++star_s;
    } else if (glob_p != std::string_view::npos && glob_s < path.size()) {
      ++glob_s;
      if (whole_parts)
        while (glob_s < path.size() && path[glob_s - 1] != '/') ++glob_s;
      if (whole_parts && glob_s == path.size()) return false;
      p = glob_p;
      s = glob_s;
      star_p = std::string_view::npos;
    } else {
      return false;
    }
  }
  return true;
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  const bool whole = pattern.find('/') != std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  const std::string_view subject = whole ? path : last_part(path);
  const auto patterns = alternatives(pattern, kMaxAlternatives);
  return patterns && std::ranges::any_of(*patterns, [&](const std::string& one) {
           return pattern_matches(one, subject);
         });
}

IgnoreList::IgnoreList(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  size_t patterns = 0, bytes = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) {
      line.remove_suffix(1);
    }
    if (line.empty() || line.starts_with('#')) continue;
    Rule rule;
    if (line.starts_with('!')) rule.negated = true, line.remove_prefix(1);
    if (line.starts_with("./")) line.remove_prefix(1);
    if (line.ends_with('/')) rule.folder = true, line.remove_suffix(1);
    rule.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    auto expanded = alternatives(line, kMaxPatterns - patterns);
    if (expanded) {
      rule.patterns = *std::move(expanded);
      patterns += rule.patterns.size();
      for (const std::string& each : rule.patterns) bytes += each.size();
    }
    if (rule.patterns.empty() || bytes > kMaxPatternBytes) {
      *this = everything();
      is_too_large_ = true;
      return;
    }
    rules_.push_back(std::move(rule));
  }
}

IgnoreList IgnoreList::everything() { return IgnoreList("*"); }

bool IgnoreList::ignores(std::string_view path) const {
  bool result = false;
  for (const Rule& rule : rules_) {
    // Against the path and every folder above it.
    for (size_t end = path.find('/');; end = path.find('/', end + 1)) {
      const bool is_folder = end != std::string_view::npos;
      const std::string_view part = path.substr(0, end);
      const std::string_view subject = rule.anchored ? part : last_part(part);
      if ((is_folder || !rule.folder) &&
          std::ranges::any_of(rule.patterns, [&](const std::string& pattern) {
            return pattern_matches(pattern, subject);
          })) {
        result = !rule.negated;
        break;
      }
      if (!is_folder) break;
    }
  }
  return result;
}

IgnoreLists::IgnoreLists(std::string_view folder, const std::vector<std::string>& folders,
                         const Read& read) {
  for (const std::string& each : folders) {
    if (each != folder && !is_below(folder, each)) continue;
    auto text = read(each);
    if (!text && text.error().code == Error::Code::not_found) continue;
    IgnoreList list = text ? IgnoreList(*text) : IgnoreList::everything();
    // An unreadable list may contain anything, so everything is private.
    if (!text) {
      why_all_ = "cannot be read; save it as UTF-8 text, or remove it";
    } else if (list.is_too_large()) {
      why_all_ = fmt::format("is too large; keep it below {} patterns and {} kB, or remove it",
                             kMaxPatterns, kMaxPatternBytes >> 10);
    }
    if (!text || list.is_too_large()) blocked_by_ = each;
    std::string above(folder.substr(std::min(folder.size(), each.size())));
    if (above.starts_with('/')) above.erase(0, 1);
    lists_.push_back({above.empty() ? "" : above + "/", std::move(list)});
  }
}

bool IgnoreLists::ignores(std::string_view path) const {
  return std::ranges::any_of(lists_, [&](const Listed& each) {
    return each.above.empty() ? each.list.ignores(path)
                              : each.list.ignores(each.above + std::string(path));
  });
}

GuardedWorkspace::GuardedWorkspace(Workspace& below, const Task& task)
    : LayeredWorkspace(below), roots_(below.roots(task)) {
  std::map<std::string, std::string> prefixes;  // by folder
  for (const Root& root : roots_) prefixes[root.folder] = roots_.prefix_of(root);
  if (roots_.empty()) prefixes[""] = "";
  std::vector<std::string> folders;
  for (const auto& [folder, prefix] : prefixes) folders.push_back(folder);
  for (const auto& [folder, prefix] : prefixes) {
    IgnoreLists lists(folder, folders, [&](const std::string& each) -> Result<std::string> {
      const auto list = below.read(prefixes.at(each) + ".bodkinignore", task);
      if (!list) return std::unexpected(list.error());
      return list->text.str();
    });
    if (!lists.reason_all_private().empty()) {
      unreadable_ =
          prefixes.at(lists.blocking_folder()) + ".bodkinignore " + lists.reason_all_private();
    }
    ignored_.push_back({prefix, std::move(lists)});
  }
}

bool GuardedWorkspace::is_listed(std::string_view path) const {
  if (is_secret(path)) return true;
  return std::ranges::any_of(ignored_, [&](const Ignored& each) {
    return path.starts_with(each.prefix) && each.lists.ignores(path.substr(each.prefix.size()));
  });
}

// Decides: which files are private.
bool GuardedWorkspace::is_private(std::string_view path) const {
  if (is_listed(path)) return true;
  // A link with a harmless name may lead to a private file or folder.
  const auto place = roots_.find(path);
  if (!place || is_listed(place->path)) return place.has_value();
  const auto real = real_path(place->absolute), folder = real_path(place->root.folder);
  if (real && roots_.empty()) return is_secret(real->substr(1));  // its folders tell, too
  return real && folder &&
         (is_listed(roots_.prefix_of(place->root) +
                    std::filesystem::path(*real).lexically_relative(*folder).generic_string()) ||
          is_another_name(*real));
}

// Looks through the folders once, and only if there is a file with several names.
bool GuardedWorkspace::is_another_name(const std::string& absolute) const {
  os::FileStatus status{};
  const auto has_names = [&](const std::string& path) {
    return os::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 1;
  };
  if (!has_names(absolute)) return false;
  const FileId file{status.st_dev, status.st_ino};
  if (!linked_) {
    linked_.emplace();
    for (const Root& root : roots_)
      walk(root.folder, [&](const std::filesystem::directory_entry& entry) {
        const std::string path = entry.path().generic_string();
        std::error_code error;
        if (entry.is_regular_file(error) && !os::is_symlink(entry, error) &&
            is_listed(roots_.prefix_of(root) + path_in(path, root.folder)) && has_names(path))
          linked_->emplace(status.st_dev, status.st_ino);
        return entry.path().filename() == ".git" ? Walk::not_below : Walk::on;
      });
  }
  return linked_->contains(file);
}

Result<Snapshot> GuardedWorkspace::read(std::string_view path, const Task& task) {
  if (!is_plain_path(path)) {
    const auto inside = path_inside(path, roots_);
    return fail(Error::Code::not_found,
                inside ? std::string(path) + " is not a path below the workspace's folder."
                       : inside.error().message + ".");
  }
  if (is_private(path)) {
    if (!unreadable_.empty() && !is_secret(path)) {
      return fail(Error::Code::invalid_input,
                  std::string(path) + " is not shown to a model, because " + unreadable_ + ".");
    }
    return fail(Error::Code::invalid_input,
                std::string(path) +
                    " is private (.bodkinignore or the built-in list of secrets): it is never "
                    "shown to a model.");
  }
  return below_.read(path, task);
}

Result<std::vector<std::string>> GuardedWorkspace::list(std::string_view folder, size_t limit,
                                                        const Task& task) {
  auto paths = below_.list(folder, limit, task);
  if (!paths) return paths;
  std::erase_if(*paths, [&](const std::string& path) {
    return task.stop.stop_requested() || is_listed(path);
  });
  if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "cancelled");
  return paths;
}

std::vector<std::string> GuardedWorkspace::open_paths(const Task& task) {
  std::vector<std::string> result = below_.open_paths(task);
  std::erase_if(result, [&](const std::string& path) { return is_private(path); });
  return result;
}

}  // namespace bodkin
