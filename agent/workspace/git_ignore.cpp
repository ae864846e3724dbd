#include "agent/workspace/git_ignore.h"

#include <algorithm>
#include <ranges>

#include "agent/workspace/privacy.h"

namespace bodkin {

namespace {

constexpr size_t kMaxPattern = 4096;  // bytes, like a path; a longer one matches nothing

constexpr std::string_view kSpecial = "*?[\\";

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Spaces at the end of a line do not count, unless a backslash is before them.
std::string_view without_end(std::string_view line) {
  size_t end = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') continue;
    if (line[i] == '\\' && ++i >= line.size()) return line;
    end = i + 1;
  }
  return line.substr(0, end);
}

}  // namespace

std::vector<GitIgnore::Rule> GitIgnore::rules_in(std::string_view text) {
  std::vector<Rule> rules;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_end(line.substr(0, line.find('\0')));
    if (line.empty() || line.starts_with('#') || line.size() > kMaxPattern) continue;
    Rule rule;
    if (line.starts_with('!')) rule.is_negated = true, line.remove_prefix(1);
    if (line.ends_with('/')) rule.is_of_folders = true, line.remove_suffix(1);
    rule.is_of_names = line.find('/') == line.npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    rule.is_literal = line.find_first_of(kSpecial) == line.npos;
    rule.pattern = line;
    rules.push_back(std::move(rule));
  }
  return rules;
}

void GitIgnore::add(const std::string& folder, std::string_view text) {
  rules_[folder] = rules_in(text);
  folders_.clear();
}

void GitIgnore::add_excludes(std::string_view text) {
  excludes_ = rules_in(text);
  folders_.clear();
}

const GitIgnore::Rule* GitIgnore::deciding(const std::vector<Rule>& rules, std::string_view inside,
                                           bool is_folder) const {
  for (const Rule& rule : rules | std::views::reverse) {
    if (rule.is_of_folders && !is_folder) continue;
    std::string_view subject = rule.is_of_names ? name_in(inside) : inside, pattern = rule.pattern;
    if (rule.is_literal) {
      if (pattern == subject) return &rule;
      continue;
    }
    if (!rule.is_of_names) {
      // Like git, for which a "**" after this is at the pattern's beginning.
      const size_t literal = pattern.find_first_of(kSpecial);
      if (!subject.starts_with(pattern.substr(0, literal))) continue;
      pattern.remove_prefix(literal);
      subject.remove_prefix(literal);
    }
    const uint64_t most = uint64_t{pattern.size()} * subject.size();
    if (most > steps_left_) continue;
    steps_left_ -= most;
    if (pattern_matches(pattern, subject, true)) return &rule;
  }
  return nullptr;
}

bool GitIgnore::decides_to_ignore(std::string_view path, bool is_folder) const {
  // The rules of the nearest folder that say something about it.
  for (size_t end = path.rfind('/');; end = end == 0 ? path.npos : path.rfind('/', end - 1)) {
    const size_t above = end == path.npos ? 0 : end + 1;
    const auto rules = rules_.find(path.substr(0, above));
    if (rules != rules_.end()) {
      const Rule* rule = deciding(rules->second, path.substr(above), is_folder);
      if (rule) return !rule->is_negated;
    }
    if (above == 0) break;
  }
  const Rule* rule = deciding(excludes_, path, is_folder);
  return rule && !rule->is_negated;
}

bool GitIgnore::is_folder_ignored(std::string_view folder) const {
  if (folder.empty()) return false;
  const auto known = folders_.find(folder);
  if (known != folders_.end()) return known->second;
  const std::string_view path = folder.substr(0, folder.size() - 1);
  const std::string_view above = path.substr(0, path.size() - name_in(path).size());
  const bool ignored = is_folder_ignored(above) || decides_to_ignore(path, true);
  folders_.emplace(folder, ignored);
  return ignored;
}

bool GitIgnore::ignores(std::string_view path) const {
  return is_folder_ignored(path.substr(0, path.size() - name_in(path).size())) ||
         decides_to_ignore(path, false);
}

}  // namespace bodkin
