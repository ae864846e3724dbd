#include "agent/replies/call_progress.h"

#include <algorithm>

namespace bodkin {

namespace {

constexpr size_t kStep = 20;             // lines
constexpr size_t kMaxBeforeFile = 2000;  // bytes
constexpr size_t kMaxFile = 200;

// The value of the first argument that names a file: behind quotes, signs and tags.
std::string_view file_in(std::string_view call) {
  call = call.substr(0, kMaxBeforeFile);
  for (const std::string_view key : {"path", "filePath", "target_file"}) {
    size_t at = call.find(key);
    if (at == call.npos) continue;
    at += key.size();
    while (at < call.size() && std::string_view("\"'\\:=>< \r\n").find(call[at]) != call.npos) {
      const size_t end = call[at] == '<' ? call.find('>', at) : at;
      if (end == call.npos) return {};
      at = end + 1;
    }
    const size_t end = call.find_first_of("\"'\\<\r\n,", std::min(at, call.size()));
    if (end != call.npos && end > at && end - at <= kMaxFile) return call.substr(at, end - at);
  }
  return {};
}

}  // namespace

std::optional<std::string> CallProgress::told(std::string_view call, std::string_view name) {
  for (; counted_ < call.size(); ++counted_) {
    const bool is_escaped = call[counted_] == '\\' && counted_ + 1 < call.size();
    if (call[counted_] == '\\' && !is_escaped) break;  // its letter is to come
    lines_ += call[counted_] == '\n' || (is_escaped && call[counted_ + 1] == 'n');
    counted_ += is_escaped;
  }
  if (lines_ < told_ + kStep) return std::nullopt;
  told_ = lines_ - lines_ % kStep;
  const std::string_view file = file_in(call);
  return std::string(file.empty() ? name : file) + ": " + std::to_string(told_) + " lines so far";
}

}  // namespace bodkin
