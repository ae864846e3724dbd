#include "lsp/acp/diffs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/support/shown_text.h"
#include "edits/plan/diff.h"
#include "lsp/acp/acp_protocol.h"

namespace bodkin::acp {

namespace {

constexpr size_t kGap = 2'000;        // bytes between two changes that are shown in one
constexpr size_t kLongestLine = 500;  // of the unchanged lines beside a change

// Changes and the text around them: bytes of the old text, and of the new one.
struct DiffWindow {
  size_t begin = 0, end = 0;
  size_t new_begin = 0, new_end = 0;
  size_t bytes() const { return end - begin + new_end - new_begin; }
};

std::vector<DiffWindow> windows_of(const Text& before, const Text& after) {
  std::vector<DiffWindow> windows;
  for (const LineChange& change : line_changes(before, after)) {
    DiffWindow made{change.offset, change.offset + change.length, change.new_offset,
                    change.new_offset + change.text.size()};
    const bool is_near = !windows.empty() && made.begin - windows.back().end <= kGap;
    DiffWindow* const last = is_near ? &windows.back() : nullptr;
    if (last && std::max(made.end - last->begin, made.new_end - last->new_begin) <=
                    DiffItems::kMaxDiff / 2) {
      last->end = made.end;
      last->new_end = made.new_end;
    } else {
      windows.push_back(made);
    }
  }
  size_t last_end = 0;  // what is beside a change is shown once
  for (size_t i = 0; i < windows.size(); ++i) {
    DiffWindow& window = windows[i];
    const size_t line = before.line_of(window.begin);
    const size_t above = line > 0 ? window.begin - before.line_begin(line - 1) : 0;
    if (above <= std::min(kLongestLine, window.begin - last_end)) {
      window.begin -= above;
      window.new_begin -= above;
    }
    const size_t next = i + 1 < windows.size() ? windows[i + 1].begin : before.size();
    const size_t below = before.line_begin(before.line_of(window.end) + 1) - window.end;
    if (below <= std::min(kLongestLine, next - window.end)) {
      window.end += below;
      window.new_end += below;
    }
    last_end = window.end;
  }
  return windows;
}

Json diff_item(const ChangedFile& file, const std::string& absolute, std::string before,
               std::string after) {
  Json item = {{"type", "diff"}, {"path", absolute}};
  if (file.before) item["oldText"] = std::move(before);
  item["newText"] = std::move(after);
  return item;
}

}  // namespace

size_t DiffItems::bytes_of(const ChangedFile& file) {
  return (file.before ? file.before->size() : 0) + (file.after ? file.after->size() : 0);
}

Json DiffItems::of(const ChangedFile& file, const std::string& absolute) {
  static const Text kNone;
  const Text &before = file.before ? *file.before : kNone,
             &after = file.after ? *file.after : kNone;
  const bool fits = std::max(before.size(), after.size()) <= kMaxDiff;
  if (fits && (shows_whole_ || before.size() == 0 || after.size() == 0) &&
      bytes_of(file) <= left_) {
    left_ -= bytes_of(file);
    return Json::array({diff_item(file, absolute, before.str(), after.str())});
  }
  Json items = Json::array();
  std::vector<std::string> hidden;
  for (const DiffWindow& window : windows_of(before, after)) {
    const size_t length = window.end - window.begin, new_length = window.new_end - window.new_begin;
    if (std::max(length, new_length) > kMaxDiff || window.bytes() > left_) {
      hidden.push_back(fmt::format("line {} ({} bytes become {})", before.line_of(window.begin) + 1,
                                   length, new_length));
      continue;
    }
    left_ -= window.bytes();
    items.push_back(diff_item(file, absolute, before.substr(window.begin, length),
                              after.substr(window.new_begin, new_length)));
  }
  if (hidden.empty() && !items.empty()) return items;
  // If there is nothing to hide, only the name has changed.
  constexpr size_t kMaxNamed = 5;
  std::string words = hidden.empty() ? "The text of " + shown_name(file.path) + " stays as it is."
                                     : "Too long to be shown: " + shown_name(file.path) + " at ";
  for (size_t i = 0; i < std::min(hidden.size(), kMaxNamed); ++i)
    words += (i > 0 ? ", " : "") + hidden[i];
  if (hidden.size() > kMaxNamed)
    words += " and " + counted(hidden.size() - kMaxNamed, "more place");
  items.push_back(text_content(words + (hidden.empty() ? "" : ".")));
  return items;
}

}  // namespace bodkin::acp
