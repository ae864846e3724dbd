// Server-sent events as WHATWG defines them ("9.2.6 Interpreting an event stream"), and NDJSON.
// Pure and incremental: bytes in, cut anywhere; whole events out. Memory: one event.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace bodkin {

// Lines that end in LF, CR or CRLF, even if CR and LF come in different chunks.
class LineCutter {
 public:
  using Sink = std::function<void(std::string_view line)>;
  explicit LineCutter(size_t max_line) : max_line_(max_line) {}
  // False: a line is longer than max_line; nothing more is read.
  bool take(std::string_view bytes, const Sink& sink);
  // The end of input: passes on the last line if it has no line end.
  void finish(const Sink& sink);

 private:
  size_t max_line_;
  std::string held_;  // the beginning of a line
  bool skip_lf_ = false;
};

class SseReader {
 public:
  // `event` is the type; empty if the stream names none. The views are valid during the call.
  using Sink = std::function<void(std::string_view event, std::string_view data)>;
  explicit SseReader(size_t max_event = kMaxEvent) : lines_(max_event), max_event_(max_event) {}

  // False: an event is larger than the limit.
  bool take(std::string_view bytes, const Sink& sink);
  // The end of input. Unlike in WHATWG's rules, a last event without its empty line is passed on:
  // the reader of its data decides whether the stream was cut off.
  void finish(const Sink& sink);
  // Lines that are not a field of an event, at most 64 kB: some servers put a bare JSON error
  // there.
  const std::string& stray() const { return stray_; }
  size_t lines_read() const { return lines_read_; }  // keep-alives included

  static constexpr size_t kMaxEvent = 4 << 20;

 private:
  void line(std::string_view line, const Sink& sink);
  void dispatch(const Sink& sink);

  LineCutter lines_;
  size_t max_event_;
  std::string event_, data_, stray_;
  size_t lines_read_ = 0;
  bool has_data_ = false, first_line_ = true, too_large_ = false;
};

}  // namespace bodkin
