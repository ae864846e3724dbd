#include "agent/replies/arguments.h"

#include "agent/support/json.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxNested = 64;  // brackets in brackets
constexpr size_t kMaxMissing = 2;  // closing brackets at the end

void note(std::string& repaired, std::string_view what) {
  if (repaired.find(what) != repaired.npos) return;
  repaired.append(repaired.empty() ? "" : ", ").append(what);
}

// Closing brackets, tags and tokens alone.
bool is_only_marks(std::string_view text) {
  while (!(text = trimmed_text(text)).empty()) {
    if (text[0] == '}' || text[0] == ']' || text[0] == '`') {
      text.remove_prefix(1);
      continue;
    }
    const size_t end = text.find('>');
    if (text[0] != '<' || end == text.npos || text.substr(1, end - 1).find('<') != text.npos ||
        end > 60)
      return false;
    text.remove_prefix(end + 1);
  }
  return true;
}

// The text of a fence that is all there is.
std::string_view without_fence(std::string_view text, std::string& repaired) {
  text = trimmed_text(text);
  const size_t line = text.find('\n');
  if (!text.starts_with("```") || !text.ends_with("```") || line == text.npos ||
      line + 3 > text.size())
    return text;
  note(repaired, "a fence");
  return trimmed_text(text.substr(line + 1, text.size() - line - 4));
}

std::optional<json> object_in(std::string_view text) {
  return parse_object(text, {.unique_names = true});
}

}  // namespace

StrictJson strict_json_at(std::string_view text) {
  StrictJson result;
  std::string found;
  size_t depth = 0;
  size_t comma = 0;   // after the last comma that is followed only by whitespace; 0: none
  size_t copied = 0;  // what of the text is in `found`
  const auto copy_to = [&](size_t end) {
    found += text.substr(copied, end - copied);
    copied = end;
  };
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"') quoted = false;
      if (c == '\\') ++i;
      if (c > '\r' || (c != '\n' && c != '\t' && c != '\r')) continue;
      note(result.repaired, "raw line ends or tabs in strings");
      copy_to(i);
      found += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
      copied = i + 1;
      continue;
    }
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        continue;
      case '"':
        quoted = true;
        break;
      case '[':
      case '{':
        if (++depth > kMaxNested) return {};
        break;
      case ']':
      case '}':
        copy_to(i);
        if (comma != 0) {
          note(result.repaired, "a comma before a closing bracket");
          found.erase(comma - 1);
        }
        if (depth == 0) return {};
        if (--depth == 0) {
          result.length = i + 1;
          result.text = found + c;
          return result;
        }
        break;
      case ',':
        copy_to(i + 1);
        comma = found.size();
        continue;
    }
    comma = 0;
  }
  return {};
}

// After a whole value only closing brackets can be missing; a number may have been cut, and a list
// may go on behind anything but an object.
StrictJson json_at(std::string_view text) {
  if (StrictJson whole = strict_json_at(text); whole.length > 0) return whole;
  std::string closing;
  bool quoted = false;
  size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (quoted) {
      if (c == '"') quoted = false;
      if (c == '\\') ++end;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      closing += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (closing.empty() || closing.back() != c) return {};
      closing.pop_back();
    } else if (c == '<' || c == '`') {
      break;
    }
  }
  text = trimmed_text(text.substr(0, end));
  if (quoted || text.empty() || closing.empty() || closing.size() > kMaxMissing ||
      std::string_view("\"}]").find(text.back()) == text.npos ||
      (text.back() != '}' && closing.find(']') != closing.npos))
    return {};
  std::string longer(text);
  longer.append(closing.rbegin(), closing.rend());
  StrictJson whole = strict_json_at(longer);
  if (whole.length != longer.size()) return {};
  note(whole.repaired, "a missing bracket at its end");
  whole.length = text.size();
  return whole;
}

std::optional<CallArguments> read_arguments(std::string_view text) {
  CallArguments result;
  text = without_fence(text, result.repaired);
  if (auto value = object_in(text)) return CallArguments{*std::move(value), result.repaired};
  if (!text.starts_with('{')) return std::nullopt;
  for (StrictJson first = strict_json_at(text); first.length > 0; first = strict_json_at(text)) {
    auto value = object_in(first.text);
    if (!value) return std::nullopt;
    if (!first.repaired.empty()) note(result.repaired, first.repaired);
    const std::string_view rest = trimmed_text(text.substr(first.length));
    if (value->empty() && rest.starts_with('{')) {
      note(result.repaired, "an empty object before it");
      text = rest;
      continue;
    }
    if (rest.starts_with('{')) {
      const StrictJson second = strict_json_at(rest);
      const auto same = object_in(second.text);
      if (!same || *same != *value || !is_only_marks(rest.substr(second.length)))
        return std::nullopt;
      note(result.repaired, "the same object twice");
    } else if (!rest.empty()) {
      if (!is_only_marks(rest)) return std::nullopt;
      note(result.repaired, "brackets or tags behind it");
    }
    result.value = *std::move(value);
    return result;
  }
  const StrictJson whole = json_at(text);
  if (whole.length != text.size()) return std::nullopt;
  auto value = object_in(whole.text);
  if (!value) return std::nullopt;
  note(result.repaired, whole.repaired);
  return CallArguments{*std::move(value), result.repaired};
}

std::string cleaned_name(std::string_view name,
                         const std::function<bool(std::string_view)>& is_tool) {
  if (is_tool(name)) return std::string(name);
  std::string_view cleaned = trimmed_text(name);
  for (const std::string_view token : {"<|", "<\uff5c", "</", "<"})
    if (const size_t at = cleaned.find(token); at != cleaned.npos && at > 0)
      cleaned = cleaned.substr(0, at);
  while (!cleaned.empty() && std::string_view(" \t\r\n\"'`").find(cleaned.back()) != cleaned.npos)
    cleaned.remove_suffix(1);
  while (!cleaned.empty() && std::string_view(" \t\r\n\"'`").find(cleaned.front()) != cleaned.npos)
    cleaned.remove_prefix(1);
  if (is_tool(cleaned)) return std::string(cleaned);
  if (const size_t colon = cleaned.rfind(':');
      colon != cleaned.npos && colon + 1 < cleaned.size() &&
      cleaned.find_first_not_of("0123456789", colon + 1) == cleaned.npos)
    cleaned = cleaned.substr(0, colon);
  for (const std::string_view prefix : {"assistant to=", "to=", "functions.", "function.", "tools.",
                                        "tool.", "default_api.", "functions:", "functions/"})
    if (cleaned.starts_with(prefix)) cleaned.remove_prefix(prefix.size());
  return std::string(is_tool(cleaned) ? cleaned : name);
}

}  // namespace bodkin
