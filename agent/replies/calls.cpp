// More than 350 lines: the forms share their parts, and one is often wrapped in another.
#include "agent/replies/calls.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "agent/replies/arguments.h"
#include "agent/support/json.h"
#include "edits/formats/reply_lines.h"

namespace bodkin {

namespace {

using nlohmann::json;

// Decides: what begins a call in a reply's text.
// Tokens of chat templates also begin one within a line.
struct Opener {
  std::string_view text;
  bool is_token = false;
};
constexpr Opener kOpeners[] = {{"<tool_call>"},
                               {"<tool_calls>"},
                               {"<function_calls>"},
                               {"<function_call>"},
                               {"<tool_use>"},
                               {"<function="},
                               {"<function name="},
                               {"<invoke name="},
                               {"<minimax:tool_call>"},
                               {"<seed:tool_call>"},
                               {"<longcat_tool_call>"},
                               {"<TOOLCALL>"},
                               {"<start_function_call>"},
                               {"<|tool_call>", true},
                               {"<|tool_call|>", true},
                               {"<|python_tag|>", true},
                               {"[TOOL_CALLS]", true},
                               {"<|tool_calls_section_begin|>", true},
                               {"<|tool_call_begin|>", true},
                               {"<|action_start|>", true},
                               {"<|START_ACTION|>", true},
                               {"<\uff5ctool\u2581calls\u2581begin\uff5c>", true},
                               {"<\uff5ctool\u2581call\u2581begin\uff5c>", true},
                               {"<\uff5ctool_calls_begin\uff5c>", true},
                               {"<\uff5cDSML\uff5c", true},
                               {"<|channel|>commentary to=", true},
                               {"<|channel|>analysis to=", true},
                               {"<|start|>assistant to=", true},
                               {"<|start|>assistant<|channel|>commentary to=", true},
                               {"commentary to="},
                               {"to=functions."},
                               {"functools["}};
bool begins_opener(char c) { return c == '<' || c == '[' || c == 'c' || c == 't' || c == 'f'; }

// The opener that the text begins with; null: none.
const Opener* opener_at(std::string_view text) {
  const auto found = std::ranges::find_if(kOpeners, [&](const Opener& opener) {
    return text[0] == opener.text[0] && text.starts_with(opener.text);
  });
  return found == std::end(kOpeners) ? nullptr : &*found;
}

// Tags that only wrap calls; those with a prefix ("antml:", "minimax:") are known without it.
constexpr std::string_view kWrappers[] = {
    "tool_call",         "tool_calls", "function_calls",    "function_call",
    "tool_use",          "TOOLCALL",   "longcat_tool_call", "start_function_call",
    "end_function_call", "|tool_call", "tool_call|"};
// Words between the tokens of a head.
constexpr std::string_view kHeadWords[] = {"commentary", "analysis", "assistant", "json",
                                           "function",   "code",     "functools", "tool"};
// Decides: which words of prose say that it only explains calls.
// Whoever speaks; then if it does not speak of itself; the same, in a line that ends with a colon;
// and below what looks like a call.
constexpr std::string_view kShows[] = {"for example", "example:",   "example of", "for instance",
                                       "e.g.",        "looks like", "look like",  "would look"};
constexpr std::string_view kExplains[] = {
    "example",    "such as",       "would be",   "would write", "would send",    "would emit",
    "is written", "are written",   "stands for", "parsed",      "tool call",     "tool-call",
    "tool_call",  "function call", "markup",     "notation",    "writes",        "emits",
    "wraps",      "parser",        "the model",  "models",      "chat template", "server",
    "a call",     "calls are",     "is a call"};
constexpr std::string_view kForms[] = {"format",  "syntax", "form",     "tags",      "structure",
                                       "shape",   "json",   "template", "like this", "call",
                                       "follows", "xml",    "marks"};
constexpr std::string_view kNames[] = {"argument", "parameter", "the tool", "tool's", "placeholder",
                                       "tags",     "format",    "syntax",   "json",   "the call"};
constexpr std::string_view kSpeaks[] = {
    "i ",   "i'",   "i\u2019", "let me", "let's", "let\u2019s", "now",     "first,",
    "next", "sure", "ok",      "we ",    "then",  "to ",        "looking", "reading"};

constexpr std::string_view kSpace = " \t\r\n";
constexpr size_t kMaxCalls = 64;
constexpr size_t kMaxToken = 60;
constexpr size_t kMaxTries = 50;  // each may read to the end

size_t skip_space(std::string_view s, size_t at) {
  return std::min(s.find_first_not_of(kSpace, at), s.size());
}

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' ||
         c == '/';
}

std::string_view trimmed_name(std::string_view s) {
  while (!s.empty() && std::string_view(" \t\r\n\"'").find(s.front()) != s.npos) s.remove_prefix(1);
  while (!s.empty() && std::string_view(" \t\r\n\"'").find(s.back()) != s.npos) s.remove_suffix(1);
  return s;
}

bool contains_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return text.find(w) != text.npos; });
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// A tag at the beginning of `s`, without a prefix before ':' or "｜DSML｜".
struct Tag {
  std::string_view kind, name, written;  // name: of "=name" or name="…"
  std::string_view rest;                 // its other attributes
  bool closes = false;
  size_t length = 0;
};

std::optional<Tag> tag_at(std::string_view s) {
  const size_t end = s.substr(0, 300).find('>');
  if (!s.starts_with('<') || end == s.npos) return std::nullopt;
  std::string_view inner = s.substr(1, end - 1);
  if (inner.find_first_of("<\n") != inner.npos) return std::nullopt;
  Tag tag;
  tag.length = end + 1;
  if (inner.starts_with('/')) tag.closes = true, inner.remove_prefix(1);
  constexpr std::string_view kDsml = "\uff5cDSML\uff5c";
  if (inner.starts_with(kDsml)) inner.remove_prefix(kDsml.size());
  tag.written = inner;
  const size_t gap = inner.find_first_of(" =");
  tag.kind = inner.substr(0, gap);
  if (const size_t colon = tag.kind.find(':'); colon != tag.kind.npos)
    tag.kind.remove_prefix(colon + 1);
  if (tag.kind.empty()) return std::nullopt;
  if (gap == inner.npos) return tag;
  const size_t equals = inner.find('=', gap);
  if (equals == inner.npos) return tag;
  std::string_view value = inner.substr(equals + 1);
  if (!value.empty() && (value[0] == '"' || value[0] == '\'')) {
    const size_t close = value.find(value[0], 1);
    tag.rest = close == value.npos ? "" : value.substr(close + 1);
    value = value.substr(1, close == value.npos ? value.npos : close - 1);
  }
  tag.name = trimmed_name(value);
  return tag;
}

bool is_wrapper(const Tag& tag) {
  return std::ranges::find(kWrappers, tag.kind) != std::end(kWrappers);
}

// Values of Python and of Gemma's own form, as JSON.
class Literals {
 public:
  explicit Literals(std::string_view text, size_t at) : text_(text), at_(at) {}
  size_t at() const { return at_; }

  // The arguments up to `close`; nothing: something else stands there. `sign`: after a key.
  std::optional<json> arguments(char sign, char close) {
    json made = json::object();
    for (;;) {
      at_ = skip_space(text_, at_);
      if (at_ < text_.size() && text_[at_] == close) return ++at_, made;
      const size_t begin = at_;
      if (at_ < text_.size() && text_[at_] == '"') ++at_;
      const size_t name = at_;
      while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
      const std::string key(text_.substr(name, at_ - name));
      if (name > begin && !take('"')) return std::nullopt;
      at_ = skip_space(text_, at_);
      if (key.empty() || made.contains(key) || !take(sign)) return std::nullopt;
      auto one = value(0);
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
    if (take('{')) return arguments(':', '}');
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

// Whether the arguments are an object of this schema; strings become what the schema wants, as tags
// have only text.
bool fits(json& arguments, const json& schema) {
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

class Scanner {
 public:
  Scanner(std::string_view text, std::span<const OfferedTool> tools) : text_(text), tools_(tools) {}

  TextCalls read() {
    std::optional<size_t> fence;  // where its line begins
    for (size_t line = 0; line < text_.size();) {
      const size_t end = std::min(text_.find('\n', line), text_.size());
      const std::string_view written = text_.substr(line, end - line);
      size_t next = end + 1;
      if (fence) {
        if (closes_fence(fence_line_, written)) fence.reset();
      } else if (const auto info = fence_info(written)) {
        const size_t taken = take_fenced(line, next, *info);
        if (taken > 0) {
          next = taken;
        } else {
          fence = line;
          fence_line_ = written;
        }
      } else if (written.starts_with("<<<<<<<")) {  // an edit's text
        const size_t close = text_.find("\n>>>>>>>", end);
        next = close == text_.npos ? next : close + 1;
      } else {
        const size_t taken = take_in_line(line, end);
        if (taken > 0) next = taken;
      }
      line = next;
    }
    tell();
    return std::move(result_);
  }

 private:
  const OfferedTool* tool(std::string_view name) const {
    const auto found = std::ranges::find(tools_, name, &OfferedTool::name);
    return found == tools_.end() ? nullptr : &*found;
  }
  std::string name_of(std::string_view written) const {
    return cleaned_name(written, [&](std::string_view name) { return tool(name) != nullptr; });
  }

  // Whether prose around it explains calls instead of making one.
  bool is_explained(size_t begin, size_t end) const {
    std::string_view before = text_.substr(0, begin);
    before = before.substr(0, before.find_last_not_of(kSpace) + 1);
    const size_t gap = before.rfind("\n\n");
    const std::string above = lower(gap == before.npos ? before : before.substr(gap + 2));
    const std::string last = above.substr(above.rfind('\n') + 1);
    const bool speaks = std::ranges::any_of(kSpeaks, [&](std::string_view word) {
      return above.starts_with(word) || last.starts_with(word) ||
             last.find(". " + std::string(word)) != last.npos;
    });
    if (contains_any(above, kShows)) return true;
    if (!speaks &&
        (contains_any(above, kExplains) || (last.ends_with(':') && contains_any(last, kForms))))
      return true;
    const std::string below = lower(text_.substr(skip_marks(std::min(end, text_.size()))));
    return contains_any(below, kShows) || contains_any(below, kExplains) ||
           contains_any(below, kNames);
  }

  // The end of what was taken, or 0.
  size_t take_in_line(size_t line, size_t end) {
    bool is_in_code = false;
    char before = 0;  // the last one that is not blank; 0: none
    for (size_t at = line; at < end; ++at) {
      const char c = text_[at];
      if (begins_opener(c) && !is_in_code) {
        const bool may_begin =
            before == 0 || std::string_view(".!?:>").find(before) != std::string_view::npos;
        if (const Opener* opener = opener_at(text_.substr(at));
            opener && (may_begin || opener->is_token))
          return take_marked(at);
        const auto tag = c == '<' && may_begin ? tag_at(text_.substr(at)) : std::nullopt;
        if (tag && !tag->closes &&
            (tag->kind == "invoke" || tag->kind == "function_calls" || tag->kind == "tool_calls" ||
             tool(tag->written)))
          return take_marked(at);
      }
      if (before == 0 && (c == '{' || c == '['))
        if (const size_t taken = take_bare(at)) return taken;
      is_in_code ^= c == '`';
      if (c != ' ' && c != '\t') before = c;
    }
    return 0;
  }

  size_t take_marked(size_t begin) {
    if (++tries_ > kMaxTries) return 0;
    std::vector<TextCall> calls;
    size_t at = begin;
    problem_.clear();
    const bool is_broken = !read_calls(at, calls, text_.size());
    const bool is_read = !is_broken && !calls.empty();
    if (is_explained(begin, is_broken ? text_.size() : at)) return std::max(at, begin + 1);
    if (!is_read) {
      if (problem_.empty()) problem_ = "it cannot be read to its end";
      problems_.push_back(problem_);
      return std::max(at, begin + 1);
    }
    calls.front().begin = begin;
    calls.back().end = skip_marks(at);
    for (TextCall& call : calls) {
      const OfferedTool* one = tool(call.name);
      if (one) {
        fits(call.arguments, *one->schema);  // else the tool says what is wrong
        result_.calls.push_back(std::move(call));
      } else {
        problems_.push_back("there is no tool \"" + call.name.substr(0, 80) + "\"");
      }
    }
    return calls.back().end;
  }

  // Without marks: all of the rest of the reply.
  size_t take_bare(size_t begin) {
    if (++tries_ > kMaxTries) return 0;
    std::vector<TextCall> calls;
    size_t at = begin;
    if (!read_plain(at, calls, text_.size())) return take_plan(begin, begin, text_.size());
    if (skip_marks(at) < text_.size()) return 0;
    return take_fitting(begin, text_.size(), calls);
  }

  size_t take_fenced(size_t line, size_t inside, std::string_view info) {
    constexpr std::string_view kInfos[] = {"",           "json", "tool_code", "tool_call",
                                           "tool_calls", "xml",  "tool",      "function_call",
                                           "json5",      "jsonc"};
    if (inside >= text_.size() || std::ranges::find(kInfos, info) == std::end(kInfos)) return 0;
    const std::string_view opening = text_.substr(line, inside - line - 1);
    size_t close = inside;
    std::string_view last;
    for (; close < text_.size(); close = text_.find('\n', close) == text_.npos
                                             ? text_.size()
                                             : text_.find('\n', close) + 1) {
      last = text_.substr(close, text_.substr(close).find('\n'));
      if (closes_fence(opening, last)) break;
    }
    if (close >= text_.size()) return 0;
    const size_t after = close + last.size();
    if (skip_space(text_, after) < text_.size()) return 0;
    std::vector<TextCall> calls;
    size_t at = skip_space(text_, inside);
    const bool is_read =
        text_[at] == '<' ? read_calls(at, calls, close) : read_plain(at, calls, close);
    if (!is_read) return take_plan(line, skip_space(text_, inside), close);
    if (skip_marks(at, close) < close) return 0;
    return take_fitting(line, text_.size(), calls);
  }

  // A list of line edits, as a tool of others has them, is all of the rest: told.
  size_t take_plan(size_t begin, size_t at, size_t end) {
    const StrictJson list = strict_json_at(text_.substr(at, end - at));
    const auto plan = list.length > 0 ? parse_json(list.text) : std::nullopt;
    if (!plan || !plan->is_array() || plan->empty() || skip_marks(at + list.length, end) < end ||
        is_explained(begin, text_.size()))
      return 0;
    for (const json& one : *plan)
      if (!one.is_object() || !one.contains("start_line") || !one.contains("replacement")) return 0;
    problems_.emplace_back("a list of line edits is no call of a tool and names no file");
    return text_.size();
  }

  size_t take_fitting(size_t begin, size_t end, std::vector<TextCall>& calls) {
    if (calls.empty() || is_explained(begin, end)) return 0;
    for (TextCall& call : calls) {
      const OfferedTool* one = tool(call.name);
      if (!one || !fits(call.arguments, *one->schema)) return 0;
    }
    calls.front().begin = begin;
    calls.back().end = end;
    for (TextCall& call : calls) result_.calls.push_back(std::move(call));
    return end;
  }

  // JSON with a name and arguments, or Python's calls.
  bool read_plain(size_t& at, std::vector<TextCall>& calls, size_t end) {
    const size_t begin = at;
    if (text_[at] == '{' || text_[at] == '[') {
      const size_t before = calls.size();
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
      if (!read_python(at, calls)) return false;
      at = skip_space(text_, at);
      if (parens > 0) {
        if (at >= end || text_[at] != ')') return false;
        at = skip_space(text_, at + 1);
      }
      if (is_list && at < end && text_[at] == ']') return ++at, true;
      if (is_list && (at >= end || text_[at] != ',')) return false;
      if (is_list) at = skip_space(text_, at + 1);
    }
    return !is_list && !calls.empty();
  }

  bool read_python(size_t& at, std::vector<TextCall>& calls) {
    const size_t begin = at;
    while (at < text_.size() && is_name_char(text_[at])) ++at;
    const std::string_view name = text_.substr(begin, at - begin);
    if (name.empty() || at >= text_.size() || text_[at] != '(') return false;
    Literals literals(text_, at + 1);
    auto arguments = literals.arguments('=', ')');
    if (!arguments) return false;
    at = literals.at();
    add(calls, name, *std::move(arguments), "", begin, at);
    return true;
  }

  void add(std::vector<TextCall>& calls, std::string_view name, json arguments,
           std::string repaired, size_t begin, size_t end) {
    calls.push_back(
        {name_of(trimmed_name(name)), std::move(arguments), std::move(repaired), begin, end});
  }

  // One JSON value that is a call or a list of them.
  bool read_json(size_t& at, std::vector<TextCall>& calls) {
    const StrictJson one = strict_json_at(text_.substr(at));
    std::optional<json> value;
    if (one.length > 0) value = parse_json(one.text, {.unique_names = true});
    if (!value) {
      problem_ = one.length > 0 ? "its JSON is invalid" : "its JSON is not closed";
      return false;
    }
    const size_t before = calls.size();
    if (!add_json(*value, one.repaired, at, at + one.length, calls)) {
      calls.resize(before);
      problem_ = "its JSON has no name and arguments";
      return false;
    }
    at += one.length;
    return true;
  }

  bool add_json(const json& value, const std::string& repaired, size_t begin, size_t end,
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
    if (const auto function = value.find("function");
        function != value.end() && function->is_object())
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

  // After marks, tokens, wrapping tags, fences, and words of a head.
  size_t skip_marks(size_t at, size_t end = std::string_view::npos, bool in_head = false) const {
    end = std::min(end, text_.size());
    for (;;) {
      at = skip_space(text_, at);
      if (at >= end) return end;
      const std::string_view rest = text_.substr(at, end - at);
      size_t length = 0;
      for (const auto& [open, close] :
           {std::pair<std::string_view, std::string_view>{"<|", "|>"}, {"<\uff5c", "\uff5c>"}}) {
        const size_t stop = rest.substr(0, kMaxToken).find(close, open.size());
        if (rest.starts_with(open) && stop != rest.npos &&
            rest.substr(0, stop).find_first_of(" \n\"") == rest.npos)
          length = stop + close.size();
      }
      for (const std::string_view mark : {"[TOOL_CALLS]", "[/TOOL_CALLS]", "[ARGS]", "</s>", ";"})
        if (rest.starts_with(mark)) length = mark.size();
      if (rest.starts_with("[CALL_ID]")) {
        length = 9;
        while (length < rest.size() && is_name_char(rest[length])) ++length;
      }
      if (rest.starts_with("```")) length = std::min(rest.find('\n'), rest.size());
      if (length == 0 && rest[0] == '<') {
        const auto tag = tag_at(rest);
        if (tag && (is_wrapper(*tag) ||
                    (tag->closes && (tag->kind == "function" || tag->kind == "invoke"))))
          length = tag->length;
      }
      if (length == 0 && in_head)
        for (const std::string_view word : kHeadWords)
          if (rest.starts_with(word) &&
              (rest.size() == word.size() || !is_name_char(rest[word.size()])))
            length = word.size();
      if (length == 0) return at;
      at += length;
    }
  }

  // Calls with marks, one after the other. False: one cannot be read to its end.
  bool read_calls(size_t& at, std::vector<TextCall>& calls, size_t end) {
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

  enum class Found { call, broken, other };

  Found read_one(size_t& at, std::vector<TextCall>& calls, bool is_marked) {
    const std::string_view rest = text_.substr(at);
    if (rest[0] == '<') {
      const auto tag = tag_at(rest);
      if (!tag || tag->closes) return Found::other;
      const bool is_named =
          !tag->name.empty() && (tag->kind == "function" || tag->kind == "invoke");
      if (!is_named && !tool(tag->written)) return Found::other;
      return read_tags(at, *tag, calls) ? Found::call : Found::broken;
    }
    if (!is_marked) return Found::other;
    if (rest[0] == '{' || rest[0] == '[') {
      const size_t begin = at;
      if (read_json(at, calls)) return Found::call;
      at = begin;
      if (rest[0] == '[' && read_plain(at, calls, text_.size())) return Found::call;
      at = begin;
      return Found::broken;
    }
    // A name, then its arguments.
    size_t first = at;
    for (const std::string_view prefix : {"to=", "call:"})
      if (rest.starts_with(prefix)) first = at + prefix.size();
    size_t last = first;
    while (last < text_.size() && (is_name_char(text_[last]) || text_[last] == ':')) ++last;
    const std::string_view name = text_.substr(first, last - first);
    if (name.empty()) return Found::other;
    const size_t begin = at;
    at = last;
    const size_t body = skip_marks(last, text_.npos, true);
    const std::string_view args = text_.substr(std::min(body, text_.size()));
    if (args.starts_with("<arg_key>")) return read_pairs(at = body, name, calls);
    if (args.starts_with('(')) {
      at = begin;
      return read_python(at, calls) ? Found::call : Found::broken;
    }
    if (!args.starts_with('{')) {
      if (tool(name_of(name))) {
        const auto tag = tag_at(text_.substr(skip_space(text_, last)));
        if (tag && tag->closes && is_wrapper(*tag)) {  // a call without arguments
          add(calls, name, json::object(), "", begin, last);
          return Found::call;
        }
        return Found::broken;
      }
      return Found::other;
    }
    if (const StrictJson one = strict_json_at(args); one.length > 0) {
      if (auto read = read_arguments(args.substr(0, one.length))) {
        at = body + one.length;
        add(calls, name, std::move(read->value), std::move(read->repaired), begin, at);
        return Found::call;
      }
    } else if (auto read = read_arguments(args)) {  // without its last bracket
      at = text_.size();
      add(calls, name, std::move(read->value), std::move(read->repaired), begin, at);
      return Found::call;
    }
    Literals literals(text_, body + 1);
    if (auto arguments = literals.arguments(':', '}')) {
      at = literals.at();
      add(calls, name, *std::move(arguments), "", begin, at);
      return Found::call;
    }
    problem_ = "its arguments are no JSON object";
    return Found::broken;
  }

  // GLM's. A value is text, or JSON where the schema wants it.
  Found read_pairs(size_t& at, std::string_view name, std::vector<TextCall>& calls) {
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
      if (!text_.substr(at).starts_with("<arg_key>")) break;
      const auto key = take("<arg_key>", "</arg_key>", "");
      at = skip_space(text_, at);
      const auto value = take("<arg_value>", "</arg_value>", "<arg_key>");
      if (!key || !value) {
        problem_ = "its arguments are not closed";
        return Found::broken;
      }
      arguments[std::string(trimmed_name(*key))] = std::string(*value);
    }
    add(calls, name, std::move(arguments), "", begin, at);
    return Found::call;
  }

  // Line ends next to the tags are layout.
  static std::string value_in(std::string_view text) {
    if (text.starts_with("\r\n")) {
      text.remove_prefix(2);
    } else if (text.starts_with('\n')) {
      text.remove_prefix(1);
    }
    if (text.ends_with('\n')) text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
    return std::string(text);
  }

  bool read_tags(size_t& at, const Tag& call, std::vector<TextCall>& calls) {
    const size_t begin = at;
    const bool is_bare = call.kind != "function" && call.kind != "invoke";
    const std::string name = is_bare ? std::string(call.written) : name_of(call.name);
    const OfferedTool* offered = tool(name);
    const auto is_end = [&](std::string_view rest) {
      const auto tag = tag_at(rest);
      return tag && tag->closes && (tag->kind == call.kind || is_wrapper(*tag));
    };
    const auto value_name = [&](std::string_view rest) -> std::string_view {
      const auto tag = tag_at(rest);
      if (!tag || tag->closes) return {};
      if (tag->kind == "parameter") return tag->name;
      const bool is_known =
          is_bare && offered && tag->name.empty() &&
          offered->schema->value("properties", json::object()).contains(std::string(tag->kind));
      return is_known ? tag->kind : std::string_view();
    };
    json arguments = json::object();
    at = skip_space(text_, at + call.length);
    if (text_.substr(at).starts_with('{')) {  // <function=name>{…}</function>
      const StrictJson one = strict_json_at(text_.substr(at));
      auto read = one.length > 0 ? read_arguments(text_.substr(at, one.length)) : std::nullopt;
      if (!read) return problem_ = "its arguments are no JSON object", false;
      at = skip_space(text_, at + one.length);
      if (is_end(text_.substr(at))) at += tag_at(text_.substr(at))->length;
      add(calls, name, std::move(read->value), std::move(read->repaired), begin, at);
      return true;
    }
    for (;;) {
      at = skip_space(text_, at);
      const std::string_view rest = text_.substr(at);
      if (is_end(rest)) {
        const auto tag = tag_at(rest);
        if (tag->kind == call.kind) at += tag->length;
        add(calls, name, std::move(arguments), "", begin, at);
        return true;
      }
      const std::string key(value_name(rest));
      if (key.empty() || arguments.contains(key)) {
        problem_ = rest.empty() ? "it is not closed" : "it holds something else than parameters";
        return false;
      }
      const auto tag = tag_at(rest);
      const size_t value = at + tag->length;
      // The first closing tag that the next value or the call's end follows; or what follows alone.
      size_t end = text_.npos, after = 0;
      for (size_t next = text_.find('<', value); next != text_.npos && end == text_.npos;
           next = text_.find('<', next + 1)) {
        const auto found = tag_at(text_.substr(next));
        if (!found || !found->closes || found->kind != tag->kind) continue;
        const std::string_view follows = text_.substr(skip_space(text_, next + found->length));
        if (is_end(follows) || !value_name(follows).empty())
          end = next, after = next + found->length;
      }
      if (end == text_.npos) return problem_ = "it is not closed", false;
      std::string text = value_in(text_.substr(value, end - value));
      std::optional<json> typed;  // DSML says what is no string
      if (tag->rest.find("string=\"false\"") != tag->rest.npos) typed = parse_json(text);
      arguments[key] = typed ? *std::move(typed) : json(std::move(text));
      at = after;
    }
  }

  void tell() {
    if (problems_.empty()) return;
    result_.calls.clear();  // all of them or none
    std::string names;
    for (const OfferedTool& one : tools_) names.append(names.empty() ? "" : ", ").append(one.name);
    result_.told =
        "Your reply contains a tool call as text, and nothing was run: " + problems_.front() + ". ";
    result_.told +=
        tools_.empty()
            ? "There are no tools here: answer in words, and write edits as blocks."
            : "Use the API's tool calls, or send it again complete. The tools are " + names + ".";
    result_.reason =
        "The model wrote a tool call as text that cannot be run: " + problems_.front() + ".";
  }

  std::string_view text_;
  std::span<const OfferedTool> tools_;
  std::string_view fence_line_;
  size_t tries_ = 0;
  std::string problem_;
  std::vector<std::string> problems_;
  TextCalls result_;
};

}  // namespace

TextCalls calls_in(std::string_view words, std::span<const OfferedTool> tools) {
  return Scanner(words, tools).read();
}

size_t marked_call_begin(std::string_view words, size_t from) {
  const size_t above = from == 0 ? words.npos : words.rfind('\n', from - 1);
  bool is_in_code = false, is_first = true;
  for (size_t at = above == words.npos ? 0 : above + 1; at < words.size(); ++at) {
    const char c = words[at];
    if (at >= from && !is_in_code && begins_opener(c))
      for (const Opener& opener : kOpeners)
        if ((is_first || opener.is_token) && c == opener.text[0] &&
            opener.text.starts_with(words.substr(at, opener.text.size())))
          return at;
    is_in_code = c != '\n' && is_in_code != (c == '`');
    is_first = c == '\n' || (is_first && (c == ' ' || c == '\t'));
  }
  return words.npos;
}

std::string without_calls(std::string_view words, const TextCalls& found) {
  std::string rest;
  size_t at = 0;
  for (const TextCall& call : found.calls) {
    if (call.begin < at) continue;
    rest += words.substr(at, call.begin - at);
    at = call.end;
  }
  if (at < words.size()) rest += words.substr(at);
  while (!rest.empty() && kSpace.find(rest.back()) != kSpace.npos && !found.calls.empty())
    rest.pop_back();
  return rest;
}

}  // namespace bodkin
