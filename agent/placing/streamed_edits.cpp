#include "agent/placing/streamed_edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/support/shown_text.h"
#include "edits/formats/parse.h"
#include "edits/formats/reply_lines.h"

namespace bodkin {

namespace {

// The text is parsed repeatedly as it grows, but the total work is bounded.
constexpr size_t kMaxRead = 8;
constexpr size_t kReadAtLeast = 256 * 1024;  // bytes
constexpr std::string_view kEndPatch = "*** End Patch";

// True if an edit ends with this line.
bool closes_edit(std::string_view line) {
  const bool is_marker = line.starts_with(">>>") || line.starts_with("+++");
  return (is_marker && line.ends_with("REPLACE")) || line == kEndPatch || fence_info(line);
}

// True if a hunk ends before this line because another one begins.
bool begins_hunk(std::string_view line) {
  return line.starts_with("@@") || line.starts_with("*** ") || line.starts_with("--- ") ||
         line.starts_with("diff --git ");
}

}  // namespace

std::optional<std::string> StreamedEdits::add(std::string_view delta) {
  size_t seen = text_.size();
  text_ += delta;
  received_ += delta.size();
  Counts news;
  for (size_t end; (end = text_.find('\n', seen)) != text_.npos; seen = line_ = end + 1) {
    const std::string_view line = trimmed(std::string_view(text_).substr(line_, end - line_));
    if (closes_edit(line)) {
      if (read(end + 1, true, news)) begin_ = end + 1, in_patch_ = false;
    } else if (begins_hunk(line)) {
      read(line_, false, news);
      in_patch_ = in_patch_ || line.starts_with("*** ");
    }
  }
  text_.erase(0, begin_);
  line_ -= begin_;
  begin_ = 0;
  if (news.empty()) return std::nullopt;
  std::string told;
  for (const auto& [path, count] : news)
    told += fmt::format("{}{}: {}", told.empty() ? "" : ", ", path, counted(count, "edit"));
  return told;
}

bool StreamedEdits::read(size_t end, bool closes, Counts& news) {
  const size_t length = end - begin_;
  if (length == 0 || read_ + length > kMaxRead * received_ + kReadAtLeast) return false;
  read_ += length;
  std::string part = text_.substr(begin_, length);
  if (in_patch_ && !closes) part.append(kEndPatch) += '\n';
  ParseOptions options;
  options.default_path = path_;
  options.in_chat = true;
  const auto plan = parse_edits(part, options);
  if (!plan || plan->changes.empty()) return false;
  Counts counts;
  for (const FileChange& change : plan->changes) {
    if (change.is_shown()) continue;  // perhaps no edit
    counts[change.path] += std::max<size_t>(change.hunks.size(), 1);
    if (closes) path_ = change.path;
  }
  for (const auto& [path, count] : counts) {
    const size_t all = closed_[path] + count;
    if (size_t& told = told_[path]; all > told) told = news[path] = all;
    if (closes) closed_[path] = all;
  }
  return true;
}

}  // namespace bodkin
