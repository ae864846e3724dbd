#include "edits/formats/reply_lines.h"

#include <algorithm>

#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Beside backticks: what Aider asks for as a fence where the contents hold backticks.
constexpr std::string_view kFenceTags[] = {"source", "code", "pre", "codeblock", "sourcecode"};

// What is before a path that is alone on its line.
constexpr std::string_view kPathSigns[] = {
    "###### ",     "##### ", "#### ",      "### ",      "## ",    "# ",         "#",
    "// ",         "//",     "-- ",        "- ",        "* ",     "/* ",        "<!-- ",
    "File: ",      "file: ", "FILE: ",     "Path: ",    "path: ", "filename: ", "Filename: ",
    "File path: ", "file ",  "path=",      "filename=", "file=",  "title=",     "**File:** ",
    "**File: ",    "<path>", "<file_path>"};

bool starts_with_any(std::string_view s, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return s.starts_with(p); });
}

bool looks_like_path(std::string_view s) {
  if (s.empty() || s.size() > 400 || s.find_first_of("<>|*?\"\t`(){};=,") != s.npos) return false;
  if (s.ends_with('.') || s.ends_with('/') || s.find("://") != s.npos) return false;
  const size_t slash = s.find('/');
  const bool is_named = names_file(s);
  if (s.find(' ') != s.npos) {
    // A name with spaces needs more evidence than prose that ends in "foo.py" has.
    return is_named && slash != s.npos && s.find(' ') > slash;
  }
  return is_named || slash != s.npos || s.find('\\') != s.npos;
}

// "b.py:12", "b.py:3-9" and "b.py#L3": the path.
std::string without_line_numbers(std::string path) {
  const size_t mark = path.find_last_of(":#");
  if (mark == path.npos || mark < 2 || mark + 1 == path.size()) return path;
  const size_t first = path[mark] == '#' ? mark + 2 : mark + 1;
  const bool numbers = (path[mark] == ':' || path[mark + 1] == 'L') && first < path.size() &&
                       path.find_first_not_of("0123456789-L", first) == path.npos;
  if (numbers) path.resize(mark);
  return path;
}

// A line that only opens or closes the markup round a tool call.
bool is_wrapper(std::string_view line) {
  static constexpr std::string_view kWrappers[] = {"tool_call",      "tool_calls",
                                                   "function_calls", "function_call",
                                                   "tool_use",       "antml:function_calls"};
  std::string_view s = trimmed(line);
  if (s.size() < 3 || s.front() != '<' || s.back() != '>') return false;
  s = s.substr(1, s.size() - 2);
  if (s.starts_with('/')) s.remove_prefix(1);
  return std::find(std::begin(kWrappers), std::end(kWrappers), s) != std::end(kWrappers);
}

}  // namespace

ReplyLines::ReplyLines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  this->text = text;
  ends_in_newline = text.ends_with('\n');
  lines.reserve(text.size() / 32 + 1);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  taken.assign(lines.size(), 0);
}

void ReplyLines::take(size_t begin, size_t end) {
  std::fill(taken.begin() + begin, taken.begin() + std::min(end, taken.size()), 1);
}

std::string_view ReplyLines::text_from(size_t line) const {
  return text.substr(static_cast<size_t>(lines[line].data() - text.data()));
}

std::string_view without_token(std::string_view line) {
  line = trimmed_right(line);
  const size_t open = line.ends_with('>') ? line.rfind('<') : line.npos;
  if (open == line.npos) return line;
  const std::string_view token = line.substr(open);
  const bool is_token =
      token == "</s>" || token.starts_with("<|") || token.starts_with("<\xEF\xBD\x9C");
  return is_token ? trimmed_right(line.substr(0, open)) : line;
}

std::optional<std::string_view> fence_info(std::string_view line) {
  line = trimmed(without_token(line));
  for (const std::string_view tag : kFenceTags) {
    if (!line.starts_with('<') || line.find(tag) == line.npos) continue;
    std::string_view rest = line.substr(1);
    const bool closing = rest.starts_with('/');
    if (closing) rest.remove_prefix(1);
    if (!rest.starts_with(tag) || !rest.substr(tag.size()).starts_with('>')) continue;
    rest.remove_prefix(tag.size() + 1);
    if (rest.find_first_of("<>") != rest.npos || (closing && !rest.empty())) continue;
    return trimmed(rest);
  }
  if (!line.starts_with("```") && !line.starts_with("~~~")) return std::nullopt;
  const size_t info = line.find_first_not_of(line[0]);
  if (info == line.npos) return std::string_view();
  line = trimmed(line.substr(info));
  if (line.find('`') != line.npos) return std::nullopt;  // code between backticks within a line
  return line;
}

bool is_diff_language(std::string_view info) {
  return info == "diff" || info == "udiff" || info == "patch";
}

bool closes_fence(std::string_view opening, std::string_view line) {
  opening = trimmed(opening);
  line = trimmed(without_token(line));
  if (opening.starts_with('<')) {
    const std::string_view tag = opening.substr(1, opening.find('>'));
    return line.starts_with("</") && line.substr(2) == tag;
  }
  size_t length = opening.find_first_not_of(opening[0]);
  if (length == opening.npos) length = opening.size();
  return line.size() >= length && line.find_first_not_of(opening[0]) == line.npos;
}

std::string cleaned_path(std::string_view s,
                         const std::function<bool(std::string_view)>& is_exact_name) {
  s = trimmed(s);
  const auto is_name = [&] {
    constexpr std::string_view kSigns = "`*\"'<>:[](){}_";
    return is_exact_name && !s.empty() &&
           (kSigns.find(s.front()) != s.npos || kSigns.find(s.back()) != s.npos) &&
           is_exact_name(s);
  };
  for (bool again = true; again && !s.empty();) {
    again = false;
    if (is_name()) break;
    while (!s.empty() && std::string_view("`*\"'<").find(s.front()) != s.npos) {
      s.remove_prefix(1);
      again = true;
    }
    while (!s.empty() && std::string_view("`*\"'>:").find(s.back()) != s.npos) {
      s.remove_suffix(1);
      again = true;
    }
    if (again && is_name()) break;
    // "[src/b.py]": brackets round all of it.
    for (const auto& [open, close] : {std::pair('[', ']'), {'(', ')'}, {'{', '}'}}) {
      if (s.size() < 3 || s.front() != open || s.back() != close) continue;
      const std::string_view inner = s.substr(1, s.size() - 2);
      if (inner.find(close) != s.npos || inner.find_first_of("./") == s.npos) continue;
      s = inner;
      again = true;
    }
    // Bold of the other kind, which "__init__" is not.
    for (const std::string_view sign : {"__", "_"}) {
      const std::string_view inner =
          s.size() > 2 * sign.size() && s.starts_with(sign) && s.ends_with(sign)
              ? s.substr(sign.size(), s.size() - 2 * sign.size())
              : std::string_view();
      if (inner.find_first_of("./") == inner.npos) continue;
      s = inner;
      again = true;
    }
    const std::string_view t = trimmed(s);
    again = again || t.size() != s.size();
    s = t;
  }
  return std::string(s);
}

std::string path_in_line(std::string_view line) {
  std::string_view s = trimmed(line);
  if (s.size() > 500) return "";
  // "## `src/a.py`:", "// src/a.py", "# src/a.py", "1. src/a.py", "- src/a.py", "File: src/a.py"
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view sign : kPathSigns) {
      if (s.size() > sign.size() && s.front() == sign.front() && s.starts_with(sign)) {
        s = trimmed(s.substr(sign.size()));
        again = true;
        break;
      }
    }
    size_t digits = 0;
    while (digits < s.size() && digits < 3 && s[digits] >= '0' && s[digits] <= '9') ++digits;
    if (digits > 0 && s.substr(digits).starts_with(". ")) {
      s = trimmed(s.substr(digits + 2));
      again = true;
    }
  }
  for (const std::string_view sign : {" */", " -->", "</path>", "</file_path>"}) {
    if (s.ends_with(sign)) s = trimmed(s.substr(0, s.size() - sign.size()));
  }
  const bool quoted = s.size() > 2 && starts_with_any(s, {"`", "\"", "**`"});
  const std::string path = without_line_numbers(cleaned_path(s));
  if (looks_like_path(path)) return path;
  // Within quotes, words may be in a path: `my notes.md`.
  if (quoted && path.find('.') != path.npos && path.find_first_of("`\"(){};=,<>") == path.npos) {
    const std::string name = path.substr(path.rfind(' ') + 1);
    if (looks_like_path(name)) return path;
  }
  return "";
}

bool is_lone_tag(std::string_view line) {
  std::string_view s = trimmed(line);
  if (s.size() < 4 || s.size() > 40 || s.front() != '<' || s.back() != '>') return false;
  s = s.substr(s[1] == '/' ? 2 : 1);
  s.remove_suffix(1);
  return std::all_of(s.begin(), s.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

std::string path_above(const ReplyLines& reply, size_t line, size_t& begin) {
  begin = line;
  size_t looked = 0;
  for (size_t i = line; i > 0 && looked < 3;) {
    --i;
    if (reply.taken[i]) break;
    const std::string_view text = reply.lines[i];
    if (trimmed(text).empty()) {
      if (line - i > 4) break;
      continue;
    }
    if (is_lone_tag(text)) {
      begin = i;
      continue;
    }
    ++looked;
    if (const auto info = fence_info(text)) {
      begin = i;
      if (info->empty()) continue;
      // "```python src/a.py", "```src/a.py", "```python:src/a.py", "```py path=src/a.py"
      std::string path;
      const size_t gap = info->find_first_of(" :");
      if (gap != info->npos) path = path_in_line(info->substr(gap + 1));
      if (path.empty()) path = path_in_line(*info);
      if (!path.empty()) return path;
      continue;
    }
    std::string path = path_in_line(text);
    if (!path.empty()) begin = i;
    return path;
  }
  return "";
}

bool CallPlaces::may_begin(size_t line) {
  const std::string_view s = reply_.lines[line];
  if (fence_ && closes_fence(reply_.lines[*fence_], s)) {
    if (calls_ && !other_) reply_.take(*fence_, line + 1);
    fence_.reset();
    return false;
  }
  if (!fence_ && fence_info(s)) {
    fence_ = line;
    calls_ = other_ = false;
    return false;
  }
  const bool may = !fence_ || !other_;
  other_ = other_ || !(trimmed(s).empty() || is_wrapper(s));
  return may;
}

void CallPlaces::take(size_t begin, size_t end) {
  calls_ = true, other_ = false;
  while (begin > 0 && !reply_.taken[begin - 1] && is_wrapper(reply_.lines[begin - 1])) --begin;
  while (end < reply_.size() && is_wrapper(reply_.lines[end])) ++end;
  reply_.take(begin, end);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).push_back('\n');
  return text;
}

FileChange& update_of(EditPlan& plan, const std::string& path, size_t source_line) {
  if (!plan.changes.empty()) {
    FileChange& last = plan.changes.back();
    if (last.path == path && last.kind == FileChange::Kind::update) return last;
  }
  FileChange change;
  change.path = path;
  change.source_line = source_line;
  plan.changes.push_back(std::move(change));
  return plan.changes.back();
}

}  // namespace bodkin
