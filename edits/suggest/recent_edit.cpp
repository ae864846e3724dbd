#include "edits/suggest/recent_edit.h"

#include <algorithm>

namespace bodkin {

void RecentEdit::note(const Text& before, const Text& after, const Replacement& change) {
  const size_t first = before.line_of(change.offset),
               end = before.line_of(change.offset + change.length) + 1,
               end_now = after.line_of(change.offset + change.text.size()) + 1;
  if (!is_known_ || first > now_end_ || end < first_) {
    if (auto done = last()) {
      earlier_.insert(earlier_.begin(), *std::move(done));
      if (earlier_.size() > kMostEarlier) earlier_.pop_back();
    }
    is_known_ = true;
    base_ = before;
    first_ = first, base_end_ = end, now_end_ = end_now;
  } else {
    first_ = std::min(first_, first);
    if (end > now_end_) base_end_ += end - now_end_, now_end_ = end;
    now_end_ = now_end_ + end_now - end;
  }
  now_ = after;
}

void RecentEdit::forget() {
  is_known_ = false;
  earlier_.clear();
  base_ = now_ = Text();
}

std::optional<EditedLines> RecentEdit::last() const {
  if (!is_known_ || base_end_ - first_ > kMostLines || now_end_ - first_ > kMostLines)
    return std::nullopt;
  EditedLines edit{{}, {}, first_};
  for (size_t line = first_; line < base_end_; ++line) edit.before.push_back(base_.line(line));
  for (size_t line = first_; line < now_end_; ++line) edit.after.push_back(now_.line(line));
  while (!edit.before.empty() && !edit.after.empty() && edit.before.back() == edit.after.back())
    edit.before.pop_back(), edit.after.pop_back();
  const auto [ours, theirs] = std::ranges::mismatch(edit.before, edit.after);
  edit.first += static_cast<size_t>(theirs - edit.after.begin());
  edit.before.erase(edit.before.begin(), ours);
  edit.after.erase(edit.after.begin(), theirs);
  if (edit.before.empty() && edit.after.empty()) return std::nullopt;
  return edit;
}

std::optional<EditedLines> as_now(const Text& file, EditedLines edit) {
  std::string lines;
  for (const std::string& line : edit.after) lines += "\n" + line;
  const std::string all = "\n" + file.str() + "\n";
  const size_t at = lines.empty() ? all.npos : all.find(lines + "\n");
  if (at == all.npos || all.find(lines + "\n", at + 1) != all.npos) return std::nullopt;
  edit.first = file.line_of(at);
  return edit;
}

}  // namespace bodkin
