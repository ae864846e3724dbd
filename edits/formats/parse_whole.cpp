#include "edits/formats/parse_whole.h"

#include <algorithm>

#include "edits/formats/path_in_words.h"
#include "edits/formats/plain_fences.h"
#include "edits/plan/elision.h"

namespace bodkin {

namespace {

// True if a fence is only text: shorter than the enclosing one, indented deeper, or of the other
// sign.
bool is_inner_fence(std::string_view opening, std::string_view line) {
  const size_t outer = opening.find_first_not_of(" \t"), inner = line.find_first_not_of(" \t");
  if (inner > outer || opening[outer] != line[inner]) return true;
  if (opening[outer] == '<') return false;
  const auto length = [](std::string_view s, size_t at) {
    return std::min(s.find_first_not_of(s[at], at), s.size()) - at;
  };
  return length(line, inner) < length(opening, outer);
}

std::unexpected<Failure> error(FailureKind kind, size_t line, std::string_view path,
                               std::string_view what, std::string advice = {}) {
  return failure(kind,
                 "the fence at line " + std::to_string(line + 1) + " of the edit" +
                     (path.empty() ? "" : " (" + std::string(path) + ")") + " " + std::string(what),
                 std::move(advice));
}

// True if a fence without a word after it follows, although `close` seemed to end a file. In a text
// that holds fences of its own, there is no telling which is the last.
bool is_doubtful_end(const ReplyLines& reply, size_t close, std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view end = name.substr(std::min(name.rfind('.'), name.size()));
  if (end != ".md" && end != ".markdown" && end != ".mdx" && end != ".rst" && end != ".txt")
    return false;
  for (size_t i = close + 1; i < reply.size() && !reply.taken[i]; ++i) {
    size_t begin = 0;
    if (const auto info = fence_info(reply.lines[i]))
      return info->empty() && path_above(reply, i, begin).empty();
  }
  return false;
}

// The end of the fence that opens at `open`; fences with an info string nest.
std::optional<size_t> closing_fence(const ReplyLines& reply, size_t open) {
  size_t depth = 0;
  for (size_t i = open + 1; i < reply.size(); ++i) {
    if (reply.taken[i]) return std::nullopt;
    const auto info = fence_info(reply.lines[i]);
    if (!info) continue;
    if (is_inner_fence(reply.lines[open], reply.lines[i])) continue;
    if (closes_fence(reply.lines[open], reply.lines[i])) {
      if (depth == 0) return i;
      --depth;
    } else if (!info->empty()) {
      ++depth;
    }
  }
  return std::nullopt;
}

// The last fence that may end the one at `open`, if `close` only begins one within it.
std::optional<size_t> last_closing_fence(const ReplyLines& reply, size_t open, size_t close) {
  std::optional<size_t> last;
  bool inner = true;
  for (size_t i = close + 1; i < reply.size() && !reply.taken[i]; ++i) {
    const auto info = fence_info(reply.lines[i]);
    if (!info || is_inner_fence(reply.lines[open], reply.lines[i])) continue;
    size_t begin = i;
    if (!info->empty() && (inner || !path_above(reply, i + 1, begin).empty())) break;
    if (info->empty() && !inner) last = i;
    inner = !inner;
    // What seems to end it may begin the next.
    if (last == i) inner = true;
  }
  return last;
}

// "12:34:src/a.c" in a fence's info: these lines of the file are quoted.
bool cites_lines(std::string_view info) {
  for (int i = 0; i < 2; ++i) {
    const size_t digits = info.find_first_not_of("0123456789");
    if (digits == 0 || digits == info.npos || info[digits] != ':') return false;
    info.remove_prefix(digits + 1);
  }
  return !info.empty();
}

bool ends_in_path(std::string_view path, std::string_view named) {
  return path.ends_with(named) &&
         (path.size() == named.size() || path[path.size() - named.size() - 1] == '/');
}

// A fence in a list is indented, and what is in it by as much more: how much, in bytes. 0: not all.
size_t common_depth(const ReplyLines& reply, size_t open, size_t close) {
  const std::string_view own = indentation_of(reply.lines[open]);
  const auto is_in_it = [&](std::string_view line) {
    return is_blank(line) || line.starts_with(own);
  };
  return std::all_of(reply.lines.begin() + static_cast<long>(open),
                     reply.lines.begin() + static_cast<long>(close), is_in_it)
             ? own.size()
             : 0;
}

FailureOr<void> parse_fenced(ReplyLines& reply, const ParseOptions& options, EditPlan& plan,
                             bool lazy) {
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    if (!fence_info(reply.lines[i])) continue;
    size_t begin = i;
    std::string path = path_above(reply, i + 1, begin);
    if (path.empty() && options.format == Format::automatic)
      path = new_path_above(reply, i, options.is_file, begin);
    // In talk, the words above a fence that shows something name files, too.
    if (path.empty() && options.format != Format::automatic &&
        !cites_lines(*fence_info(reply.lines[i]))) {
      size_t named_at = i;
      auto named = path_for(reply, i, "", options.is_file, named_at);
      if (!named) return std::unexpected(named.error());
      path = *std::move(named);
    }
    const auto close = closing_fence(reply, i);
    if (cites_lines(*fence_info(reply.lines[i]))) path.clear();
    const std::string named_inside =
        close && i + 1 < *close ? path_in_comment(reply.lines[i + 1]) : std::string();
    if (path.empty() && options.format != Format::automatic)
      path = named_inside.empty() ? options.default_path : named_inside;
    if (path.empty()) {
      // Where files are asked for, a fence that is none would get lost.
      if (options.format != Format::automatic)
        return error(FailureKind::malformed, i, "", "names no file",
                     "write its path alone on the line above it");
      if (close) i = *close;  // an example for the user
      if (!close && !plan.changes.empty() && !fence_info(reply.lines[i])->empty() &&
          std::find(reply.taken.begin() + static_cast<long>(i), reply.taken.end(), 1) ==
              reply.taken.end())
        return error(FailureKind::truncated, i, "", "is not closed", "send the reply again");
      continue;
    }
    // An edit begins there: the fence is the one around it, or around its path.
    if (!close && i + 1 < reply.size() && reply.taken[i + 1]) continue;
    if (!close) {
      return error(FailureKind::truncated, i, path, "is not closed", "send the whole file again");
    }
    const std::string_view word = fence_info(reply.lines[i])->substr(0, 5);
    if ((word == "diff" || word == "patch") && !path.ends_with(".diff") &&
        !path.ends_with(".patch"))
      return error(FailureKind::malformed, i, path, "contains no valid diff",
                   "start it with --- and +++ lines and give every "
                   "hunk its @@ line");
    const bool is_doubtful = is_doubtful_end(reply, *close, path);
    const auto last = is_doubtful ? last_closing_fence(reply, i, *close) : close;
    if (!last)
      return error(FailureKind::malformed, i, path,
                   "contains nested fences, so its end is ambiguous",
                   "use more backticks around it "
                   "than inside it");
    FileChange change;
    change.kind = FileChange::Kind::overwrite;
    const size_t depth = common_depth(reply, i, *last);
    for (size_t k = i + 1; k < *last; ++k) {
      if (is_doubtful && k == *close) change.sure_size = change.contents.size();
      const std::string_view text = reply.lines[k];
      change.contents.append(text.substr(std::min(depth, text.size()))).push_back('\n');
    }
    const auto elided = elisions_of({reply.lines.begin() + static_cast<long>(i) + 1,
                                     reply.lines.begin() + static_cast<long>(*last)},
                                    true);
    // Where the whole file was asked for, an elision is a mistake: it is refused when applied.
    const bool may_elide = options.format == Format::automatic;
    if (lazy || (may_elide && std::count(elided.begin(), elided.end(), 1) > 0))
      change.kind = FileChange::Kind::lazy;
    change.has_bare_path = i > 0 && trimmed(reply.lines[i - 1]) == path;
    change.begins_with_path = !named_inside.empty() && ends_in_path(path, named_inside);
    change.path = std::move(path);
    change.source_line = i + 1;
    if (options.format == Format::automatic) change.shown = {std::min(begin, i), *last + 1};
    plan.changes.push_back(std::move(change));
    reply.take(std::min(begin, i), *last + 1);
    i = *last;
  }
  return {};
}

}  // namespace

FailureOr<void> parse_whole(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  return parse_fenced(reply, options, plan, false);
}

FailureOr<void> parse_lazy(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  return parse_fenced(reply, options, plan, true);
}

}  // namespace bodkin
