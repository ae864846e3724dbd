#include "agent/models/http/sse.h"

#include <algorithm>
#include <cstring>

namespace bodkin {
namespace {

// The first place of `wanted` at or after `from`, or the size. Remembered between calls, so that a
// stream with only one kind of line ending is scanned once for the other.
struct Next {
  char wanted;
  size_t at = 0;
  bool known = false;
  size_t find(std::string_view bytes, size_t from) {
    if (!known || at < from) {
      const void* found = std::memchr(bytes.data() + from, wanted, bytes.size() - from);
      at = found ? static_cast<const char*>(found) - bytes.data() : bytes.size();
      known = true;
    }
    return at;
  }
};

}  // namespace

bool LineCutter::take(std::string_view bytes, const Sink& sink) {
  if (bytes.empty()) return true;
  if (skip_lf_ && bytes[0] == '\n') bytes.remove_prefix(1);
  skip_lf_ = false;
  Next lf{'\n'}, cr{'\r'};
  size_t begin = 0;
  while (begin < bytes.size()) {
    const size_t end = std::min(lf.find(bytes, begin), cr.find(bytes, begin));
    if (held_.size() + (end - begin) > max_line_) return false;
    if (end == bytes.size()) {
      held_ += bytes.substr(begin);
      return true;
    }
    if (held_.empty()) {
      sink(bytes.substr(begin, end - begin));
    } else {
      held_ += bytes.substr(begin, end - begin);
      sink(held_);
      held_.clear();
    }
    begin = end + 1;
    if (bytes[end] == '\r') {
      if (begin == bytes.size())
        skip_lf_ = true;
      else if (bytes[begin] == '\n')
        ++begin;
    }
  }
  return true;
}

void LineCutter::finish(const Sink& sink) {
  if (!held_.empty()) sink(held_);
  held_.clear();
}

bool SseReader::take(std::string_view bytes, const Sink& sink) {
  return lines_.take(bytes, [&](std::string_view text) { line(text, sink); }) && !too_large_;
}

void SseReader::finish(const Sink& sink) {
  lines_.finish([&](std::string_view text) { line(text, sink); });
  dispatch(sink);
}

void SseReader::line(std::string_view text, const Sink& sink) {
  ++lines_read_;
  if (first_line_) {
    first_line_ = false;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  }
  if (text.empty()) return dispatch(sink);
  const size_t colon = text.find(':');
  if (colon == 0) return;  // a comment
  const std::string_view name = text.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    if (data_.size() + value.size() > max_event_) {
      too_large_ = true;
      return;
    }
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  } else if (name == "event") {
    event_ = value;
  } else if (name != "id" && name != "retry" && stray_.size() + text.size() < (64 << 10)) {
    stray_ += text;
    stray_ += '\n';
  }
}

void SseReader::dispatch(const Sink& sink) {
  if (has_data_) sink(event_, data_);
  event_.clear();
  data_.clear();
  has_data_ = false;
}

}  // namespace bodkin
