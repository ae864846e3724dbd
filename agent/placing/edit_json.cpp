#include "agent/placing/edit_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "agent/placing/edit_calls.h"
#include "agent/placing/tool_edit.h"
#include "agent/replies/arguments.h"
#include "agent/replies/call_reader.h"
#include "agent/replies/calls.h"
#include "agent/replies/editing_tools.h"
#include "agent/replies/thoughts.h"
#include "agent/support/json.h"
#include "edits/formats/lists_of_files.h"
#include "edits/formats/path_in_words.h"
#include "edits/formats/reply_lines.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

using json = nlohmann::json;

constexpr size_t kMaxNested = 64;  // brackets in brackets

// The beginning of JSON in a line; npos: there is none.
size_t json_begin(std::string_view line) {
  const size_t at = line.find_first_not_of(" \t");
  if (at == line.npos || (line[at] != '{' && line[at] != '[')) return line.npos;
  return at;
}

// True if text that starts like this may be an edit. Names and brackets only: `[1]` and `{ x` are
// not.
bool may_hold_edit(std::string_view text) {
  size_t at = text.find_first_not_of(" \t\r\n", 1);
  if (text[0] == '[' && at != text.npos && text[at] == '{') {
    at = text.find_first_not_of(" \t\r\n", at + 1);
  } else if (text[0] == '[') {
    return false;
  }
  return at != text.npos && text[at] == '"';
}

// True if the text up to the next fence mentions an edit.
bool mentions_edit(std::string_view text) {
  text = text.substr(0, std::min(text.find("\n```"), size_t{1} << 16));
  for (const std::string_view name :
       {"\"old_str", "\"new_str", "\"oldStr", "\"newStr", "\"old_text", "\"oldText",
        "\"insert_line\"", "\"file_text\""}) {
    if (text.find(name) != text.npos) return true;
  }
  return text.find("\"start_line\"") != text.npos && text.find("\"replacement\"") != text.npos;
}

// The path above JSON that names none. Nullopt: it is the content of a JSON file.
std::optional<std::string> path_for(const ReplyLines& reply, size_t line, size_t& begin) {
  std::string path = path_above(reply, line, begin);
  for (const std::string_view end : {".json", ".jsonl", ".jsonc", ".json5", ".ipynb"}) {
    if (path.ends_with(end)) return std::nullopt;
  }
  return path;
}

// The places where JSON may be an edit: in prose, or alone in a fence. Next to other code it is an
// example.
class CallPlaces {
 public:
  explicit CallPlaces(ReplyLines& reply) : reply_(reply) {}

  // For each unclaimed line, in order: whether a call may begin there. If a fence contained only
  // calls, its fence lines are claimed at its end.
  bool may_begin(size_t line) {
    const std::string_view s = reply_.lines[line];
    if (fence_ && closes_fence(reply_.lines[*fence_], s)) {
      if (calls_ && !other_) reply_.take(*fence_, line + 1);
      fence_.reset();
      return false;
    }
    if (!fence_ && fence_info(s)) {
      fence_ = line;
      calls_ = other_ = false;
      return false;
    }
    const bool may = !fence_ || !other_;
    other_ = other_ || !(is_blank(s) || wraps(s));
    return may;
  }

  // Claims a call's lines, and surrounding tags that only mark it as a call.
  void take(size_t begin, size_t end) {
    calls_ = true, other_ = false;
    while (begin > 0 && !reply_.taken[begin - 1] && wraps(reply_.lines[begin - 1])) --begin;
    while (end < reply_.size() && wraps(reply_.lines[end])) ++end;
    reply_.take(begin, end);
  }

 private:
  static bool wraps(std::string_view line) {
    const auto tag = call_tag_at(trimmed(line));
    return tag && is_wrapper(*tag) && tag->length == trimmed(line).size();
  }

  ReplyLines& reply_;
  std::optional<size_t> fence_;         // that is open
  bool calls_ = false, other_ = false;  // what it holds
};

class JsonReader {
 public:
  JsonReader(ReplyLines& reply, const ParseOptions& options, EditPlan& plan)
      : reply_(reply), places_(reply), options_(options), plan_(plan) {}

  FailureOr<void> read() {
    for (size_t i = 0; i < reply_.size(); ++i) {
      if (reply_.taken[i] || (!places_.may_begin(i) && !named())) continue;
      const size_t at = json_begin(reply_.lines[i]);
      if (at == std::string_view::npos) continue;
      if (auto done = read_at(i, reply_.text_from(i).substr(at)); !done) return done;
    }
    return {};
  }

 private:
  bool named() const { return options_.format != Format::automatic; }

  // `i` becomes the last line that was read.
  FailureOr<void> read_at(size_t& i, std::string_view text) {
    const bool tired = read_ > kMaxRead * reply_.text.size();
    if (!named() && (tired || !may_hold_edit(text))) return {};
    const auto [one, length, repaired] = tired ? StrictJson() : strict_json_at(text);
    read_ += one.empty() ? text.size() : length;
    if (one.empty()) {
      if (!named() && !mentions_edit(text)) return {};
      return failure(FailureKind::truncated,
                     "the JSON at line " + std::to_string(i + 1) + " of the edit is not closed",
                     "send it again");
    }
    auto edits = parse_json(one, {.depth = kMaxNested, .unique_names = true});
    const bool has_twice = !edits;
    if (!edits) edits = parse_json(one, {.depth = kMaxNested});
    if (!edits) {
      if (!named() && !mentions_edit(text.substr(0, length))) return {};
      return malformed("the JSON at line " + std::to_string(i + 1) + " of the edit is invalid",
                       "escape quotes and backslashes in its strings");
    }
    if (has_twice && mentions_edit(one))
      return malformed("the JSON at line " + std::to_string(i + 1) +
                           " of the edit has a name twice in one object",
                       "send it with each once");
    const size_t first = i;
    while (i + 1 < reply_.size() && reply_.lines[i + 1].data() < text.data() + length) ++i;
    return take(*edits, first, i + 1);
  }

  FailureOr<void> take(const json& edits, size_t first, size_t end) {
    size_t begin = first;
    const auto above = path_for(reply_, first, begin);
    if (!above && !named()) return {};
    const bool has_path = above && !above->empty();
    const std::string other = has_path ? item_above(reply_, begin, *above, options_.is_file) : "";
    EditCalls decoder;
    decoder.add(edits, !other.empty() ? "" : has_path ? *above : options_.default_path);
    const auto names_none = [](const EditCalls::Call& call) {
      return call.path.empty() && call.patch.empty() && is_certain(call);
    };
    if (!other.empty() && std::ranges::any_of(decoder.calls, names_none))
      return several_files_error(begin, {other, *above});
    const auto is_doubtful = [&](const EditCalls::Call& call) {
      const bool nameless = call.path.empty() && call.arguments.find("start_line startLine");
      return !named() && (!is_certain(call) || nameless);
    };
    // No one of several edits is left out: either all are edits, or the JSON is something else.
    const auto doubtful = std::count_if(decoder.calls.begin(), decoder.calls.end(), is_doubtful);
    if (doubtful > 0 && static_cast<size_t>(doubtful) < decoder.calls.size())
      return malformed("the JSON at line " + std::to_string(first + 1) + " of the edit contains " +
                           std::to_string(doubtful) + " incomplete edits",
                       "give each its path, old text and new text");
    if (doubtful > 0) decoder.calls.clear();
    for (const EditCalls::Call& call : decoder.calls) {
      const std::string name = "edit " + std::to_string(++number_);
      if (auto done = add_call(call, name, first + 1, plan_); !done) return done;
    }
    if (decoder.calls.empty()) return {};
    places_.take(first, end);
    if (has_path) reply_.take(begin, first);
    return {};
  }

  // Limits the total parsing work, as a multiple of the text's size.
  static constexpr size_t kMaxRead = 8;

  ReplyLines& reply_;
  CallPlaces places_;
  const ParseOptions& options_;
  EditPlan& plan_;
  size_t number_ = 0;
  size_t read_ = 0;
};

// Values that are all in lines of their own, between tags, are whole lines.
void keep_line_ends(std::string_view written, ToolArguments& call) {
  const auto is_laid_out = [&](const auto& value) {
    const size_t at = written.find(">\n" + value.second + "\n");
    return value.second.empty() || !is_text_argument(value.first) ||
           (at != written.npos &&
            trimmed(written.substr(at + value.second.size() + 3)).starts_with("</"));
  };
  call.whole_lines = written.contains('<') && std::ranges::all_of(call.values, is_laid_out);
  const auto is_blank_line = [&](const std::string& name) {
    return written.contains(name + ">\n\n</") || written.contains(name + "\">\n\n</");
  };
  for (auto& [name, value] : call.values)
    if (call.whole_lines && is_text_argument(name) && (!value.empty() || is_blank_line(name)))
      value += '\n';
}

// Calls of editing tools that nothing has read yet (agent/replies/calls.h).
FailureOr<void> parse_calls(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  const auto is_read = [&](size_t i) { return reply.taken[i] || is_blank(reply.lines[i]); };
  size_t unread_lines = 0;
  for (size_t i = 0; i < reply.size(); ++i) unread_lines += !is_read(i);
  if (unread_lines == 0) return {};
  static const json kEdit = [] {
    json names = json::object();
    for (const std::string& name : argument_names()) names[name] = json::object();
    return json{{"properties", std::move(names)}, {"additionalProperties", true}};
  }();
  std::vector<OfferedTool> tools;
  for (const std::string_view name : kEditingTools) tools.push_back({name, &kEdit});
  std::string unread(reply.text);
  for (size_t i = 0; i < reply.size(); ++i)
    if (reply.taken[i])
      unread.replace(static_cast<size_t>(reply.lines[i].data() - reply.text.data()),
                     reply.lines[i].size(), reply.lines[i].size(), ' ');
  const auto line_at = [&](size_t offset) {
    const auto after =
        std::upper_bound(reply.lines.begin(), reply.lines.end(), reply.text.data() + offset,
                         [](const char* at, std::string_view line) { return at < line.data(); });
    return static_cast<size_t>(after - reply.lines.begin()) - 1;
  };
  size_t number = 0;
  const TextCalls found = calls_in(unread, tools, true);
  if (found.is_broken)
    return malformed(found.reason.substr(0, found.reason.size() - 1), "send the call again");
  for (const TextCall& call : found.calls) {
    const size_t first = line_at(call.begin),
                 last = line_at(std::max(call.end, call.begin + 1) - 1);
    if (std::find(reply.taken.begin() + static_cast<long>(first),
                  reply.taken.begin() + static_cast<long>(last) + 1,
                  1) < reply.taken.begin() + static_cast<long>(last) + 1)
      continue;
    EditCalls decoder;
    decoder.add(call.arguments, options.default_path, call.name);
    if (!std::ranges::all_of(decoder.calls, is_certain)) continue;
    for (EditCalls::Call& one : decoder.calls) {
      keep_line_ends(std::string_view(unread).substr(call.begin, call.end - call.begin),
                     one.arguments);
      const std::string name = "call " + std::to_string(++number);
      if (auto done = add_call(one, name, first + 1, plan); !done) return done;
    }
    reply.take(first, last + 1);
  }
  return {};
}

FailureOr<void> parse_json(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  if (auto done = parse_calls(reply, options, plan); !done) return done;
  return JsonReader(reply, options, plan).read();
}

}  // namespace

FailureOr<EditPlan> plan_of_json(const json& edits, const std::string& default_path) {
  EditCalls decoder;
  decoder.add(edits, default_path);
  EditPlan plan;
  size_t number = 0;
  for (const EditCalls::Call& call : decoder.calls) {
    const std::string name = "edit " + std::to_string(++number);
    if (auto done = add_call(call, name, number, plan); !done) return std::unexpected(done.error());
  }
  return plan;
}

FailureOr<EditPlan> parse_reply(std::string_view reply, const ParseOptions& options) {
  return parse_edits(words_in_place(reply), options, parse_json);
}

std::string prose_of_reply(std::string_view reply, const ParseOptions& options,
                           std::span<const LineRange> shown) {
  return prose_of(words_in_place(reply), options, shown, parse_json);
}

}  // namespace bodkin
