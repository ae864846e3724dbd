// Patterns, and the .bodkinignore that are made of them.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/encoding.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/support/real_path.h"
#include "agent/workspace/privacy.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); }
char upper(char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); }

// Limits of a .bodkinignore: every path of a folder is matched against every pattern.
constexpr size_t kMaxList = 1 << 20;  // bytes
constexpr size_t kMaxPatterns = 2000;
constexpr size_t kMaxPatternBytes = 64u << 10;  // of all of them
constexpr size_t kMaxAlternatives = 64;         // of a single glob
constexpr size_t kLongestPath = 4096;

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

// [:alpha:]. Nullopt: there is no such class.
std::optional<bool> is_of_class(std::string_view name, char c) {
  static constexpr std::pair<std::string_view, int (*)(int)> kClasses[] = {
      {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank},
      {"cntrl", std::iscntrl}, {"digit", std::isdigit}, {"graph", std::isgraph},
      {"lower", std::islower}, {"print", std::isprint}, {"punct", std::ispunct},
      {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit}};
  for (const auto& [known, has] : kClasses)
    if (known == name) return has(static_cast<unsigned char>(c)) != 0;
  return std::nullopt;
}

// Whether the set that begins at pattern[begin], [a-z], [!a] or [[:alpha:]], has the character.
// Nullopt: it is not closed.
struct InSet {
  bool fits;
  size_t end;
};
std::optional<InSet> in_set(std::string_view pattern, size_t begin, char c, Unclear unclear) {
  using Byte = unsigned char;
  const bool any_case = unclear == Unclear::matches;
  const auto has_any = [&](const auto& has) {
    return has(c) || (any_case && (has(lower(c)) || has(upper(c))));
  };
  size_t i = begin + 1;
  const bool is_negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (is_negated) ++i;
  bool fits = false, is_unclear = false;
  const auto literal = [&] {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    return static_cast<Byte>(pattern[i]);
  };
  for (const size_t first = i; i < pattern.size(); ++i) {
    if (pattern[i] == ']' && i > first)
      return InSet{is_unclear ? unclear == Unclear::matches : fits != is_negated, i + 1};
    const bool is_class = pattern.substr(i).starts_with("[:");
    if (const size_t end = is_class ? pattern.find(":]", i + 2) : pattern.npos;
        end != pattern.npos) {
      const std::string_view name = pattern.substr(i + 2, end - i - 2);
      is_unclear |= !is_of_class(name, c);
      fits |= has_any([&](char each) { return is_of_class(name, each).value_or(false); });
      i = end + 1;
      continue;
    }
    const Byte from = literal();
    Byte to = from;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      i += 2;
      to = literal();
    }
    fits |= has_any([&](char each) {
      return from <= static_cast<Byte>(each) && static_cast<Byte>(each) <= to;
    });
  }
  return std::nullopt;
}

// Error not_found: the folder has no list. Any other: it has one that may contain anything.
Result<std::string> read_list(const std::string& folder) {
  const std::string path = join_path(folder, ".bodkinignore");
  os::FileStatus status{};
  if (os::lstat(path.c_str(), &status) != 0 &&
      (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
    return fail(Error::Code::not_found, path + " does not exist.");
  auto bytes = read_file(path, kMaxList);
  if (!bytes) return fail(Error::Code::internal, bytes.error().message);  // also of a link
  if (bytes->find('\0') == std::string::npos && is_utf8(*bytes)) return bytes;
  const std::string encoding = utf_16_of(*bytes);
  if (auto text = encoding.empty() ? std::nullopt : decoded(*bytes, encoding)) return *text;
  return fail(Error::Code::invalid_input, path + " is not UTF-8 text.");
}

}  // namespace

// Backtracks only to the last star of either kind.
bool pattern_matches(std::string_view pattern, std::string_view path, Unclear unclear) {
  const bool any_case = unclear == Unclear::matches;
  const auto is_same = [&](char a, char b) { return a == b || (any_case && lower(a) == lower(b)); };
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
        } else if (const auto set =
                       c == '[' ? in_set(pattern, p, path[s], unclear) : std::nullopt) {
          fits = path[s] != '/' && set->fits;
          next = set->end;
        } else if (c == '\\' && p + 1 < pattern.size()) {
          fits = is_same(pattern[p + 1], path[s]);
          next = p + 2;
        } else {
          fits = is_same(c, path[s]);
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
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t') && !line.ends_with("\\ ")) {
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
      // To git, braces are part of a name.
      if (!rule.negated && line.find('{') != line.npos) rule.patterns.emplace_back(line);
      patterns += rule.patterns.size();
      for (const std::string& each : rule.patterns) bytes += each.size();
    }
    if (rule.patterns.empty() || bytes > kMaxPatternBytes || patterns > kMaxPatterns) {
      *this = everything();
      is_too_large_ = true;
      return;
    }
    rules_.push_back(std::move(rule));
  }
}

IgnoreList IgnoreList::everything() { return IgnoreList("*"); }

// Without regard to the folders above it: the last rule that matches decides.
bool IgnoreList::ignores_itself(std::string_view path, bool is_folder) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folder && !is_folder) continue;
    const std::string_view subject = rule->anchored ? path : last_part(path);
    const Unclear unclear = rule->negated ? Unclear::matches_not : Unclear::matches;
    if (std::ranges::any_of(rule->patterns, [&](const std::string& pattern) {
          // Also as git reads it: [!a] does not have "A" if case is ignored.
          return pattern_matches(pattern, subject, unclear) ||
                 (pattern.contains('[') && pattern_matches(pattern, subject, Unclear::matches_not));
        }))
      return !rule->negated;
  }
  return false;
}

// What is in an ignored folder is ignored, whatever a '!' says of it.
bool IgnoreList::ignores(std::string_view path) const {
  for (size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const bool is_folder = end != std::string_view::npos;
    if (ignores_itself(path.substr(0, end), is_folder)) return true;
    if (!is_folder || end + 1 == path.size()) return false;
  }
}

IgnoreLists::IgnoreLists(std::string folder) : folder_(std::move(folder)) {
  add_all_above(folder_);
  if (const std::string real = real_or_same(folder_); real != folder_) add_all_above(real);
}

void IgnoreLists::add_all_above(const std::string& folder) {
  for (std::filesystem::path at = folder;; at = at.parent_path()) {
    const std::string above = os::text_of(at);
    add(above, above == folder ? "" : path_in(folder, above) + "/", read_list(above));
    if (at == at.parent_path()) return;
  }
}

void IgnoreLists::add_above(const std::string& above, const Result<std::string>& text) {
  if (above == folder_ || is_below(folder_, above))
    add(above, above == folder_ ? "" : path_in(folder_, above) + "/", text);
}

// An unreadable list may contain anything, so everything is private.
void IgnoreLists::add(const std::string& folder, std::string below,
                      const Result<std::string>& text) {
  if (!text && text.error().code == Error::Code::not_found) return;
  IgnoreList list = text ? IgnoreList(*text) : IgnoreList::everything();
  if (why_all_.empty() && (!text || list.is_too_large())) {
    why_all_ = "cannot be read; save it as UTF-8 text, or remove it";
    if (text)
      why_all_ = fmt::format("is too large; keep it below {} patterns and {} kB, or remove it",
                             kMaxPatterns, kMaxPatternBytes >> 10);
    blocked_by_ = folder;
  }
  lists_.push_back({std::move(below), std::move(list)});
}

void IgnoreLists::read_again(const std::string& inside, const std::string& place) {
  if (inside.empty()) return add(folder_, "", read_list(place));
  add_inside(inside, read_list(place));
}

void IgnoreLists::add_inside(const std::string& inside, const Result<std::string>& text) const {
  Known& known = inside_[inside];
  auto lists = known ? *known : std::vector<IgnoreList>();
  if (text || text.error().code != Error::Code::not_found)
    lists.push_back(text ? IgnoreList(*text) : IgnoreList::everything());
  known = std::make_shared<const std::vector<IgnoreList>>(std::move(lists));
  asked_.reset();
}

// Paths come in order, so that those of one folder follow each other.
void IgnoreLists::ask_lists_in(std::string_view folder) const {
  if (asked_ && *asked_ == folder) return;
  std::vector<std::pair<size_t, Known>> lists;
  for (size_t end = folder.find('/'); !folder.empty(); end = folder.find('/', end + 1)) {
    const std::string_view part = folder.substr(0, end);
    auto known = inside_.find(part);
    if (known == inside_.end()) {
      add_inside(std::string(part), read_list(join_path(folder_, std::string(part))));
      known = inside_.find(part);
    }
    if (!known->second->empty()) lists.emplace_back(part.size() + 1, known->second);
    if (end == folder.npos) break;
  }
  asked_ = folder;
  asked_lists_ = std::move(lists);
}

bool IgnoreLists::ignores(std::string_view path) const {
  if (std::ranges::any_of(lists_, [&](const Listed& each) {
        return each.below.empty() ? each.list.ignores(path)
                                  : each.list.ignores(each.below + std::string(path));
      }))
    return true;
  if (folder_.empty()) return false;
  const size_t last = path.substr(0, path.size() - path.ends_with('/')).rfind('/');
  if (last == path.npos) return false;
  ask_lists_in(path.substr(0, last));
  return std::ranges::any_of(asked_lists_, [&](const auto& each) {
    return std::ranges::any_of(*each.second, [&](const IgnoreList& list) {
      return list.ignores(path.substr(each.first));
    });
  });
}

}  // namespace bodkin
