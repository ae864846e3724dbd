#include "edits/formats/fenced_text.h"

#include <algorithm>
#include <span>

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

}  // namespace

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

std::vector<std::string> lines_in_fence(const ReplyLines& reply, size_t open, size_t close) {
  const std::span<const std::string_view> fence(&reply.lines[open], close - open);
  const std::string_view own = indentation_of(fence[0]);
  const bool is_indented = std::ranges::all_of(
      fence, [&](auto line) { return is_blank(line) || line.starts_with(own); });
  std::vector<std::string> lines;
  for (const std::string_view text : fence.subspan(1))
    lines.emplace_back(text.substr(is_indented ? std::min(own.size(), text.size()) : 0));
  return lines;
}

}  // namespace bodkin
