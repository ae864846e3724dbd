#include "agent/models/wire/wire_error.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "agent/support/json.h"
#include "agent/support/utf8.h"
#include "agent/support/wire_json.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using nlohmann::json;

// A string unchanged; anything else as JSON.
std::string words_of(const json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  return text_of_json(value);
}

// The first of these fields that names the error; numbers and "error" do not count.
std::string word_in(const json& form, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    std::string word = string_at(form, key);
    if (word != "error" && word.find_first_not_of("0123456789") != word.npos) return word;
  }
  return {};
}

// An HTTP status in the body, as a number or a string of digits; else `status`.
int status_in(const json& form, int status) {
  int64_t code = int_at(form, "code");
  if (code == 0) code = std::atoi(string_at(form, "code").c_str());
  return code >= 400 && code < 600 ? static_cast<int>(code) : status;
}

}  // namespace

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
  // The providers' messages for a prompt that is too long.
  if (says_one({"context_length", "exceed_context", "context window", "context length",
                "context size", "context limit", "prompt is too long", "input token count",
                "input is too long", "maximum number of tokens", "too many input tokens"}))
    return "context_length";
  // Gemini's rate limit mentions quota and billing, Groq's mentions billing; both are transient.
  if (word == "RESOURCE_EXHAUSTED") return "rate_limit";
  const bool limited =
      says_one({"rate_limit", "rate limit", "resource_exhausted", "too many requests"});
  if (says_one({"insufficient_quota", "spend limit", "spend_limit", "insufficient credit",
                "insufficient balance", "credit balance"}) ||
      (says("billing") && !limited) || status == 402)
    return "quota";
  if (limited || status == 429) return "rate_limit";
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
  if (says_one({"invalid_", "failed_precondition", "_policy", "image_", "_image"}) ||
      (status >= 400 && status < 500))
    return "invalid_request";
  return "server";
}

std::optional<ModelError> error_in(const json& given, int status) {
  const json& body = given.is_array() && !given.empty() ? given.front() : given;
  if (!body.is_object()) return std::nullopt;
  const json& inner = at(body, "error");
  ModelError error;
  error.status = status;
  int code = status;
  if (inner.is_object() && !inner.empty()) {
    error.message = words_of(at(inner, "message"));
    // The most specific first: OpenAI's code, Gemini's status, else the type.
    error.provider_kind = word_in(inner, {"code", "status", "type"});
    code = status_in(inner, status);
    const std::string more = string_at(at(inner, "details"), "error_code");
    if (!more.empty()) error.message += " (" + more + ")";
    if (const std::string raw = string_at(at(inner, "metadata"), "raw"); !raw.empty())
      error.message += " (" + raw.substr(0, 300) + ")";
  } else if (inner.is_string()) {
    error.message = inner.get<std::string>();
    error.provider_kind = word_in(body, {"code", "error_type"});
  } else if (string_at(body, "type") == "error" || string_at(body, "object") == "error") {
    error.message = words_of(at(body, "message"));
    error.provider_kind = word_in(body, {"code", "type"});
    code = status_in(body, status);
  } else if (status >= 400) {
    error.message = words_of(at(body, "message"));
    if (error.message.empty()) error.message = words_of(at(body, "detail"));
    error.provider_kind = word_in(body, {"code"});
  } else {
    return std::nullopt;
  }
  error.kind = kind_of_error(error.provider_kind, error.message, code);
  if (error.message.empty())
    error.message = error.provider_kind.empty()
                        ? "The provider reported an error without a message."
                        : error.provider_kind;
  return error;
}

ModelError error_of_stream(const json& body, const char* otherwise) {
  return error_in(body, 200).value_or(ModelError{"server", otherwise, 200});
}

std::string without_page(std::string message) {
  const std::string lower = lower_case(message);
  if (lower.find("<html") == lower.npos && lower.find("<!doctype html") == lower.npos)
    return message;
  for (const std::string tag : {"title", "h1"}) {
    const size_t open = lower.find("<" + tag + ">"), begin = open + tag.size() + 2;
    const size_t end = open == lower.npos ? open : lower.find("</" + tag + ">", begin);
    if (end == lower.npos) continue;
    const std::string title = message.substr(begin, std::min<size_t>(end - begin, 100));
    if (title.find('<') == title.npos)
      return "The error that came is a web page (" + valid_utf8(title) + ").";
  }
  return "The error that came is a web page.";
}

}  // namespace bodkin
