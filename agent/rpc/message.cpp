#include "agent/rpc/message.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <utility>

#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin::rpc {

namespace {

constexpr size_t kMaxHeaderLine = 8192;  // longer lines are garbage

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

Frame problem(std::string sentence) { return Frame{"", std::move(sentence)}; }

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  const size_t skipped = std::min(skip_, bytes.size());
  skip_ -= skipped;
  bytes.remove_prefix(skipped);
  if (begin_ > 0 && begin_ >= buffer_.size() / 2) {
    buffer_.erase(0, begin_);
    scanned_ -= std::min(scanned_, begin_);
    begin_ = 0;
  }
  buffer_.append(bytes);
}

void FrameReader::take(std::string_view bytes, const std::function<void(Frame)>& received) {
  try {
    feed(bytes);
  } catch (const std::bad_alloc&) {
    received(skip_message());
    feed(bytes);
  }
  for (;;) {
    std::optional<Frame> found;
    try {
      found = next();
    } catch (const std::bad_alloc&) {
      found = skip_message();
    }
    if (!found) return;
    received(*std::move(found));
  }
}

Frame FrameReader::skip_message() {
  if (framing_ == Framing::lines) {
    const size_t end = buffer_.find('\n', begin_);
    skips_line_ = end == std::string::npos;
    begin_ = skips_line_ ? buffer_.size() : end + 1;
    scanned_ = begin_;
    if (skips_line_) release();
    return problem("Not enough memory for a message; it was skipped.");
  }
  const size_t here = buffer_.size() - begin_;
  if (expected_ && here < *expected_) {
    skip_ = *expected_ - here;
    std::string().swap(buffer_);
    begin_ = 0;
  } else {
    begin_ += std::min(expected_.value_or(here), here);
  }
  expected_.reset();
  return problem("Not enough memory for a message; it was skipped.");
}

// Frees the memory of bytes that were read to their end.
void FrameReader::release() {
  if (begin_ < buffer_.size()) return;
  begin_ = scanned_ = 0;
  buffer_.clear();
  if (buffer_.capacity() > (1u << 20)) std::string().swap(buffer_);
}

Frame FrameReader::too_long() const {
  return problem("A message is larger than " + std::to_string(max_body_ >> 20) +
                 " MB; it was skipped.");
}

std::optional<Frame> FrameReader::next_line() {
  for (;;) {
    const size_t end = buffer_.find('\n', std::max(begin_, scanned_));
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      // One more byte may be the '\r' of its end.
      const bool is_too_long = !skips_line_ && scanned_ - begin_ > max_body_ + 1;
      if (!skips_line_ && !is_too_long) return std::nullopt;
      skips_line_ = true;
      begin_ = scanned_;
      release();
      return is_too_long ? std::optional(too_long()) : std::nullopt;
    }
    std::string_view line(buffer_.data() + begin_, end - begin_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const bool is_skipped = std::exchange(skips_line_, false) || trimmed(line).empty();
    std::optional<Frame> found;
    if (!is_skipped) found = line.size() > max_body_ ? too_long() : Frame{std::string(line), ""};
    begin_ = end + 1;
    release();
    if (found) return found;
  }
}

std::optional<Frame> FrameReader::next() {
  if (framing_ == Framing::lines) return next_line();
  if (!expected_) {
    if (auto found = read_headers()) return found;
    if (!expected_) return std::nullopt;
  }
  if (buffer_.size() - begin_ < *expected_) return std::nullopt;
  Frame result{buffer_.substr(begin_, *expected_), ""};
  begin_ += *expected_;
  expected_.reset();
  release();
  return result;
}

// Reads header lines up to the empty one. Returns a problem, or nullopt: then either `expected_`
// is set or more bytes are needed.
// Decides: what counts as a message, and when it is too long.
std::optional<Frame> FrameReader::read_headers() {
  for (;;) {
    const size_t end = buffer_.find('\n', begin_);
    if (end == std::string::npos) {
      if (buffer_.size() - begin_ <= kMaxHeaderLine) return std::nullopt;
      // No line end in sight: drop what came, keep looking.
      buffer_.clear();
      begin_ = 0;
      length_.reset();
      if (garbage_) return std::nullopt;
      garbage_ = true;
      return problem("Header line too long.");
    }
    std::string_view line(buffer_.data() + begin_, end - begin_);
    begin_ = end + 1;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) {
      if (!length_) continue;  // stray empty lines
      const size_t length = *length_;
      length_.reset();
      garbage_ = false;
      if (length <= max_body_) {
        expected_ = length;
        return std::nullopt;
      }
      const size_t here = std::min(length, buffer_.size() - begin_);
      begin_ += here;
      skip_ = length - here;
      return too_long();
    }
    const size_t colon = line.find(':');
    const std::string_view name = trimmed(line.substr(0, std::min(colon, line.size())));
    if (colon != std::string_view::npos && same_ignoring_case(name, "Content-Length")) {
      length_ = whole_number(trimmed(line.substr(colon + 1)));
      if (length_) continue;
    } else if (colon != std::string_view::npos && !name.empty() &&
               name.find_first_of(" \t{\"") == std::string_view::npos) {
      continue;  // Content-Type and whatever else there may be
    }
    length_.reset();
    if (garbage_) continue;
    garbage_ = true;
    return problem("Malformed header line; expected Content-Length: N.");
  }
}

std::string frame(std::string_view body, Framing framing) {
  if (framing == Framing::lines) return std::string(body) + '\n';
  std::string result = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  result += body;
  return result;
}

}  // namespace bodkin::rpc
