#include "agent/replies/call_values.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "agent/support/json.h"

namespace bodkin {

using nlohmann::json;

size_t skip_space(std::string_view s, size_t at) {
  return std::min(s.find_first_not_of(" \t\r\n", at), s.size());
}

bool is_call_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' ||
         c == '/';
}

std::string_view trimmed_name(std::string_view s) {
  while (!s.empty() && std::string_view(" \t\r\n\"'").find(s.front()) != s.npos) s.remove_prefix(1);
  while (!s.empty() && std::string_view(" \t\r\n\"'").find(s.back()) != s.npos) s.remove_suffix(1);
  return s;
}

namespace {

class Literals {
 public:
  explicit Literals(std::string_view text, size_t at) : text_(text), at_(at) {}
  size_t at() const { return at_; }

  // The arguments up to `close`; nullopt: something else is there. `sign`: after a key.
  std::optional<json> arguments(char sign, char close, int depth = 0) {
    json made = json::object();
    for (;;) {
      at_ = skip_space(text_, at_);
      if (at_ < text_.size() && text_[at_] == close) return ++at_, made;
      const char quote =
          at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'') ? text_[at_] : 0;
      const size_t name = at_ += quote != 0;
      while (at_ < text_.size() && is_call_name_char(text_[at_])) ++at_;
      const std::string key(text_.substr(name, at_ - name));
      if (quote != 0 && !take(quote)) return std::nullopt;
      at_ = skip_space(text_, at_);
      if (key.empty() || made.contains(key) || !take(sign)) return std::nullopt;
      auto one = value(depth + 1);
      if (!one) return std::nullopt;
      made[key] = *std::move(one);
      at_ = skip_space(text_, at_);
      if (!take(',') && (at_ >= text_.size() || text_[at_] != close)) return std::nullopt;
    }
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::optional<json> list(char close, int depth) {
    json made = json::array();
    for (;;) {
      at_ = skip_space(text_, at_);
      if (take(close)) return made;
      auto one = value(depth + 1);
      if (!one) return std::nullopt;
      made.push_back(*std::move(one));
      at_ = skip_space(text_, at_);
      if (!take(',') && (at_ >= text_.size() || text_[at_] != close)) return std::nullopt;
    }
  }

  std::optional<json> value(int depth) {
    if (depth > 16) return std::nullopt;
    at_ = skip_space(text_, at_);
    for (const std::string_view quote : {"<escape>", "<|\"|>"}) {
      if (!take(quote)) continue;
      const size_t end = text_.find(quote, at_);
      if (end == text_.npos) return std::nullopt;
      json made = std::string(text_.substr(at_, end - at_));
      at_ = end + quote.size();
      return made;
    }
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with('"') || rest.starts_with('\'')) return quoted(rest[0], false);
    if (rest.size() > 1 && rest[0] == 'r' && (rest[1] == '"' || rest[1] == '\'')) {
      ++at_;
      return quoted(rest[1], true);
    }
    if (take('[')) return list(']', depth);
    if (take('{')) return arguments(':', '}', depth);
    for (const auto& [word, made] : {std::pair<std::string_view, json>{"True", true},
                                     {"False", false},
                                     {"None", nullptr},
                                     {"true", true},
                                     {"false", false},
                                     {"null", nullptr}})
      if (take(word)) return made;
    const size_t end = text_.find_first_not_of("0123456789+-.eE", at_);
    auto number = parse_json(text_.substr(at_, end == text_.npos ? end : end - at_));
    if (!number || !number->is_number()) return std::nullopt;
    at_ = std::min(end, text_.size());
    return number;
  }

  std::optional<json> quoted(char quote, bool is_raw) {
    const std::string three(3, quote);
    const bool is_long = take(three);
    if (!is_long) ++at_;
    std::string made;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_long ? text_.substr(at_).starts_with(three) : c == quote) {
        at_ += is_long ? 3 : 1;
        return made;
      }
      if (c == '\n' && !is_long) return std::nullopt;
      if (c != '\\' || is_raw || at_ + 1 == text_.size()) {
        made += c;
        continue;
      }
      const char next = text_[++at_];
      switch (next) {
        case 'n':
          made += '\n';
          break;
        case 't':
          made += '\t';
          break;
        case 'r':
          made += '\r';
          break;
        case '\n':
          break;
        case '\\':
        case '\'':
        case '"':
          made += next;
          break;
        default:
          return std::nullopt;  // "\x41", "\u0041", "\d": not guessed
      }
    }
    return std::nullopt;
  }

  std::string_view text_;
  size_t at_;
};

}  // namespace

std::optional<LiteralArguments> literal_arguments(std::string_view text, size_t at, char sign,
                                                  char close) {
  Literals literals(text, at);
  auto value = literals.arguments(sign, close);
  if (!value) return std::nullopt;
  return LiteralArguments{*std::move(value), literals.at()};
}

bool fits_schema(json& arguments, const json& schema) {
  if (!arguments.is_object() || !schema.is_object()) return arguments.is_object();
  const json properties = schema.value("properties", json::object());
  if (const auto required = schema.find("required");
      required != schema.end() && required->is_array())
    for (const json& name : *required)
      if (name.is_string() && !arguments.contains(name.get<std::string>())) return false;
  const auto others = schema.find("additionalProperties");
  const bool is_closed = !properties.empty() && (others == schema.end() || *others == json(false));
  for (auto& [name, value] : arguments.items()) {
    const auto property = properties.find(name);
    if (property == properties.end()) {
      if (is_closed) return false;
      continue;
    }
    json types = property->value("type", json());
    if (types.is_string()) types = json::array({types});
    if (!types.is_array() || types.empty() || value.is_null()) continue;
    const auto is_of = [&](const json& made) {
      return std::ranges::any_of(types, [&](const json& type) {
        return (type == "string" && made.is_string()) || (type == "array" && made.is_array()) ||
               (type == "boolean" && made.is_boolean()) || (type == "object" && made.is_object()) ||
               ((type == "integer" || type == "number") && made.is_number());
      });
    };
    if (is_of(value)) continue;
    const auto* text = value.get_ptr<const json::string_t*>();
    if (!text) return false;
    const std::string_view word = trimmed_name(*text);
    auto made = parse_json(word == "True" ? "true" : word == "False" ? "false" : word);
    if (!made || !is_of(*made)) return false;
    value = *std::move(made);
  }
  return true;
}

}  // namespace bodkin
