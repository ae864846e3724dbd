#include "agent/rpc/message.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxHeaderLine = 8192;  // longer lines are garbage

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

Frame problem(std::string sentence) { return Frame{"", std::move(sentence)}; }

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  const size_t skipped = std::min(skip_, bytes.size());
  skip_ -= skipped;
  bytes.remove_prefix(skipped);
  if (begin_ > 0 && begin_ >= buffer_.size() / 2) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  buffer_.append(bytes);
}

Frame FrameReader::forget_message() {
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

std::optional<Frame> FrameReader::next() {
  if (!expected_) {
    if (auto found = read_headers()) return found;
    if (!expected_) return std::nullopt;
  }
  if (buffer_.size() - begin_ < *expected_) return std::nullopt;
  Frame result{buffer_.substr(begin_, *expected_), ""};
  begin_ += *expected_;
  expected_.reset();
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
    if (buffer_.capacity() > (1u << 20)) buffer_.shrink_to_fit();
  }
  return result;
}

// Reads header lines up to the empty one. Returns a problem, or nothing: then either `expected_`
// is set or more bytes are needed.
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
      if (length <= kMaxBody) {
        expected_ = length;
        return std::nullopt;
      }
      const size_t here = std::min(length, buffer_.size() - begin_);
      begin_ += here;
      skip_ = length - here;
      return problem("A message is larger than 256 MB; it was skipped.");
    }
    const size_t colon = line.find(':');
    const std::string_view name = trim(line.substr(0, std::min(colon, line.size())));
    if (colon != std::string_view::npos && same_ignoring_case(name, "Content-Length")) {
      const std::string_view value = trim(line.substr(colon + 1));
      size_t length = 0;
      const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), length);
      if (error == std::errc() && rest == value.data() + value.size()) {
        length_ = length;
        continue;
      }
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

bool FrameReader::in_the_middle() const {
  return expected_ || length_ || skip_ > 0 || begin_ < buffer_.size();
}

std::string frame(std::string_view body) {
  std::string result = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  result += body;
  return result;
}

}  // namespace bodkin::lsp
