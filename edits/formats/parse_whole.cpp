#include "edits/formats/parse_whole.h"

#include <algorithm>
#include <span>

#include "edits/formats/fenced_text.h"
#include "edits/formats/path_in_words.h"
#include "edits/formats/plain_fences.h"
#include "edits/plan/elision.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

// True if a fence without a word after it follows, although `close` seemed to end a file. If the
// text holds fences of its own, there is no telling which is the last.
bool is_doubtful_end(const ReplyLines& reply, size_t close, std::string_view path) {
  if (!is_one_of(path.substr(path.rfind('.') + 1), {"md", "markdown", "mdx", "rst", "txt"}))
    return false;
  for (size_t i = close + 1; i < reply.size() && !reply.taken[i]; ++i) {
    size_t begin = 0;
    if (const auto info = fence_info(reply.lines[i]))
      return info->empty() && path_above(reply, i, begin).empty();
  }
  return false;
}

// "12:34:src/a.c" in a fence's info: these lines of the file are quoted.
bool cites_lines(std::string_view info) {
  const std::string_view line = first_word(info);
  return !line.empty() && line.find_first_not_of("0123456789") == line.npos &&
         info.substr(line.size()).starts_with(':');
}

// The path of the file in the fence; empty: nothing names one. `begin` becomes the first line that
// belongs to it.
FailureOr<std::string> path_of_fence(const ReplyLines& reply, size_t open, size_t close,
                                     const ParseOptions& options, size_t& begin) {
  if (cites_lines(*fence_info(reply.lines[open]))) return std::string();
  const bool is_named = options.format != Format::automatic;
  std::string path = path_above_fence(reply, open, options.is_file, begin);
  if (path.empty() && !is_named) path = new_path_above(reply, open, options.is_file, begin);
  if (!is_named && !path.empty() && shows_commands(reply, open, path)) return std::string();
  if (!path.empty() || !is_named) return path;
  // If files are asked for, the words above a fence name them, too.
  size_t named_at = open;
  auto named = path_for(reply, open, "", options.is_file, named_at);
  if (!named || !named->empty()) return named;
  if (open + 1 < close) path = path_in_comment(reply.lines[open + 1]);
  return path.empty() ? options.default_path : path;
}

FailureOr<void> parse_fenced(ReplyLines& reply, const ParseOptions& options, EditPlan& plan,
                             bool lazy) {
  const bool is_named = options.format != Format::automatic;
  for (size_t i = 0; i < reply.size(); ++i) {
    const auto info = reply.taken[i] ? std::nullopt : fence_info(reply.lines[i]);
    if (!info) continue;
    size_t begin = i;
    const auto close = closing_fence(reply, i);
    auto path = path_of_fence(reply, i, close.value_or(i), options, begin);
    if (!path) return std::unexpected(path.error());
    if (path->empty()) {
      // If files are asked for, a fence that is not one would get lost.
      if (is_named)
        return failure_at("the fence", i, "names no file",
                          "write its path alone on the line above it");
      if (!close && !plan.changes.empty() && !info->empty() &&
          std::count(reply.taken.begin() + static_cast<long>(i), reply.taken.end(), 1) == 0)
        return failure_at("the fence", i, "is not closed", "send the reply again",
                          FailureKind::truncated);
      i = close.value_or(i);  // an example for the user
      continue;
    }
    const std::string name = "the fence of " + *path;
    // An edit begins there: the fence is the one around it, or around its path.
    if (!close && i + 1 < reply.size() && reply.taken[i + 1]) continue;
    if (!close)
      return failure_at(name, i, "is not closed", "send the whole file again",
                        FailureKind::truncated);
    if (is_diff_language(first_word(*info)) &&
        !is_diff_language(path->substr(path->rfind('.') + 1)))
      return failure_at(name, i, "contains no valid diff",
                        "start it with --- and +++ lines and give every hunk its @@ line");
    if (is_doubtful_end(reply, *close, *path))
      return failure_at(name, i, "contains nested fences, so its end is ambiguous",
                        "use more backticks around it than inside it");
    const std::span<const std::string_view> fence(&reply.lines[i], *close - i);
    FileChange change;
    change.contents = joined(lines_in_fence(reply, i, *close));
    // If the whole file was asked for, an elision is a mistake: it is refused when applied.
    const auto elided = elisions_of({fence.begin() + 1, fence.end()}, true);
    const bool is_lazy = lazy || (!is_named && std::ranges::count(elided, 1) > 0);
    change.kind = is_lazy ? FileChange::Kind::lazy : FileChange::Kind::overwrite;
    FileFence said;
    said.has_bare_path = i > 0 && trimmed(reply.lines[i - 1]) == *path;
    const std::string inside = fence.size() > 1 ? path_in_comment(fence[1]) : "";
    said.begins_with_path = !inside.empty() && may_mean(inside, *path);
    change.path = *std::move(path);
    change.source_line = i + 1;
    if (!is_named) said.lines = {std::min(begin, i), *close + 1};
    change.said_by = said;
    plan.changes.push_back(std::move(change));
    reply.take(std::min(begin, i), *close + 1);
    i = *close;
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
