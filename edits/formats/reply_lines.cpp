#include "edits/formats/reply_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "edits/plan/paths.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

// Beside backticks: what Aider asks for as a fence where the contents hold backticks.
constexpr std::string_view kFenceTags[] = {"source", "code", "pre", "codeblock", "sourcecode"};

// Signs before a path that is alone on its line, and labels that mark it as one: "File: a.py",
// "path=a.py", "**File:** a.py".
constexpr std::string_view kSigns[] = {"#", "//", "--", "- ", "* ", "/*", "<!--"};
constexpr std::string_view kLabels[] = {"file", "path", "filename", "file path"};

bool looks_like_path(std::string_view s) {
  if (s.empty() || s.size() > 400 || s.find_first_of("<>|*?\"\t`(){};=,") != s.npos) return false;
  if (s.ends_with('.') || s.ends_with('/') || s.contains("://")) return false;
  // A name with spaces needs more evidence than prose that ends in "foo.py" has.
  if (s.contains(' ')) return names_file(s) && s.find('/') < s.find(' ');
  return names_file(s) || s.contains('/') || s.contains('\\');
}

// "b.py:12", "b.py:3-9" and "b.py#L3": the path.
std::string without_line_numbers(std::string path) {
  const size_t mark = path.find_last_of(":#");
  if (mark == path.npos || mark < 2) return path;
  const std::string_view numbers = std::string_view(path).substr(mark + 1);
  const bool is_line = path[mark] == ':' ? !numbers.empty() : numbers.starts_with("L");
  if (is_line && numbers.find_first_not_of("0123456789-L") == numbers.npos) path.resize(mark);
  return path;
}

// Without one sign, number or label at its beginning; as it is if it has none.
std::string_view without_sign(std::string_view s) {
  for (const std::string_view sign : kSigns)
    if (s.size() > sign.size() && s.starts_with(sign)) return s.substr(sign.size());
  const size_t digits = std::min(s.find_first_not_of("0123456789"), s.size());
  if (digits > 0 && digits < 4 && s.substr(digits).starts_with(". ")) return s.substr(digits + 2);
  const size_t mark = s.find_first_of(":=");
  std::string label = lower_case(s.substr(0, std::min(mark, size_t{12})));
  std::erase(label, '*');
  if (mark != s.npos && (is_one_of(label, kLabels) || (label == "title" && s[mark] == '='))) {
    s.remove_prefix(mark + 1);
    return s.starts_with("** ") ? s.substr(3) : s;
  }
  // "<path>a.py</path>"
  const size_t close = s.starts_with('<') ? s.find('>') : s.npos, end = s.rfind("</");
  return close != s.npos && end != s.npos && end > close ? s.substr(close + 1, end - close - 1) : s;
}

}  // namespace

ReplyLines::ReplyLines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  this->text = text;
  ends_in_newline = text.ends_with('\n');
  lines = split_lines(text, Returns::dropped);
  taken.assign(lines.size(), 0);
}

void ReplyLines::take(size_t begin, size_t end) {
  std::fill(taken.begin() + begin, taken.begin() + std::min(end, taken.size()), 1);
}

void ReplyLines::give_back(LineRange range) {
  std::fill(taken.begin() + range.begin, taken.begin() + range.end, 0);
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
  size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) ++begin;
  if (begin == line.size() || !is_among(line[begin], "<`~")) return std::nullopt;
  line = without_token(line.substr(begin));
  if (line.starts_with('<')) {
    const size_t end = line.find('>');
    const bool closes = line.starts_with("</");
    if (end == line.npos || !is_one_of(line.substr(1 + closes, end - 1 - closes), kFenceTags))
      return std::nullopt;
    const std::string_view info = trimmed(line.substr(end + 1));
    return info.contains('<') || (closes && !info.empty()) ? std::nullopt : std::optional(info);
  }
  if (!line.starts_with("```") && !line.starts_with("~~~")) return std::nullopt;
  line = trimmed(line.substr(std::min(line.find_first_not_of(line[0]), line.size())));
  if (line.contains('`')) return std::nullopt;  // code between backticks within a line
  return line;
}

std::vector<size_t> fences_around(const ReplyLines& reply, size_t line) {
  std::vector<size_t> open;
  for (size_t i = 0; i < line; ++i) {
    if (reply.taken[i])
      open.clear();
    else if (!open.empty() && closes_fence(reply.lines[open.back()], reply.lines[i]))
      open.pop_back();
    else if (fence_info(reply.lines[i]))
      open.push_back(i);
  }
  return open;
}

bool is_diff_language(std::string_view info) { return is_one_of(info, {"diff", "udiff", "patch"}); }

bool closes_fence(std::string_view opening, std::string_view line) {
  opening = trimmed(opening);
  line = trimmed(without_token(line));
  if (opening.starts_with('<'))
    return line.starts_with("</") && line.substr(2) == opening.substr(1, opening.find('>'));
  const size_t length = std::min(opening.find_first_not_of(opening[0]), opening.size());
  return line.size() >= length && line.find_first_not_of(opening[0]) == line.npos;
}

std::string cleaned_path(std::string_view s,
                         const std::function<bool(std::string_view)>& is_exact_name) {
  for (;;) {
    s = trimmed(s);
    if (s.empty() || (is_exact_name && is_exact_name(s))) break;
    const size_t size = s.size();
    if (std::string_view("`*\"'<").contains(s.front())) s.remove_prefix(1);
    if (!s.empty() && s.size() == size && std::string_view("`*\"'>:").contains(s.back()))
      s.remove_suffix(1);
    // "[src/b.py]": brackets round all of it; bold of the other kind, which "__init__" is not.
    for (const std::string_view pair : {"[]", "()", "{}", "__"}) {
      if (s.size() != size || size < 3 || s.front() != pair[0] || s.back() != pair[1]) continue;
      const std::string_view inner = s.substr(1, size - 2);
      if (inner.find_first_of("./") != inner.npos && (pair == "__" || !inner.contains(pair[1])))
        s = inner;
    }
    if (s.size() == size) break;
  }
  return std::string(s);
}

std::string path_in_line(std::string_view line) {
  std::string_view s = trimmed(line);
  if (s.size() > 500) return "";
  // "## `src/a.py`:", "// src/a.py", "1. src/a.py", "- src/a.py", "File: src/a.py"
  for (size_t size = 0; size != s.size();) {
    size = s.size();
    s = trimmed(without_sign(s));
  }
  for (const std::string_view sign : {"*/", "-->"})
    if (s.ends_with(sign)) s = trimmed(s.substr(0, s.size() - sign.size()));
  const std::string path = without_line_numbers(cleaned_path(s));
  if (looks_like_path(path)) return path;
  // Within quotes, words may be in a path: `my notes.md`.
  const bool is_quoted = s.starts_with('`') || s.starts_with('"') || s.starts_with("**`");
  return is_quoted && path.find_first_of("`\"(){};=,<>") == path.npos &&
                 looks_like_path(path.substr(path.rfind(' ') + 1))
             ? path
             : "";
}

bool is_lone_tag(std::string_view line) {
  std::string_view s = trimmed(line);
  if (s.size() < 4 || s.size() > 40 || s.front() != '<' || s.back() != '>') return false;
  s = s.substr(s[1] == '/' ? 2 : 1);
  return s.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") + 1 == s.size();
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

std::unexpected<Failure> failure_at(std::string_view thing, size_t line, std::string_view what,
                                    std::string advice, FailureKind kind) {
  return failure(kind, fmt::format("{} at line {} of the edit {}", thing, line + 1, what),
                 std::move(advice));
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
  FileChange& change = plan.changes.emplace_back();
  change.path = path;
  change.source_line = source_line;
  return change;
}

}  // namespace bodkin
