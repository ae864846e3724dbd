// More than 350 lines: how JSON is found in a reply and what its members mean is decided together.
#include "agent/placing/edit_json.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <vector>

#include "agent/placing/tool_edit.h"
#include "agent/replies/arguments.h"
#include "agent/replies/call_reader.h"
#include "agent/replies/calls.h"
#include "agent/replies/editing_tools.h"
#include "agent/replies/thoughts.h"
#include "agent/support/json.h"
#include "edits/formats/reply_lines.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

using json = nlohmann::json;

constexpr size_t kMaxNested = 64;  // brackets in brackets

std::unexpected<Failure> malformed(std::string what, std::string advice = {}) {
  return failure(FailureKind::malformed, std::move(what), std::move(advice));
}

// The first of `names` that is there and not null.
const json* member(const json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto it = object.find(name);
    if (it != object.end() && !it->is_null()) return &*it;
  }
  return nullptr;
}

const std::string* text_member(const json& object, std::initializer_list<const char*> names) {
  const json* value = member(object, names);
  return value != nullptr ? value->get_ptr<const json::string_t*>() : nullptr;
}

bool contains_markers(std::string_view text) {
  for (const std::string_view marker :
       {"*** Begin Patch", " SEARCH\n", "\n@@", "*** Update File:"}) {
    if (text.find(marker) != text.npos) return true;
  }
  return text.starts_with("@@");
}

// JSON of any of the known shapes as one list of calls.
class Decoder {
 public:
  struct Call {
    ToolArguments arguments;
    std::string path;     // its own, or the enclosing one's
    std::string patch;    // if not empty: the edit is this text
    std::string problem;  // if not empty: what is wrong with it
    bool names_file = false;
  };

  void add(const json& edit, const std::string& path, const std::string& tool = {}) {
    if (edit.is_array()) {
      for (const json& one : edit) add(one, path, tool);
      return;
    }
    if (!edit.is_object()) {
      calls.push_back({.problem = "is not an object"});
      return;
    }
    if (const json* list = member(edit, {"tool_calls", "tool_uses", "calls"})) {
      return add(*list, path);
    }
    if (const json* function = member(edit, {"function"}); function && function->is_object()) {
      return add(*function, path);
    }
    const std::string* name = text_member(edit, {"name", "tool", "tool_name", "recipient_name"});
    if (const json* inner = member(edit, {"arguments", "input", "parameters", "args"});
        inner != nullptr && name != nullptr) {
      const std::string_view bare = std::string_view(*name).substr(name->rfind('.') + 1);
      if (inner->is_object()) return add(*inner, path, std::string(bare));
      if (const auto* text = inner->get_ptr<const json::string_t*>()) {
        const auto parsed = parse_json(*text);
        if (parsed && parsed->is_object()) return add(*parsed, path, std::string(bare));
        if (contains_markers(*text)) return calls.push_back({.path = path, .patch = *text});
      }
    }
    add_object(edit, path, tool);
  }

  std::vector<Call> calls;

 private:
  void add_object(const json& edit, const std::string& path, const std::string& tool) {
    Call call{.arguments = {.tool = tool}, .path = path};
    for (const auto& [key, value] : edit.items()) {
      if (const auto* text = value.get_ptr<const json::string_t*>()) {
        call.arguments.values.emplace(key, *text);
      } else if (value.is_primitive() && !value.is_null()) {
        call.arguments.values.emplace(key, value.dump());
      } else if (!value.is_null() && (key.starts_with("old") || key.starts_with("new"))) {
        call.problem = "has a " + key + " that is not a string";
      }
    }
    call.path = path_of(call.arguments, path);
    call.names_file = !path_of(call.arguments).empty();
    if (const json* several = member(edit, {"edits", "changes", "replacements"})) {
      if (several->is_array()) return add(*several, call.path, tool);
      call.problem = "has edits that are not a list";
    }
    if (const std::string* text = text_member(edit, {"patch", "diff", "input", "patchText"});
        text != nullptr && contains_markers(*text)) {
      call.patch = *text;
    }
    if (const json* words = member(edit, {"command", "cmd"}); words && words->is_array()) {
      for (const json& word : *words) {
        const auto* text = word.get_ptr<const json::string_t*>();
        if (text != nullptr && text->find("*** Begin Patch") != text->npos) call.patch = *text;
      }
    }
    calls.push_back(std::move(call));
  }
};

FailureOr<void> add_call(const Decoder::Call& call, const std::string& name, size_t source_line,
                         EditPlan& plan) {
  if (!call.problem.empty()) return malformed(name + " " + call.problem);
  if (call.patch.empty()) {
    return add_tool_edit(call.arguments, call.path, name, source_line, plan);
  }
  auto inner = parse_edits(call.patch, {Format::automatic, call.path, false});
  if (!inner) return std::unexpected(inner.error());
  for (FileChange& change : inner->changes) {
    if (call.names_file) {
      if (!may_mean(change.path, call.path))
        return malformed(name + " names " + call.path + ", but its patch changes " + change.path,
                         "send one for each file");
      change.path = call.path;
    }
    change.source_line += source_line - 1;
    for (Hunk& hunk : change.hunks) hunk.source_line += source_line - 1;
    plan.changes.push_back(std::move(change));
  }
  return {};
}

bool is_certain(const Decoder::Call& call) {
  return !call.patch.empty() || (call.problem.empty() && is_edit(call.arguments));
}

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

// The path above JSON that names none. Nothing: it is the content of a JSON file.
std::optional<std::string> path_for(const ReplyLines& reply, size_t line, size_t& begin) {
  std::string path = path_above(reply, line, begin);
  for (const std::string_view end : {".json", ".jsonl", ".jsonc", ".json5", ".ipynb"}) {
    if (path.ends_with(end)) return std::nullopt;
  }
  return path;
}

// The places where JSON may be an edit: in prose, or alone in a fence. Beside other code it is an
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
    const auto edits = parse_json(one, {.depth = kMaxNested});
    if (!edits) {
      if (!named() && !mentions_edit(text.substr(0, length))) return {};
      return malformed("the JSON at line " + std::to_string(i + 1) + " of the edit is invalid",
                       "escape quotes and backslashes in its strings");
    }
    if (!parse_json(one, {.depth = kMaxNested, .unique_names = true}) && mentions_edit(one))
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
    Decoder decoder;
    decoder.add(edits, above && !above->empty() ? *above : options_.default_path);
    const auto is_doubtful = [&](const Decoder::Call& call) {
      const bool nameless = call.path.empty() && call.arguments.find("start_line startLine");
      return !named() && (!is_certain(call) || nameless);
    };
    // None of several edits is left out: either all are edits, or the JSON is something else.
    const auto doubtful = std::count_if(decoder.calls.begin(), decoder.calls.end(), is_doubtful);
    if (doubtful > 0 && static_cast<size_t>(doubtful) < decoder.calls.size())
      return malformed("the JSON at line " + std::to_string(first + 1) + " of the edit contains " +
                           std::to_string(doubtful) + " incomplete edits",
                       "give each its path, old text and new text");
    if (doubtful > 0) decoder.calls.clear();
    for (const Decoder::Call& call : decoder.calls) {
      const std::string name = "edit " + std::to_string(++number_);
      if (auto done = add_call(call, name, first + 1, plan_); !done) return done;
    }
    if (decoder.calls.empty()) return {};
    places_.take(first, end);
    if (above && !above->empty()) reply_.take(begin, first);
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

// Values that all stand in lines of their own, between tags, are whole lines.
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
  static const json kEdit = [] {
    json names = json::object();
    for (const std::string& name : argument_names()) names[name] = json::object();
    return json{{"properties", std::move(names)}, {"additionalProperties", true}};
  }();
  std::vector<OfferedTool> tools;
  for (const EditingTool& tool : kEditingTools)
    if (tool.by_call) tools.push_back({tool.name, &kEdit});
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
    Decoder decoder;
    decoder.add(call.arguments, options.default_path, call.name);
    if (!std::ranges::all_of(decoder.calls, is_certain)) continue;
    for (Decoder::Call& one : decoder.calls) {
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
  Decoder decoder;
  decoder.add(edits, default_path);
  EditPlan plan;
  size_t number = 0;
  for (const Decoder::Call& call : decoder.calls) {
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
