#include "agent/privacy.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace bodkin {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// {a,b} becomes two patterns; at most 64 in all.
std::vector<std::string> alternatives(std::string_view pattern) {
  std::vector<std::string> done, todo{std::string(pattern)};
  while (!todo.empty() && done.size() + todo.size() < 64) {
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

std::string_view name_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool is_plain_path(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
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
  const std::string_view subject = whole ? path : name_part(path);
  return std::ranges::any_of(alternatives(pattern),
                             [&](const std::string& one) { return pattern_matches(one, subject); });
}

IgnoreList::IgnoreList(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
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
    rule.pattern = line;
    rules_.push_back(std::move(rule));
  }
}

bool IgnoreList::ignores(std::string_view path) const {
  bool result = false;
  for (const Rule& rule : rules_) {
    // Against the path and every folder above it.
    for (size_t end = path.find('/');; end = path.find('/', end + 1)) {
      const bool is_folder = end != std::string_view::npos;
      const std::string_view part = path.substr(0, end);
      const std::string pattern = (rule.anchored ? "/" : "") + rule.pattern;
      if ((is_folder || !rule.folder) && glob_matches(pattern, part)) {
        result = !rule.negated;
        break;
      }
      if (!is_folder) break;
    }
  }
  return result;
}

GuardedWorkspace::GuardedWorkspace(Workspace& below, const Task& task)
    : below_(below), roots_(below.roots(task)) {
  for (const Root& root : roots_) {
    const std::string prefix = roots_.prefix_of(root);
    const auto list = below.read(prefix + ".bodkinignore", task);
    if (!list && list.error().code == Error::Code::not_found) continue;
    // What cannot be read may name anything: then everything is private.
    if (!list) unreadable_ = prefix + ".bodkinignore";
    const IgnoreList ignored(list ? list->text.str() : "*");
    ignored_.push_back({prefix, "", ignored});
    for (const std::string& inner : roots_.inner_of(root)) {
      const auto place = roots_.find_absolute(root.folder + "/" + inner);
      if (place) ignored_.push_back({roots_.prefix_of(place->root), inner, ignored});
    }
  }
  if (roots_.empty()) {
    const auto list = below.read(".bodkinignore", task);
    if (list || list.error().code != Error::Code::not_found) {
      if (!list) unreadable_ = ".bodkinignore";
      ignored_.push_back({"", "", IgnoreList(list ? list->text.str() : "*")});
    }
  }
}

bool GuardedWorkspace::is_listed(std::string_view path) const {
  if (is_secret(path)) return true;
  return std::ranges::any_of(ignored_, [&](const Ignored& each) {
    return path.starts_with(each.prefix) &&
           each.list.ignores(each.above + std::string(path.substr(each.prefix.size())));
  });
}

bool GuardedWorkspace::is_private(std::string_view path) const {
  if (is_listed(path)) return true;
  // A link with an innocent name may lead to a private file, or into a private folder.
  const auto place = roots_.find(path);
  if (!place || is_listed(place->path)) return place.has_value();
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(place->absolute, error);
  if (error) return false;
  const auto real_root = std::filesystem::weakly_canonical(place->root.folder, error);
  if (error) return false;
  return is_listed(roots_.prefix_of(place->root) +
                   real.lexically_relative(real_root).generic_string());
}

Result<Snapshot> GuardedWorkspace::read(std::string_view path, const Task& task) {
  if (!is_plain_path(path)) {
    return fail(Error::Code::not_found,
                std::string(path) + " is not a path below the workspace's folder.");
  }
  if (is_private(path)) {
    if (!unreadable_.empty() && !is_secret(path)) {
      return fail(Error::Code::invalid_input,
                  std::string(path) + " is not shown to a model, because " + unreadable_ +
                      " cannot be read: save it as UTF-8 text, or remove it.");
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
  if (paths) std::erase_if(*paths, [&](const std::string& path) { return is_listed(path); });
  return paths;
}

std::vector<std::string> GuardedWorkspace::open_paths(const Task& task) {
  std::vector<std::string> result = below_.open_paths(task);
  std::erase_if(result, [&](const std::string& path) { return is_private(path); });
  return result;
}

}  // namespace bodkin
