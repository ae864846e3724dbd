#include "edits/parse_whole.h"

#include <algorithm>

#include "edits/elision.h"

namespace bodkin {

namespace {

struct Fenced {
  size_t open = 0, close = 0;  // the fence lines
};

// The end of the fence that opens at `open`; fences with an info string nest.
std::optional<size_t> closing_fence(const Reply& reply, size_t open) {
  size_t depth = 0;
  for (size_t i = open + 1; i < reply.size(); ++i) {
    if (reply.taken[i]) return std::nullopt;
    const auto info = fence_info(reply.lines[i]);
    if (!info) continue;
    if (closes_fence(reply.lines[open], reply.lines[i])) {
      if (depth == 0) return i;
      --depth;
    } else if (!info->empty()) {
      ++depth;
    }
  }
  return std::nullopt;
}

Result<void> parse_fenced(Reply& reply, const ParseOptions& options, EditPlan& plan, bool lazy) {
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    if (!fence_info(reply.lines[i])) continue;
    size_t begin = i;
    std::string path = path_above(reply, i + 1, begin);
    const auto close = closing_fence(reply, i);
    if (path.empty() && options.format != Format::automatic) path = options.default_path;
    if (path.empty()) {
      if (close) i = *close;  // an example for the person
      continue;
    }
    if (!close) {
      return fail(Error::Code::invalid_input, "truncated: the fence at line " +
                                                  std::to_string(i + 1) + " of the edit (" + path +
                                                  ") is not closed; send the whole file again");
    }
    FileChange change;
    change.kind = FileChange::Kind::overwrite;
    for (size_t k = i + 1; k < *close; ++k) {
      change.contents.append(reply.lines[k]).push_back('\n');
    }
    const auto elided = elisions_of({reply.lines.begin() + static_cast<long>(i) + 1,
                                     reply.lines.begin() + static_cast<long>(*close)});
    if (lazy || std::count(elided.begin(), elided.end(), 1) > 0)
      change.kind = FileChange::Kind::lazy;
    change.path = std::move(path);
    change.source_line = i + 1;
    plan.changes.push_back(std::move(change));
    reply.take(std::min(begin, i), *close + 1);
    i = *close;
  }
  return {};
}

}  // namespace

Result<void> parse_whole(Reply& reply, const ParseOptions& options, EditPlan& plan) {
  return parse_fenced(reply, options, plan, false);
}

Result<void> parse_lazy(Reply& reply, const ParseOptions& options, EditPlan& plan) {
  return parse_fenced(reply, options, plan, true);
}

}  // namespace bodkin
