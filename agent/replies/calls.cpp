#include "agent/replies/calls.h"

#include <algorithm>
#include <optional>

#include "agent/replies/arguments.h"
#include "agent/replies/call_reader.h"
#include "agent/replies/call_values.h"
#include "agent/replies/explained.h"
#include "agent/support/json.h"
#include "edits/formats/reply_lines.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;

// Decides: what begins a call in a reply's text.
// Tokens of chat templates also begin one within a line.
struct Opener {
  std::string_view text;
  bool is_token = false;
};
// clang-format off
constexpr Opener kOpeners[] = {
    {"<tool_call>"}, {"<tool_calls>"}, {"<function_calls>"}, {"<function_call>"}, {"<tool_use>"},
    {"<function="}, {"<function name="}, {"<tool_call "}, {"<tool_code>"}, {"<invoke name="},
    {"<minimax:tool_call>"}, {"<seed:tool_call>"}, {"<longcat_tool_call>"}, {"<TOOLCALL>"},
    {"<start_function_call>"}, {"<|tool_call>", true}, {"<|tool_call|>", true},
    {"<|tool_call_start|>", true}, {"<|python_tag|>", true}, {"<|python_start|>", true},
    {"[TOOL_CALLS]", true}, {"[TOOL_REQUEST]", true}, {"]<]minimax[>[", true},
    {"<|open|>tools<|sep|>", true}, {"<|open|>call tool=", true}, {"<|tool_calls_begin|>", true},
    {"<|tool_calls_section_begin|>", true}, {"<|tool_call_section_begin|>", true},
    {"<|tool_call_begin|>", true}, {"<|action_start|>", true}, {"<|START_ACTION|>", true},
    {"<\uff5ctool\u2581calls\u2581begin\uff5c>", true},
    {"<\uff5ctool\u2581call\u2581begin\uff5c>", true}, {"<\uff5ctool_calls_begin\uff5c>", true},
    {"<\uff5cDSML\uff5c", true}, {"<|DSML|", true}, {"<|channel|>commentary to=", true},
    {"<|channel|>analysis to=", true}, {"<|start|>assistant to=", true},
    {"<|start|>assistant<|channel|>commentary to=", true}, {"assistantcommentary to=", true},
    {"commentary to="}, {"to=functions."}, {"functools["}};
// clang-format on
// Asked of every byte of a reply.
constexpr bool begins_opener(char c) {
  return c == '<' || c == '[' || c == ']' || c == 'a' || c == 'c' || c == 'f' || c == 't';
}

// The opener that the text begins with; null: none.
const Opener* opener_at(std::string_view text) {
  const auto found = std::ranges::find_if(kOpeners, [&](const Opener& opener) {
    return text[0] == opener.text[0] && text.starts_with(opener.text);
  });
  return found == std::end(kOpeners) ? nullptr : &*found;
}

constexpr std::string_view kSpace = " \t\r\n";
constexpr size_t kMaxTries = 50;  // each may read to the end

class Scanner {
 public:
  Scanner(std::string_view text, std::span<const OfferedTool> tools)
      : text_(text), tools_(tools), reader_(text, tools) {}

  TextCalls read(bool may_go_on) {
    std::optional<size_t> fence;  // where its line begins
    for (size_t line = 0; line < text_.size();) {
      const size_t end = std::min(text_.find('\n', line), text_.size());
      const std::string_view written = text_.substr(line, end - line);
      size_t next = end + 1;
      if (fence) {
        if (closes_fence(fence_line_, written)) fence.reset();
      } else if (fence_info(written)) {
        const size_t taken = take_fenced(line);
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
    tell(may_go_on);
    return std::move(result_);
  }

 private:
  bool is_explained(size_t begin, size_t end) const {
    return prose_explains(text_.substr(0, begin),
                          text_.substr(reader_.skip_marks(std::min(end, text_.size()))));
  }

  // The end of the taken text, or 0.
  size_t take_in_line(size_t line, size_t end) {
    bool is_in_code = false;
    char before = 0;  // the last one that is not blank; 0: none
    size_t first = line;
    while (first < end && (text_[first] == ' ' || text_[first] == '\t')) ++first;
    if (first < end && text_[first] == '>') return 0;  // a quotation
    for (size_t at = first; at < end; ++at) {
      const char c = text_[at];
      if (begins_opener(c) && !is_in_code) {
        const bool may_begin =
            before == 0 || std::string_view(".!?:>").find(before) != std::string_view::npos;
        if (const Opener* opener = opener_at(text_.substr(at));
            opener && (may_begin || opener->is_token))
          return take_marked(at);
        const auto tag = c == '<' && may_begin ? call_tag_at(text_.substr(at)) : std::nullopt;
        if (tag && !tag->closes &&
            (tag->kind == "invoke" || tag->kind == "function_calls" || tag->kind == "tool_calls" ||
             reader_.tool(tag->written)))
          return take_marked(at);
      }
      if (before == 0 && (c == '{' || c == '[' || begins_with_name(at)))
        if (const size_t taken = take_bare(at)) return taken;
      is_in_code ^= c == '`';
      if (c != ' ' && c != '\t') before = c;
    }
    return 0;
  }

  // A tool's name, and what may be its arguments.
  bool begins_with_name(size_t at) const {
    if (text_.substr(at).starts_with("call:")) at += 5;
    const size_t first = at;
    while (at < text_.size() && (is_call_name_char(text_[at]) || text_[at] == ':')) ++at;
    return at > first && at < text_.size() &&
           std::string_view("{<[\r\n").find(text_[at]) != std::string_view::npos &&
           reader_.tool(reader_.name_of(text_.substr(first, at - first)));
  }

  // The beginning of the last paragraph, if it is behind `begin` and plain words; else the text's
  // end.
  size_t last_words(size_t begin) const {
    const size_t gap = text_.rfind("\n\n");
    const bool is_plain =
        gap != text_.npos && gap > begin && text_.find_first_of("<>{}[]|", gap) == text_.npos;
    return is_plain ? gap : text_.size();
  }

  size_t take_marked(size_t begin) {
    if (++tries_ > kMaxTries) return 0;
    std::vector<TextCall> calls;
    size_t at = begin;
    reader_.problem.clear();
    const bool is_read = reader_.read_marked(at, calls, text_.size()) && !calls.empty();
    if (is_explained(begin, is_read ? at : last_words(begin))) return std::max(at, begin + 1);
    if (!is_read) {
      // A mark and then words: nothing was called.
      const size_t first = reader_.skip_marks(begin, text_.size(), true);
      if (reader_.problem.empty() && calls.empty() && first < text_.size() &&
          std::string_view("<{[").find(text_[first]) == std::string_view::npos)
        return std::max(at, begin + 1);
      if (reader_.problem.empty()) reader_.problem = "it cannot be read to its end";
      problems_.push_back(reader_.problem);
      result_.is_broken |= reader_.had_values;
      return std::max(at, begin + 1);
    }
    return take(calls, begin, reader_.skip_marks(at));
  }

  // False: no JSON of the reply has the arguments of a call. Then none is parsed for nothing.
  bool may_have_arguments() {
    const auto has = [&](std::string_view name) { return text_.find(name) != text_.npos; };
    if (!has_arguments_)
      has_arguments_ = has("arguments") || has("parameters") || has("input") || has("args");
    return *has_arguments_;
  }

  // Takes calls without marks in all of the rest of the reply.
  size_t take_bare(size_t begin) {
    if (++tries_ > kMaxTries) return 0;
    if (text_[begin] == '{' && !may_have_arguments()) return 0;
    std::vector<TextCall> calls;
    size_t at = begin;
    if (!reader_.read_plain(at, calls, text_.size())) return take_plan(begin, begin, text_.size());
    if (reader_.skip_marks(at) < text_.size()) return 0;
    return take_fitting(begin, text_.size(), calls);
  }

  // Fences with nothing but calls, one or more, that are all of the rest of the reply.
  size_t take_fenced(size_t begin) {
    constexpr std::string_view kInfos[] = {"",           "json", "tool_code", "tool_call",
                                           "tool_calls", "xml",  "tool",      "function_call",
                                           "json5",      "jsonc"};
    std::vector<TextCall> calls;
    for (size_t line = begin; line < text_.size();) {
      const std::string_view opening = text_.substr(line, text_.substr(line).find('\n'));
      const auto info = fence_info(opening);
      const size_t inside = line + opening.size() + 1;
      if (!info || inside >= text_.size() || std::ranges::find(kInfos, *info) == std::end(kInfos))
        return 0;
      size_t close = inside;
      std::string_view last;
      for (; close < text_.size(); close += last.size() + 1) {
        last = text_.substr(close, text_.substr(close).find('\n'));
        if (closes_fence(opening, last)) break;
      }
      close = std::min(close, text_.size());
      const size_t after = std::min(close + last.size(), text_.size());
      size_t at = skip_space(text_, inside);
      if (at == text_.size()) return 0;
      const size_t before = calls.size();
      const bool is_read = text_[at] == '<' ? reader_.read_marked(at, calls, close)
                                            : reader_.read_plain(at, calls, close);
      if (!is_read) {
        const bool is_last = skip_space(text_, after) == text_.size();
        if (!is_last || line != begin) return 0;
        if (*info != "tool_code" || is_explained(begin, text_.size()))
          return take_plan(begin, skip_space(text_, inside), close);
        problems_.emplace_back("it is no call of a tool alone");
        return text_.size();
      }
      if (calls.size() == before || reader_.skip_marks(at, close) < close) return 0;
      line = skip_space(text_, after);
    }
    return take_fitting(begin, text_.size(), calls);
  }

  // A list of line edits, as a tool of others has them, is all of the rest: told.
  size_t take_plan(size_t begin, size_t at, size_t end) {
    if (at >= end || text_[at] != '[' || text_.find("replacement", at) == text_.npos) return 0;
    const StrictJson list = strict_json_at(text_.substr(at, end - at));
    const auto plan = list.length > 0 ? parse_json(list.text) : std::nullopt;
    if (!plan || !plan->is_array() || plan->empty() ||
        reader_.skip_marks(at + list.length, end) < end || is_explained(begin, text_.size()))
      return 0;
    for (const json& one : *plan)
      if (!one.is_object() || !one.contains("start_line") || !one.contains("replacement")) return 0;
    problems_.emplace_back("a list of line edits is no call of a tool and names no file");
    return text_.size();
  }

  size_t take_fitting(size_t begin, size_t end, std::vector<TextCall>& calls) {
    if (calls.empty() || is_explained(begin, end)) return 0;
    for (TextCall& call : calls) {
      const OfferedTool* one = reader_.tool(call.name);
      if (!one || !fits_schema(call.arguments, *one->schema)) return 0;
    }
    return take(calls, begin, end);
  }

  // Text between calls is taken with them.
  size_t take(std::vector<TextCall>& calls, size_t begin, size_t end) {
    for (size_t i = 0; i < calls.size(); ++i) {
      TextCall& call = calls[i];
      call.begin = i == 0 ? begin : calls[i - 1].end;
      call.end = i + 1 == calls.size() ? end : std::max(call.begin, calls[i + 1].begin);
    }
    for (TextCall& call : calls) {
      const OfferedTool* one = reader_.tool(call.name);
      if (one) {
        fits_schema(call.arguments, *one->schema);  // else the tool says what is wrong
        result_.calls.push_back(std::move(call));
      } else {
        problems_.push_back("there is no tool \"" + call.name.substr(0, 80) + "\"");
      }
    }
    return end;
  }

  void tell(bool may_go_on) {
    // A model that calls waits for the answer.
    if (problems_.empty() && !result_.calls.empty() && !may_go_on &&
        has_word(text_.substr(std::min(result_.calls.back().end, text_.size()))))
      problems_.emplace_back("text follows it, so it may only be quoted");
    if (problems_.empty()) return;
    result_.calls.clear();  // all of them or none
    std::string names;
    for (const OfferedTool& one : tools_) names.append(names.empty() ? "" : ", ").append(one.name);
    result_.told =
        "Your reply contains a tool call as text, and nothing was run: " + problems_.front() + ". ";
    result_.told +=
        tools_.empty()
            ? "There are no tools here: answer in words, and write edits as blocks."
            : "Use the API's tool calls, or send it again, complete and as the end of your "
              "reply. The tools are " +
                  names + ".";
    result_.reason =
        "The model wrote a tool call as text that cannot be run: " + problems_.front() + ".";
  }

  std::string_view text_;
  std::span<const OfferedTool> tools_;
  std::string_view fence_line_;
  CallReader reader_;
  size_t tries_ = 0;
  std::optional<bool> has_arguments_;
  std::vector<std::string> problems_;
  TextCalls result_;
};

}  // namespace

TextCalls calls_in(std::string_view words, std::span<const OfferedTool> tools, bool may_go_on) {
  return Scanner(words, tools).read(may_go_on);
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