#include "agent/wire.h"

#include <algorithm>
#include <utility>

#include "agent/utf8.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kMaxReply = 16 << 20;
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

// The code unit that the mark at `at` stands for, -1: no mark.
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

// A text of a few megabytes may stand for a tree of hundreds.
bool is_bomb(std::string_view text) {
  size_t values = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == ',' || c == '{' || c == '['))
      ++values;
  }
  return values > 400'000;
}

std::string mark_lone_surrogates(std::string_view text) {
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
      out += mark_of(unit);
      i += 6;
    } else {
      out += text.substr(i, 2);
      i += 2;
    }
  }
  return out;
}

}  // namespace

std::optional<json> parse_wire_json(std::string_view text) {
  if (text.size() > (256 << 10) && is_bomb(text)) return std::nullopt;
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded())
    value = json::parse(mark_lone_surrogates(valid_utf8(text)), nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
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

ReplyBuilder::Part* ReplyBuilder::find(Kind kind, int64_t slot) {
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    if (part->kind == kind && part->slot == slot) return &*part;
  return nullptr;
}

ReplyBuilder::Part& ReplyBuilder::part(Kind kind, int64_t slot) {
  Part* found = find(kind, slot);
  return found ? *found : append(kind, slot);
}

ReplyBuilder::Part& ReplyBuilder::append(Kind kind, int64_t slot) {
  if (parts.size() > 10'000) fail({"protocol", "The reply has more than 10,000 parts."});
  return parts.emplace_back(Part{kind, slot, {}, {}, false, nullptr, {}});
}

ReplyBuilder::Part* ReplyBuilder::last(Kind kind) {
  return !parts.empty() && parts.back().kind == kind ? &parts.back() : nullptr;
}

void ReplyBuilder::add(Part& part, std::string_view delta) {
  bytes_ += delta.size();
  if (bytes_ > kMaxReply) return fail({"protocol", "The reply is larger than 16 MB."});
  const std::string ready = part.joiner.take(delta);
  if (ready.empty()) return;
  part.content += ready;
  if (part.kind == Kind::call || !task_.report) return;
  task_.report({part.kind == Kind::text ? Progress::Kind::text : Progress::Kind::thought, ready});
}

void ReplyBuilder::text(std::string_view delta) {
  Part* open = last(Kind::text);
  if (open && !open->echo.is_null()) open = nullptr;  // signed as it is
  if (delta.empty() && !open) return;
  add(open ? *open : append(Kind::text, -1), delta);
}

void ReplyBuilder::thinking(std::string_view delta) {
  Part* open = last(Kind::thinking);
  if (delta.empty() && !open) return;
  add(open ? *open : append(Kind::thinking, -1), delta);
}

void ReplyBuilder::tagged_text(std::string_view delta) {
  constexpr std::string_view kOpen = "<think>", kClose = "</think>";
  if (tag_ == Tag::after) {  // the empty lines after the tag belong to it
    delta.remove_prefix(std::min(delta.find_first_not_of("\r\n"), delta.size()));
    if (delta.empty()) return;
    tag_ = Tag::none;
  }
  if (tag_ == Tag::none) return text(delta);
  held_ += delta;
  if (tag_ == Tag::unknown) {
    const size_t begin = std::min(held_.find_first_not_of(" \t\r\n"), held_.size());
    const std::string_view seen = std::string_view(held_).substr(begin);
    if (kOpen.starts_with(seen) && seen.size() < kOpen.size()) return;
    if (!seen.starts_with(kOpen)) return flush_tagged();
    held_.erase(0, begin + kOpen.size());
    tag_ = Tag::inside;
  }
  if (const size_t end = held_.find(kClose); end != std::string::npos) {
    thinking(std::string_view(held_).substr(0, end));
    held_.erase(0, end + kClose.size());
    tag_ = Tag::after;
    return tagged_text(std::exchange(held_, {}));
  }
  // All but what may be the beginning of the closing tag.
  size_t keep = std::min(held_.size(), kClose.size() - 1);
  while (keep > 0 && !kClose.starts_with(std::string_view(held_).substr(held_.size() - keep)))
    --keep;
  thinking(std::string_view(held_).substr(0, held_.size() - keep));
  held_.erase(0, held_.size() - keep);
}

// What is held is no tag, or the tag has ended.
void ReplyBuilder::flush_tagged() {
  const bool inside = tag_ == Tag::inside && !held_.empty() && held_[0] == '<' &&
                      std::string_view("</think>").starts_with(held_);
  tag_ = Tag::none;
  const std::string rest = std::exchange(held_, {});
  inside ? thinking(rest) : text(rest);
}

void ReplyBuilder::fail(ModelError failure) {
  if (!error) error = std::move(failure);
}

ModelReply ReplyBuilder::take_reply() {
  flush_tagged();
  ModelReply reply;
  reply.message.role = Message::Role::assistant;
  reply.usage = usage;
  reply.refusal = refusal;
  reply.stop_reason = stop.value_or(StopReason::other);
  const bool cut =
      reply.stop_reason != StopReason::tool_use && reply.stop_reason != StopReason::end_turn;
  size_t number = 0;
  bool has_calls = false;
  for (Part& part : parts) {
    const std::string rest = part.joiner.finish();
    part.content += rest;
    if (!rest.empty() && part.kind != Kind::call && task_.report)
      task_.report(
          {part.kind == Kind::text ? Progress::Kind::text : Progress::Kind::thought, rest});
    if (part.kind == Kind::text) {
      if (!part.content.empty() || !part.echo.is_null())
        reply.message.blocks.push_back(TextBlock{std::move(part.content), std::move(part.echo)});
      continue;
    }
    if (part.kind == Kind::thinking) {
      if (!part.content.empty() || !part.echo.is_null())
        reply.message.blocks.push_back(
            ThinkingBlock{std::move(part.content), std::move(part.echo)});
      continue;
    }
    ToolCall call = std::move(part.call);
    call.echo = std::move(part.echo);
    ++number;
    if (!part.whole && part.content.find_first_not_of(" \t\r\n") != std::string::npos) {
      std::optional<json> arguments = parse_wire_json(part.content);
      // Some servers encode the object twice.
      if (arguments && arguments->is_string())
        arguments = parse_wire_json(arguments->get_ref<const std::string&>());
      if (arguments && arguments->is_null()) arguments = json::object();
      if (arguments && arguments->is_object()) {
        call.arguments = std::move(*arguments);
      } else {
        if (cut) continue;
        call.arguments = json::object();
        call.malformed = part.content;
      }
    }
    if (call.arguments.is_null()) call.arguments = json::object();
    join_surrogates(call.arguments);
    if (call.id.empty()) call.id = "call_" + std::to_string(number);
    has_calls = true;
    reply.message.blocks.push_back(std::move(call));
  }
  if (has_calls && reply.stop_reason == StopReason::end_turn)
    reply.stop_reason = StopReason::tool_use;
  if (!has_calls && reply.stop_reason == StopReason::tool_use)
    reply.stop_reason = StopReason::end_turn;
  return reply;
}

std::string kind_of_error(std::string_view word, std::string_view message, int status) {
  const auto says = [&](std::string_view part) {
    const auto in = [&](std::string_view text) {
      return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) == b;
             }) != text.end();
    };
    return in(word) || in(message);
  };
  const auto says_one = [&](std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, says);
  };
  // Each provider's own words for a prompt that is too long.
  if (says_one({"context_length", "exceed_context", "context window", "context length",
                "context size", "context limit", "prompt is too long", "input token count",
                "input is too long", "maximum number of tokens", "too many input tokens"}))
    return "context_length";
  // Gemini's rate limit speaks of quota and billing, and passes by itself.
  if (word == "RESOURCE_EXHAUSTED") return "rate_limit";
  if (says_one({"insufficient_quota", "billing", "spend limit", "spend_limit",
                "insufficient credit", "insufficient balance", "credit balance"}) ||
      status == 402)
    return "quota";
  if (says_one({"rate_limit", "rate limit", "resource_exhausted", "too many requests"}) ||
      status == 429)
    return "rate_limit";
  if (says_one({"overloaded", "unavailable", "capacity"}) || status == 503 || status == 529)
    return "overloaded";
  if (says_one({"authentication", "unauthenticated", "unauthorized", "invalid_api_key",
                "api key not valid", "api_key_invalid", "incorrect api key", "invalid api key"}) ||
      status == 401)
    return "authentication";
  if (says("permission") || status == 403) return "permission";
  if (says_one({"not_found", "not a valid model"}) || status == 404) return "not_found";
  if (says_one({"timeout", "timed out", "deadline"}) || status == 408 || status == 504)
    return "timeout";
  if (says_one({"invalid_request", "invalid_argument", "failed_precondition"}) ||
      (status >= 400 && status < 500))
    return "invalid_request";
  return "server";
}

namespace {

// A string as it is; what else a provider puts there as JSON.
std::string words_of(const json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::optional<ModelError> error_in(const json& given, int status) {
  const json& body = given.is_array() && !given.empty() ? given.front() : given;
  if (!body.is_object()) return std::nullopt;
  const json& inner = at(body, "error");
  ModelError error;
  error.status = status;
  int code = status;
  if (inner.is_object() && !inner.empty()) {
    error.message = words_of(at(inner, "message"));
    // The most exact word first: OpenAI's code, Gemini's status, else the type.
    for (const std::string& word :
         {string_at(inner, "code"), string_at(inner, "status"), string_at(inner, "type")})
      if (!word.empty() && error.provider_kind.empty() &&
          word.find_first_not_of("0123456789") != std::string::npos)
        error.provider_kind = word;
    if (at(inner, "code").is_number_integer()) code = static_cast<int>(int_at(inner, "code"));
    if (code < 400 || code > 599) code = status;
    const std::string more = string_at(at(inner, "details"), "error_code");
    if (!more.empty()) error.message += " (" + more + ")";
    if (const std::string raw = string_at(at(inner, "metadata"), "raw"); !raw.empty())
      error.message += " (" + raw.substr(0, 300) + ")";
  } else if (inner.is_string()) {
    error.message = inner.get<std::string>();
  } else if (string_at(body, "type") == "error" || string_at(body, "object") == "error") {
    error.message = words_of(at(body, "message"));
    for (const std::string& word : {string_at(body, "code"), string_at(body, "type")})
      if (!word.empty() && word != "error" && error.provider_kind.empty() &&
          word.find_first_not_of("0123456789") != std::string::npos)
        error.provider_kind = word;
    if (const int64_t said = int_at(body, "code"); said >= 400 && said < 600)
      code = static_cast<int>(said);
  } else if (status >= 400) {
    error.message = words_of(at(body, "message"));
    if (error.message.empty()) error.message = words_of(at(body, "detail"));
  } else {
    return std::nullopt;
  }
  error.kind = kind_of_error(error.provider_kind, error.message, code);
  if (error.message.empty())
    error.message = error.provider_kind.empty() ? "The provider reported an error without words."
                                                : error.provider_kind;
  return error;
}

}  // namespace bodkin
