#include "agent/workspace/git_ignore.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <ranges>

#include "edits/plan/paths.h"

namespace bodkin {

namespace {

constexpr uint64_t kMaxSteps = 1'000'000;  // of one match
constexpr size_t kMaxPattern = 4096;       // bytes, like a path; a longer one matches nothing

constexpr std::string_view kSpecial = "*?[\\";

struct ClassOfCharacters {
  std::string_view name;
  int (*has)(int);
};
constexpr ClassOfCharacters kClasses[] = {
    {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank},
    {"cntrl", std::iscntrl}, {"digit", std::isdigit}, {"graph", std::isgraph},
    {"lower", std::islower}, {"print", std::isprint}, {"punct", std::ispunct},
    {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit},
};

// Follows dowild() of git's wildmatch.c, which is the definition.
class GlobMatch {
 public:
  GlobMatch(std::string_view pattern, std::string_view text, bool of_path, uint64_t& steps)
      : pattern_(pattern), text_(text), of_path_(of_path), steps_(steps) {}

  enum class End { matches, fails, fails_for_good, fails_up_to_two_stars };

  End run(size_t p, size_t t) {
    for (; p < pattern_.size(); ++p, ++t) {
      if (steps_ == 0) return End::fails_for_good;
      --steps_;
      if (t >= text_.size() && pattern_[p] != '*') return End::fails_for_good;
      switch (pattern_[p]) {
        case '?':
          if (of_path_ && text_[t] == '/') return End::fails;
          break;
        case '*': {
          bool continues = false;
          const End end = star(p, t, continues);
          if (!continues) return end;
          break;
        }
        case '[': {
          const auto fits = set(p, text_[t]);
          if (!fits) return End::fails_for_good;
          if (!*fits || (of_path_ && text_[t] == '/')) return End::fails;
          break;
        }
        case '\\':
          ++p;
          [[fallthrough]];
        default:
          if (at(p) != text_[t] || p >= pattern_.size()) return End::fails;
      }
    }
    return t < text_.size() ? End::fails : End::matches;
  }

 private:
  char at(size_t p) const { return p < pattern_.size() ? pattern_[p] : '\0'; }

  // continues: both are at a slash that matches.
  End star(size_t& p, size_t& t, bool& continues) {
    bool crosses = !of_path_;
    const size_t first = p++;
    if (at(p) == '*') {
      while (at(p) == '*') ++p;
      if (of_path_) {
        const bool begins = first == 0 || pattern_[first - 1] == '/';
        const bool ends =
            p == pattern_.size() || at(p) == '/' || (at(p) == '\\' && at(p + 1) == '/');
        crosses = begins && ends;
        if (crosses && at(p) == '/' && run(p + 1, t) == End::matches) return End::matches;
      }
    }
    if (p >= pattern_.size()) {
      const bool has_slash = text_.find('/', t) != std::string_view::npos;
      return crosses || !has_slash ? End::matches : End::fails_up_to_two_stars;
    }
    if (!crosses && at(p) == '/') {
      t = text_.find('/', t);
      continues = t != std::string_view::npos;
      return End::fails_for_good;
    }
    for (; t < text_.size(); ++t) {
      const End end = run(p, t);
      if (end != End::fails) {
        if (!crosses || end != End::fails_up_to_two_stars) return end;
      } else if (!crosses && text_[t] == '/') {
        return End::fails_up_to_two_stars;
      }
    }
    return End::fails_for_good;
  }

  // Moves `p` to the set's "]". Nullopt: it has none, or names an unknown class.
  std::optional<bool> set(size_t& p, char wanted) const {
    const auto c = static_cast<unsigned char>(wanted);
    ++p;
    const bool is_negated = at(p) == '!' || at(p) == '^';
    if (is_negated) ++p;
    bool fits = false;
    unsigned char before = 0;
    for (bool is_first = true; is_first || at(p) != ']'; is_first = false, ++p) {
      if (p >= pattern_.size()) return std::nullopt;
      auto one = static_cast<unsigned char>(at(p));
      if (one == '\\') {
        if (++p >= pattern_.size()) return std::nullopt;
        one = static_cast<unsigned char>(at(p));
        fits |= one == c;
      } else if (one == '-' && before != 0 && p + 1 < pattern_.size() && at(p + 1) != ']') {
        if (at(++p) == '\\' && ++p >= pattern_.size()) return std::nullopt;
        fits |= before <= c && c <= static_cast<unsigned char>(at(p));
        one = 0;
      } else if (one == '[' && at(p + 1) == ':') {
        const size_t begin = p + 2;
        const size_t close = pattern_.find(']', begin);
        if (close == std::string_view::npos) return std::nullopt;
        if (close == begin || pattern_[close - 1] != ':') {
          fits |= c == '[';
        } else {
          const std::string_view name = pattern_.substr(begin, close - 1 - begin);
          const auto* found = std::ranges::find(kClasses, name, &ClassOfCharacters::name);
          if (found == std::end(kClasses)) return std::nullopt;
          fits |= c < 0x80 && found->has(c) != 0;
          p = close;
          one = 0;
        }
      } else {
        fits |= one == c;
      }
      before = one;
    }
    return fits != is_negated;
  }

  const std::string_view pattern_, text_;
  const bool of_path_;
  uint64_t& steps_;
};

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
    std::string_view subject = rule.is_of_names ? last_part(inside) : inside,
                     pattern = rule.pattern;
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
    const uint64_t given = std::min(steps_left_, kMaxSteps);
    uint64_t steps = given;
    const bool matches =
        GlobMatch(pattern, subject, !rule.is_of_names, steps).run(0, 0) == GlobMatch::End::matches;
    steps_left_ -= given - steps;
    if (matches) return &rule;
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
  const std::string_view above = path.substr(0, path.size() - last_part(path).size());
  const bool ignored = is_folder_ignored(above) || decides_to_ignore(path, true);
  folders_.emplace(folder, ignored);
  return ignored;
}

bool GitIgnore::ignores(std::string_view path) const {
  return is_folder_ignored(path.substr(0, path.size() - last_part(path).size())) ||
         decides_to_ignore(path, false);
}

}  // namespace bodkin
