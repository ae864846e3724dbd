#include "agent/replies/call_reader.h"

#include <algorithm>

#include "agent/replies/arguments.h"
#include "agent/replies/call_values.h"
#include "agent/support/json.h"

namespace bodkin {

using nlohmann::json;

namespace {

// Words between the tokens of a head.
constexpr std::string_view kHeadWords[] = {"commentary", "analysis", "assistant",
                                           "json",       "function", "code",
                                           "functools",  "tool",     "assistantcommentary"};
constexpr std::string_view kMarks[] = {"[TOOL_CALLS]",
                                       "[/TOOL_CALLS]",
                                       "[ARGS]",
                                       "[TOOL_REQUEST]",
                                       "[END_TOOL_REQUEST]",
                                       "<tool_sep>",
                                       "]<]minimax[>[",
                                       "</s>",
                                       ";"};
constexpr std::string_view kNameTags[] = {"name", "tool_name"};  // that have a name as their text
constexpr size_t kMaxCalls = 64;
constexpr size_t kMaxToken = 60;

template <class List>
bool lists(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

}  // namespace

const OfferedTool* CallReader::tool(std::string_view name) const {
  const auto found = std::ranges::find(tools_, name, &OfferedTool::name);
  return found == tools_.end() ? nullptr : &*found;
}

std::string CallReader::name_of(std::string_view written) const {
  return cleaned_name(written, [&](std::string_view name) { return tool(name) != nullptr; });
}

void CallReader::add(std::vector<TextCall>& calls, std::string_view name, json arguments,
                     std::string repaired, size_t begin, size_t end) const {
  calls.push_back(
      {name_of(trimmed_name(name)), std::move(arguments), std::move(repaired), begin, end});
}

bool CallReader::is_complete(std::string_view name, json arguments) const {
  const OfferedTool* one = tool(name_of(name));
  return one && !arguments.empty() && fits_schema(arguments, *one->schema);
}

bool CallReader::read_plain(size_t& at, std::vector<TextCall>& calls, size_t end) {
  const size_t begin = at, before = calls.size();
  if (text_[at] == '{' || text_[at] == '[') {
    bool is_json = read_json(at, calls);
    for (size_t next; is_json && (next = skip_space(text_, at)) < end && text_[next] == '{';)
      at = next, is_json = read_json(at, calls);
    if (is_json) return calls.size() > before;
    at = begin;
  }
  const bool is_list = text_[at] == '[';
  if (is_list) at = skip_space(text_, at + 1);
  while (at < end && calls.size() < kMaxCalls) {
    size_t parens = 0;
    if (text_.substr(at).starts_with("print(")) at += 6, ++parens;
    if (!read_python(at, calls)) {
      if (is_list || calls.size() > before || parens > 0) return false;
      return read_named(at = begin, calls) == Found::call;
    }
    at = skip_space(text_, at);
    if (parens > 0) {
      if (at >= end || text_[at] != ')') return false;
      at = skip_space(text_, at + 1);
    }
    if (is_list && at < end && text_[at] == ']') return ++at, true;
    if (is_list && (at >= end || text_[at] != ',')) return false;
    if (is_list) at = skip_space(text_, at + 1);
    if (!is_list && (at >= end || !is_call_name_char(text_[at]))) return true;
  }
  return !is_list && calls.size() > before;
}

bool CallReader::read_python(size_t& at, std::vector<TextCall>& calls) {
  const size_t begin = at;
  while (at < text_.size() && is_call_name_char(text_[at])) ++at;
  const std::string_view name = text_.substr(begin, at - begin);
  if (name.empty() || at >= text_.size() || text_[at] != '(') return false;
  auto arguments = literal_arguments(text_, at + 1, '=', ')');
  if (!arguments) return false;
  at = arguments->end;
  add(calls, name, std::move(arguments->value), "", begin, at);
  return true;
}

// One JSON value that is a call or a list of them.
bool CallReader::read_json(size_t& at, std::vector<TextCall>& calls) {
  const size_t begin = at, before = calls.size();
  StrictJson one = json_at(text_.substr(at));
  std::optional<json> value;
  if (one.length > 0) value = parse_json(one.text, {.unique_names = true});
  if (!value && one.text.starts_with("{{") && one.text.ends_with("}}")) {
    value = parse_json(std::string_view(one.text).substr(1, one.text.size() - 2),
                       {.unique_names = true});
    one.repaired += one.repaired.empty() ? "doubled brackets" : ", doubled brackets";
  }
  if (!value && text_[at] == '{')
    if (auto literal = literal_arguments(text_, at + 1, ':', '}')) {
      value = std::move(literal->value);
      one.length = literal->end - at;
      one.repaired = "what is Python and not JSON";
    }
  if (!value) {
    problem = one.length > 0 ? "its JSON is invalid" : "its JSON is not closed";
    return false;
  }
  at += one.length;
  // Brackets too many, before a mark or the end.
  size_t last = at;
  while (last < text_.size() && (text_[last] == '}' || text_[last] == ']')) ++last;
  const size_t next = skip_space(text_, last);
  if (last > at && (next == text_.size() || skip_marks(next) > next)) {
    at = last;
    one.repaired += one.repaired.empty() ? "brackets behind it" : ", brackets behind it";
  }
  if (add_json(*value, one.repaired, begin, at, calls)) return true;
  calls.resize(before);
  at = begin;
  problem = "its JSON has no name and arguments";
  return false;
}

bool CallReader::add_json(const json& value, const std::string& repaired, size_t begin, size_t end,
                          std::vector<TextCall>& calls) {
  if (value.is_array())
    return !value.empty() && value.size() <= kMaxCalls &&
           std::ranges::all_of(value, [&](const json& one) {
             return one.is_object() && add_json(one, repaired, begin, end, calls);
           });
  if (!value.is_object()) return false;
  for (const char* list : {"tool_calls", "tool_uses", "calls"})
    if (const auto found = value.find(list); found != value.end() && found->is_array())
      return add_json(*found, repaired, begin, end, calls);
  for (const char* one : {"function", "function_call", "tool_call"})
    if (const auto function = value.find(one); function != value.end() && function->is_object())
      return add_json(*function, repaired, begin, end, calls);
  const json* name = nullptr;
  for (const char* key : {"name", "tool_name", "tool", "recipient_name", "function"})
    if (const auto found = value.find(key); !name && found != value.end() && found->is_string())
      name = &*found;
  if (!name) return false;
  for (const char* key : {"arguments", "parameters", "input", "args"}) {
    const auto found = value.find(key);
    if (found == value.end()) continue;
    if (found->is_object()) {
      add(calls, name->get<std::string>(), *found, repaired, begin, end);
      return true;
    }
    if (!found->is_string()) return false;
    auto arguments = read_arguments(found->get_ref<const std::string&>());
    if (!arguments) return false;
    add(calls, name->get<std::string>(), std::move(arguments->value),
        repaired.empty() ? arguments->repaired : repaired, begin, end);
    return true;
  }
  return false;
}

size_t CallReader::skip_marks(size_t at, size_t end, bool in_head) const {
  end = std::min(end, text_.size());
  for (;;) {
    at = skip_space(text_, at);
    if (at >= end) return end;
    const std::string_view rest = text_.substr(at, end - at);
    const auto tag = call_tag_at(rest);
    const bool is_kimi = tag && (rest.starts_with("<|open|>") || rest.starts_with("<|close|>"));
    size_t length = 0;
    if (tag && ((is_wrapper(*tag) && (tag->closes || tag->name.empty())) ||
                (has_name_as_attribute(*tag) && (tag->closes || tag->attributes.empty()))))
      length = tag->length;
    for (const auto& [open, close] :
         {std::pair<std::string_view, std::string_view>{"<|", "|>"}, {"<\uff5c", "\uff5c>"}}) {
      const size_t stop = rest.substr(0, kMaxToken).find(close, open.size());
      if (length == 0 && !is_kimi && rest.starts_with(open) && stop != rest.npos &&
          rest.substr(0, stop).find_first_of(" \n\"") == rest.npos)
        length = stop + close.size();
    }
    for (const std::string_view mark : kMarks)
      if (length == 0 && rest.starts_with(mark) && !(tag && mark == kMinimax)) length = mark.size();
    if (rest.starts_with("[CALL_ID]")) {
      length = 9;
      while (length < rest.size() && is_call_name_char(rest[length])) ++length;
    }
    if (rest.starts_with("```")) length = std::min(rest.find('\n'), rest.size());
    if (length == 0 && in_head)
      for (const std::string_view word : kHeadWords)
        if (rest.starts_with(word) &&
            (rest.size() == word.size() || !is_call_name_char(rest[word.size()])))
          length = word.size();
    if (length == 0) return at;
    at += length;
  }
}

bool CallReader::read_marked(size_t& at, std::vector<TextCall>& calls, size_t end) {
  while (calls.size() < kMaxCalls) {
    const size_t begin = skip_marks(at, end, true);
    if (begin >= end) return true;
    size_t after = begin;
    const Found found = read_one(after, calls, calls.empty() || begin > at);
    if (found == Found::other) return true;
    at = after;
    if (found == Found::broken) return false;
  }
  return true;
}

CallReader::Found CallReader::read_one(size_t& at, std::vector<TextCall>& calls, bool is_marked) {
  const std::string_view rest = text_.substr(at);
  if (auto tag = call_tag_at(rest)) {
    if (tag->closes) return Found::other;
    if (is_marked && lists(kNameTags, tag->kind) && tag->attributes.empty()) {
      const size_t end = rest.find("</" + std::string(tag->written) + ">", tag->length);
      if (end == rest.npos) return Found::broken;
      const std::string_view name = trimmed_name(rest.substr(tag->length, end - tag->length));
      const CallTag named{.kind = "invoke", .name = name, .written = name};
      at += end + tag->length + 1;
      return read_tags(at, named, calls) ? Found::call : Found::broken;
    }
    const bool is_named = !tag->name.empty() && has_name_as_attribute(*tag);
    if (!is_named && !tool(tag->written)) return Found::other;
    return read_tags(at, *tag, calls) ? Found::call : Found::broken;
  }
  if (!is_marked || rest[0] == '<') return Found::other;
  if (rest[0] == '{' || rest[0] == '[') {
    const size_t begin = at;
    if (read_json(at, calls)) return Found::call;
    at = begin;
    if (rest[0] == '[' && read_plain(at, calls, text_.size())) return Found::call;
    at = begin;
    return Found::broken;
  }
  if (rest.starts_with("print("))
    return read_plain(at, calls, text_.size()) ? Found::call : Found::broken;
  return read_named(at, calls);
}

// A name, then its arguments.
CallReader::Found CallReader::read_named(size_t& at, std::vector<TextCall>& calls) {
  const size_t begin = at;
  size_t first = at;
  for (const std::string_view prefix : {"to=", "call:"})
    if (text_.substr(at).starts_with(prefix)) first = at + prefix.size();
  size_t last = first;
  while (last < text_.size() && (is_call_name_char(text_[last]) || text_[last] == ':')) ++last;
  const std::string_view name = text_.substr(first, last - first);
  if (name.empty()) return Found::other;
  if (text_.substr(last).starts_with(">")) ++last;  // GLM
  at = last;
  const size_t body = skip_marks(last, text_.npos, true);
  const std::string_view args = text_.substr(std::min(body, text_.size()));
  if (args.starts_with("<arg_key>") || args.starts_with("<longcat_arg_key>"))
    return read_pairs(at = body, name, calls);
  if (args.starts_with('(')) {
    at = begin;
    return read_python(at, calls) ? Found::call : Found::broken;
  }
  if (!args.starts_with('{')) {
    if (!tool(name_of(name))) return Found::other;
    const auto tag = call_tag_at(text_.substr(skip_space(text_, last)));
    if (!tag || !tag->closes || !is_wrapper(*tag)) return Found::broken;
    add(calls, name, json::object(), "", begin, last);  // without arguments
    return Found::call;
  }
  if (const StrictJson one = json_at(args); one.length > 0) {
    if (auto read = read_arguments(args.substr(0, one.length))) {
      at = body + one.length;
      add(calls, name, std::move(read->value), std::move(read->repaired), begin, at);
      return Found::call;
    }
  }
  if (auto arguments = literal_arguments(text_, body + 1, ':', '}')) {
    at = arguments->end;
    add(calls, name, std::move(arguments->value), "", begin, at);
    return Found::call;
  }
  problem = "its arguments are no JSON object";
  return Found::broken;
}

// GLM's. A value is text, or JSON where the schema wants it.
CallReader::Found CallReader::read_pairs(size_t& at, std::string_view name,
                                         std::vector<TextCall>& calls) {
  const std::string prefix = text_.substr(at).starts_with("<longcat_") ? "longcat_" : "";
  const std::string key_tag = "<" + prefix + "arg_key>", key_end = "</" + prefix + "arg_key>",
                    value_tag = "<" + prefix + "arg_value>",
                    value_end = "</" + prefix + "arg_value>";
  json arguments = json::object();
  const size_t begin = at;
  for (;;) {
    at = skip_space(text_, at);
    const auto take = [&](std::string_view open, std::string_view close,
                          std::string_view next) -> std::optional<std::string_view> {
      if (!text_.substr(at).starts_with(open)) return std::nullopt;
      for (size_t end = text_.find(close, at); end != text_.npos;
           end = text_.find(close, end + 1)) {
        const size_t after = skip_space(text_, end + close.size());
        const std::string_view rest = text_.substr(after);
        if (!next.empty() && !rest.empty() && !rest.starts_with(next) && !rest.starts_with("</"))
          continue;
        const std::string_view value = text_.substr(at + open.size(), end - at - open.size());
        at = end + close.size();
        return value;
      }
      return std::nullopt;
    };
    if (!text_.substr(at).starts_with(key_tag)) break;
    const auto key = take(key_tag, key_end, "");
    at = skip_space(text_, at);
    const auto value = take(value_tag, value_end, key_tag);
    if (!key || !value) {
      problem = "its arguments are not closed";
      return Found::broken;
    }
    arguments[std::string(trimmed_name(*key))] = std::string(*value);
  }
  add(calls, name, std::move(arguments), "", begin, at);
  return Found::call;
}

}  // namespace bodkin
