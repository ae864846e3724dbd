// Calls that are written as tags: <invoke name="edit"><parameter name="path">…
#include <algorithm>

#include "agent/replies/arguments.h"
#include "agent/replies/call_reader.h"
#include "agent/replies/call_values.h"
#include "agent/support/json.h"

namespace bodkin {

using nlohmann::json;

namespace {

// Tags that only wrap calls; those with a prefix ("minimax:") are known without it.
constexpr std::string_view kWrappers[] = {"tool_call",
                                          "tool_calls",
                                          "function_calls",
                                          "function_call",
                                          "tool_use",
                                          "TOOLCALL",
                                          "longcat_tool_call",
                                          "start_function_call",
                                          "end_function_call",
                                          "|tool_call",
                                          "tool_call|",
                                          "tool_code",
                                          "calls",
                                          "tools",
                                          "message"};
// Tags that have a call's name as an attribute, that hold a value, and that hold all values.
constexpr std::string_view kNamedTags[] = {"function",  "invoke",        "call",
                                           "tool_call", "function_call", "tool_use"};
constexpr std::string_view kValueTags[] = {"parameter", "param", "argument"};
constexpr std::string_view kArgumentsTags[] = {"parameters", "arguments", "args", "input", "json"};
constexpr size_t kMaxTag = 300;

template <class List>
bool has(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

// Line ends next to the tags are layout.
std::string value_in(std::string_view text) {
  constexpr std::string_view kCdata = "<![CDATA[", kCdataEnd = "]]>";
  if (text.ends_with(kMinimax)) text.remove_suffix(kMinimax.size());
  if (text.starts_with("\r\n")) {
    text.remove_prefix(2);
  } else if (text.starts_with('\n')) {
    text.remove_prefix(1);
  }
  // The closing tag may be indented.
  const size_t last = text.find_last_not_of(" \t");
  if (last != text.npos && text[last] == '\n') text = text.substr(0, last + 1);
  if (text.ends_with('\n')) text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  if (text.starts_with(kCdata) && text.ends_with(kCdataEnd))
    text = text.substr(kCdata.size(), text.size() - kCdata.size() - kCdataEnd.size());
  return std::string(text);
}

// The tag's own text: "" where there is none.
std::string_view inside_of(std::string_view text, CallTag& tag) {
  constexpr std::string_view kOpen = "<|open|>", kClose = "<|close|>", kEnd = "<|sep|>";
  tag.closes = text.starts_with(kClose);
  if (!tag.closes && !text.starts_with(kOpen)) {
    const size_t end = text.find('>');
    if (!text.starts_with('<') || end == text.npos) return {};
    std::string_view inside = text.substr(1, end - 1);
    tag.length = end + 1;
    if (inside.starts_with('/')) tag.closes = true, inside.remove_prefix(1);
    for (const std::string_view bar : {"\uff5c", "|"}) {
      const std::string mark = std::string(bar) + "DSML" + std::string(bar);
      if (!inside.starts_with(mark)) continue;
      inside.remove_prefix(mark.size());
      if (inside.starts_with(' ')) inside.remove_prefix(1);
    }
    return inside;
  }
  const size_t begin = tag.closes ? kClose.size() : kOpen.size(), end = text.find(kEnd, begin);
  if (end == text.npos) return {};
  tag.length = end + kEnd.size();
  return text.substr(begin, end - begin);
}

}  // namespace

std::optional<CallTag> call_tag_at(std::string_view text) {
  const size_t before = text.starts_with(kMinimax) ? skip_space(text, kMinimax.size()) : 0;
  CallTag tag;
  const std::string_view inside = inside_of(text.substr(before, kMaxTag), tag);
  if (inside.empty() || inside.find_first_of("<\n") != inside.npos) return std::nullopt;
  tag.length += before;
  tag.written = inside;
  const size_t gap = std::min(inside.find_first_of(" ="), inside.size());
  tag.kind = inside.substr(0, gap);
  if (const size_t colon = tag.kind.find(':'); colon != tag.kind.npos)
    tag.kind.remove_prefix(colon + 1);
  if (tag.kind.empty()) return std::nullopt;
  tag.attributes = inside.substr(gap);
  for (std::string_view left = tag.attributes; !left.empty();) {
    const size_t equals = left.find('=');
    if (equals == left.npos) break;
    const std::string_view key = trimmed_name(left.substr(0, equals));
    std::string_view value = left.substr(skip_space(left, equals + 1));
    left = {};
    if (!value.empty() && (value[0] == '"' || value[0] == '\'')) {
      const size_t close = value.find(value[0], 1);
      if (close != value.npos) left = value.substr(close + 1);
      value = value.substr(1, close == value.npos ? close : close - 1);
    }
    if (tag.name.empty() && (key.empty() || key == "name" || key == "tool" || key == "key"))
      tag.name = trimmed_name(value);
  }
  return tag;
}

bool is_wrapper(const CallTag& tag) { return has(kWrappers, tag.kind); }

bool has_name_as_attribute(const CallTag& tag) { return has(kNamedTags, tag.kind); }

bool CallReader::read_tags(size_t& at, const CallTag& call, std::vector<TextCall>& calls) {
  const size_t begin = at;
  const bool is_bare = call.name.empty() || !has_name_as_attribute(call);
  const std::string name = is_bare ? std::string(call.written) : name_of(call.name);
  const OfferedTool* offered = tool(name);
  const json properties = offered ? offered->schema->value("properties", json::object()) : json();
  const auto is_end = [&](std::string_view rest) {
    const auto tag = call_tag_at(rest);
    return tag && tag->closes && (tag->kind == call.kind || is_wrapper(*tag));
  };
  const auto value_name = [&](std::string_view rest) -> std::string_view {
    const auto tag = call_tag_at(rest);
    if (!tag || tag->closes) return {};
    if (has(kValueTags, tag->kind) && !tag->name.empty()) return tag->name;
    const bool is_known = tag->name.empty() && properties.contains(std::string(tag->kind));
    return is_known ? tag->kind : std::string_view();
  };
  json arguments = json::object();
  std::string repaired;
  std::string_view unclosed;  // kind of a tag that is closed nowhere behind
  at = skip_space(text_, at + call.length);
  for (;;) {
    at = skip_space(text_, at);
    const std::string_view rest = text_.substr(at);
    const auto tag = call_tag_at(rest);
    if (rest.starts_with('{') && arguments.empty()) {  // all of them
      const StrictJson one = json_at(rest);
      auto read = one.length > 0 ? read_arguments(rest.substr(0, one.length)) : std::nullopt;
      if (!read) return problem = "its arguments are no JSON object", false;
      at = skip_space(text_, at + one.length);
      while (at < text_.size() && text_[at] == '}') at = skip_space(text_, at + 1);
      if (const auto end = call_tag_at(text_.substr(at));
          end && end->closes && has(kArgumentsTags, end->kind))
        at = skip_space(text_, at + end->length);
      if (is_end(text_.substr(at))) at += call_tag_at(text_.substr(at))->length;
      add(calls, name, std::move(read->value), std::move(read->repaired), begin, at);
      return true;
    }
    if (tag && has(kArgumentsTags, tag->kind) && !properties.contains(std::string(tag->kind))) {
      at += tag->length;
      continue;
    }
    if (is_end(rest)) {
      if (tag->kind == call.kind) at += tag->length;
      add(calls, name, std::move(arguments), std::move(repaired), begin, at);
      return true;
    }
    if (rest.empty() && is_complete(name, arguments)) {
      add(calls, name, std::move(arguments), "a missing tag at its end", begin, at);
      return true;
    }
    const std::string key(value_name(rest));
    if (key.empty() || arguments.contains(key)) {
      problem = rest.empty() ? "it is not closed" : "it holds something else than parameters";
      had_values |= !arguments.empty();
      return false;
    }
    const size_t value = at + tag->length;
    // The first closing tag that the next value or the call's end follows; or what follows alone.
    size_t end = text_.npos, after = 0;
    for (size_t next = tag->kind == unclosed ? text_.npos : text_.find('<', value);
         next != text_.npos && end == text_.npos; next = text_.find('<', next + 1)) {
      const auto found = call_tag_at(text_.substr(next));
      if (!found || !found->closes || found->kind != tag->kind) continue;
      const std::string_view follows = text_.substr(skip_space(text_, next + found->length));
      if (is_end(follows) || !value_name(follows).empty() || follows.empty() ||
          (call_tag_at(follows) && has(kArgumentsTags, call_tag_at(follows)->kind)))
        end = next, after = next + found->length;
    }
    if (end == text_.npos) unclosed = tag->kind;
    // If the value has no end, it goes up to the next value, or to the call's end if all ends
    // there.
    for (size_t next = text_.find("\n<", value); next != text_.npos && end == text_.npos;
         next = text_.find("\n<", next + 1)) {
      const std::string_view follows = text_.substr(next + 1);
      const std::string_view other = value_name(follows);
      if ((!other.empty() && other != key && !arguments.contains(std::string(other))) ||
          (is_end(follows) && skip_marks(next) == text_.size()))
        end = after = next + 1, repaired = "a missing tag";
    }
    if (end == text_.npos) {
      problem = "it is not closed";
      had_values |= !arguments.empty();
      return false;
    }
    // A call that is not a value by itself ends at another call or, where its end is guessed, at
    // any tag of a call.
    const bool is_guessed = unclosed == tag->kind || skip_space(text_, after) >= text_.size();
    for (size_t next = text_.find('<', value); next < end; next = text_.find('<', next + 1)) {
      const auto found = call_tag_at(text_.substr(next, end - next));
      if (!found) continue;
      const bool is_other =
          is_guessed &&
          (found->closes
               ? properties.contains(std::string(found->kind)) || found->kind == "arg_value" ||
                     has(kValueTags, found->kind) || has(kArgumentsTags, found->kind)
               : !value_name(text_.substr(next)).empty());
      const bool ends_call = found->closes && (found->kind == call.kind || is_wrapper(*found));
      const auto begins_call = [&] {
        const auto tag = call_tag_at(text_.substr(skip_space(text_, next + found->length)));
        return tag && !tag->closes && tag->kind == call.kind;
      };
      if (!is_other && !(ends_call && (is_guessed || begins_call()))) continue;
      problem = "it is not closed";
      had_values |= !arguments.empty();
      return false;
    }
    std::string text = value_in(text_.substr(value, end - value));
    std::optional<json> typed;  // DSML says what is no string
    if (tag->attributes.find("string=\"false\"") != tag->attributes.npos) typed = parse_json(text);
    arguments[key] = typed ? *std::move(typed) : json(std::move(text));
    at = after;
  }
}

}  // namespace bodkin
