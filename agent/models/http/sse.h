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
  // The end of input: gives the last line if it has no end.
  void finish(const Sink& sink);

 private:
  size_t max_line_;
  std::string held_;  // the begin of a line
  bool skip_lf_ = false;
};

class SseReader {
 public:
  // `event` is the type, empty where the stream names none. The views live for the call.
  using Sink = std::function<void(std::string_view event, std::string_view data)>;
  explicit SseReader(size_t max_event = kMaxEvent) : lines_(max_event), max_event_(max_event) {}

  // False: an event is larger than the limit.
  bool take(std::string_view bytes, const Sink& sink);
  // The end of input. Other than WHATWG, a last event without its empty line is given: whether
  // the stream was cut is for the reader of its data to say.
  void finish(const Sink& sink);
  // Lines that are no field of an event, at most 64 kB: some servers put a bare JSON error there.
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
