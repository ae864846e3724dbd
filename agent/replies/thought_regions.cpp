// Regions of a reply in which tags do not count: fences, edit blocks, patches, diffs, calls.
#include <algorithm>
#include <utility>

#include "agent/replies/editing_tools.h"
#include "agent/replies/thought_tags.h"
#include "agent/replies/thoughts.h"
#include "edits/formats/reply_lines.h"

namespace bodkin {

namespace {

// Tags of calls, whose arguments may hold anything; those of editing tools are, too.
constexpr std::string_view kCallTags[] = {"tool_call",      "tool_calls",       "function_calls",
                                          "function",       "invoke",           "file-edit",
                                          "seed:tool_call", "minimax:tool_call"};

template <class Fits>
bool any_call_tag(Fits&& fits) {
  return std::ranges::any_of(kCallTags, fits) || std::ranges::any_of(kToolsWithText, fits);
}

bool is_in_diff(std::string_view line) {
  if (line.empty() || std::string_view(" +-@\\").find(line[0]) != std::string_view::npos)
    return true;
  for (const std::string_view head : {"diff ", "index ", "new file", "deleted file", "old mode",
                                      "new mode", "rename ", "similarity ", "Binary "})
    if (line.starts_with(head)) return true;
  return false;
}

}  // namespace

bool may_begin_call(std::string_view text) {
  return any_call_tag([&](std::string_view tag) {
    const std::string head = "<" + std::string(tag);
    return text.starts_with(head) || head.starts_with(text);
  });
}

// Whether a text of its own, in which tags do not count, begins with this line.
bool ThoughtReader::opens_region(std::string_view line) {
  region_.clear();
  if (fence_info(line)) {
    kind_ = Region::fence;
    region_ = line;
  } else if (line.starts_with("<<<<") && line.find("SEARCH") != line.npos) {
    kind_ = Region::block;
  } else if (line.starts_with("*** Begin Patch")) {
    kind_ = Region::patch;
  } else if (line.starts_with("--- ") || line.starts_with("diff --git ") ||
             line.starts_with("@@ ")) {
    kind_ = Region::diff;
  } else if (line.starts_with('<')) {
    const std::string_view name = line.substr(1, line.find_first_of(" =>\n", 1) - 1);
    const std::string end = "</" + std::string(name) + ">";
    if (!any_call_tag([&](std::string_view tag) { return tag == name; }) ||
        line.find(end) != line.npos)
      return false;
    kind_ = Region::tags;
    region_ = end;
  } else {
    return false;
  }
  closing_in_region_ = std::string::npos;
  return true;
}

bool ThoughtReader::read_region() {
  const size_t end = text_.find('\n', at_);
  if (end == std::string::npos && !has_end()) {
    at_ = text_.size();
    tell_words(at_);
    return false;
  }
  const size_t stop = std::min(end, text_.size());
  std::string_view line = std::string_view(text_).substr(line_, stop - line_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  // If a region begins within this one, a thought has left this one open.
  const bool begins_anew = kind_ == Region::block
                               ? line.starts_with("<<<<") && line.find("SEARCH") != line.npos
                               : kind_ == Region::fence && !fence_info(line).value_or("").empty();
  if (begins_anew && closing_in_region_ != std::string::npos) {
    kind_ = Region::none;
    close_backwards(std::exchange(closing_in_region_, std::string::npos), closing_length_);
    return true;
  }
  bool ends = false;
  switch (kind_) {
    case Region::fence:
      ends = closes_fence(region_, line);
      break;
    case Region::block:
      ends = line.starts_with(">>>>") && line.find("REPLACE") != line.npos;
      break;
    case Region::patch:
      ends = line.starts_with("*** End Patch");
      break;
    case Region::tags:
      ends = line.find(region_) != line.npos;
      break;
    case Region::diff:
      if (!is_in_diff(line)) {  // the line is no part of it
        kind_ = Region::none;
        is_line_known_ = false;
        at_ = line_;
        return true;
      }
      break;
    case Region::none:
      break;
  }
  if (ends) {
    kind_ = Region::none;
  } else if (closing_in_region_ == std::string::npos && kind_ != Region::diff &&
             std::string_view("<[\xe2").find(line.empty() ? '\n' : line[0]) != line.npos) {
    for (const ThoughtTag& tag : thought_tags())
      if (const size_t length = tag_length(line, tag.close); length > 0 && line.size() == length)
        closing_in_region_ = line_, closing_length_ = length;
  }
  if (end == std::string::npos) {
    at_ = text_.size();
    tell_words(at_);
    return false;
  }
  at_ = line_ = end + 1;
  is_line_known_ = false;
  tell_words(at_);
  return true;
}

}  // namespace bodkin
