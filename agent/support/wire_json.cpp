#include "agent/support/wire_json.h"

#include "agent/support/json.h"
#include "agent/support/utf8.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr std::string_view kMark = "\xEF\xB7\xAF";  // U+FDEF
constexpr size_t kMarkBytes = 12;

int hex4(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return -1;
  int value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool is_high(int unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(int unit) { return unit >= 0xDC00 && unit < 0xE000; }

std::string mark_of(int unit) {
  std::string mark(kMark);
  for (const int shift : {8, 4, 0}) {
    mark += "\xEF\xB7";
    mark += static_cast<char>(0x90 + ((unit >> shift) & 0xF));
  }
  return mark;
}

// The code unit of the mark at `at`; -1: no mark.
int unit_of(std::string_view text, size_t at) {
  if (text.size() < at + kMarkBytes || text.substr(at, 3) != kMark) return -1;
  int unit = 0;
  for (size_t i = at + 3; i < at + kMarkBytes; i += 3) {
    const auto last = static_cast<unsigned char>(text[i + 2]);
    if (text.substr(i, 2) != "\xEF\xB7" || last < 0x90 || last > 0x9F) return -1;
    unit = unit << 4 | (last - 0x90);
  }
  return 0xD000 | unit;
}

std::string utf8_of_pair(int high, int low) {
  const int point = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  return {static_cast<char>(0xF0 | point >> 18), static_cast<char>(0x80 | (point >> 12 & 0x3F)),
          static_cast<char>(0x80 | (point >> 6 & 0x3F)), static_cast<char>(0x80 | (point & 0x3F))};
}

// The escapes of lone surrogates become what `made_of` gives for each.
template <class MadeOf>
std::string replace_lone_surrogates(std::string_view text, MadeOf made_of) {
  std::string out;
  out.reserve(text.size() + 64);
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out += text[i++];
      continue;
    }
    const int unit = text[i + 1] == 'u' ? hex4(text, i + 2) : -1;
    if (is_high(unit) && text.substr(i + 6, 2) == "\\u" && is_low(hex4(text, i + 8))) {
      out += text.substr(i, 12);
      i += 12;
    } else if (is_high(unit) || is_low(unit)) {
      out += made_of(unit);
      i += 6;
    } else {
      out += text.substr(i, 2);
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::optional<json> parse_wire_json(std::string_view text, const std::stop_token& stop,
                                    bool unique_names) {
  const JsonLimits limits{.values = 100'000, .unique_names = unique_names};
  auto value = parse_json(text, limits, stop);
  if (value || stop.stop_requested()) return value;
  return parse_json(replace_lone_surrogates(valid_utf8(text), mark_of), limits, stop);
}

std::string without_lone_surrogates(std::string_view text) {
  return replace_lone_surrogates(text, [](int) { return kReplacement; });
}

std::string SurrogateJoiner::take(std::string_view delta) {
  if (held_.empty() && delta.find(kMark) == std::string_view::npos) return std::string(delta);
  if (delta.empty()) return {};
  const std::string text = held_ + std::string(delta);
  held_.clear();
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const int unit = unit_of(text, i);
    if (unit < 0) {
      out += text[i++];
      continue;
    }
    const int next = unit_of(text, i + kMarkBytes);
    if (is_high(unit) && is_low(next)) {
      out += utf8_of_pair(unit, next);
      i += 2 * kMarkBytes;
    } else if (is_high(unit) && i + kMarkBytes == text.size()) {
      held_ = text.substr(i);
      break;
    } else {
      out += kReplacement;
      i += kMarkBytes;
    }
  }
  return out;
}

std::string SurrogateJoiner::finish() {
  const bool lone = !held_.empty();
  held_.clear();
  return lone ? std::string(kReplacement) : std::string();
}

void join_surrogates(json& value) {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    if (text.find(kMark) == std::string::npos) return;
    SurrogateJoiner joiner;
    std::string joined = joiner.take(text);
    text = joined + joiner.finish();
  } else if (value.is_structured()) {
    for (auto& item : value) join_surrogates(item);
  }
}

const json& at(const json& object, std::string_view key) {
  static const json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

std::string string_at(const json& object, std::string_view key) {
  const json& value = at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

int64_t int_at(const json& object, std::string_view key) {
  const json& value = at(object, key);
  if (value.is_number_float()) {
    const double number = value.get<double>();
    return number > -9e15 && number < 9e15 ? static_cast<int64_t>(number) : 0;
  }
  return value.is_number() ? value.get<int64_t>() : 0;
}

int64_t tokens_at(const json& object, std::string_view key) {
  const json& value = at(object, key);
  if (value.is_number_unsigned() && value.get<uint64_t>() > 1'000'000'000) return 0;
  const int64_t tokens = int_at(object, key);
  return tokens >= 0 && tokens <= 1'000'000'000 ? tokens : 0;
}

}  // namespace bodkin
