#include "edits/formats/parse_tags.h"

#include <algorithm>
#include <vector>

#include "edits/formats/tool_edit.h"

namespace bodkin {

namespace {

// A value in a bare tag: any other tag is text.
constexpr std::string_view kNames[] = {
    "path",        "file_path",   "filePath",   "target_file", "command",     "old_str",
    "new_str",     "old_string",  "new_string", "oldString",   "newString",   "search",
    "replace",     "content",     "contents",   "file_text",   "insert_line", "start_line",
    "end_line",    "replacement", "line",       "code_edit",   "replace_all", "line_count",
    "explanation", "instructions"};

// A tag at the beginning of `s`: "<invoke name=\"x\">" is {"invoke", "x"}, "<path>" {"path", ""}.
struct Tag {
  std::string_view kind;
  std::string_view name;  // the attribute's value
  size_t length = 0;      // with both brackets
};

std::optional<Tag> tag_at(std::string_view s) {
  constexpr size_t kLongest = 300;
  const size_t end = s.substr(0, kLongest).find('>');
  if (!s.starts_with('<') || end == s.npos) return std::nullopt;
  std::string_view inner = s.substr(1, end - 1);
  if (inner.find_first_of("<\n") != inner.npos) return std::nullopt;
  Tag tag;
  tag.length = end + 1;
  const size_t gap = inner.find_first_of(" =");
  tag.kind = inner.substr(0, gap);
  if (tag.kind.empty()) return std::nullopt;
  if (gap != inner.npos) {
    tag.name = inner.substr(inner.find('=') + 1);  // without '=': all of it
    const char quote = tag.name.empty() ? '\0' : tag.name[0];
    if (quote == '"' || quote == '\'') {
      tag.name.remove_prefix(1);
      tag.name = tag.name.substr(0, tag.name.find(quote));
    }
  }
  return tag;
}

size_t skip_space(std::string_view s, size_t at) {
  return std::min(s.find_first_not_of(" \t\r\n", at), s.size());
}

bool is_tool(std::string_view kind) {
  return std::ranges::any_of(
      kEditingTools, [&](const EditingTool& tool) { return tool.by_tag && tool.name == kind; });
}

bool opens_call(const Tag& tag) {
  if (tag.kind == "invoke" || tag.kind == "function") return !tag.name.empty();
  return is_tool(tag.kind);
}

// The name of the value that the tag opens, or nothing.
std::string_view value_name(const Tag& tag) {
  if (tag.kind == "parameter") return tag.name;
  return is_one_of(tag.kind, kNames) ? tag.kind : std::string_view();
}

// Of a value that is in lines of its own: those lines, each with its line end. Else nothing.
std::optional<std::string> whole_lines_of(std::string_view text) {
  if (!text.starts_with('\n') && !text.starts_with("\r\n")) return std::nullopt;
  text.remove_prefix(text.find('\n') + 1);
  const size_t last = text.find_last_not_of(" \t");  // the closing tag may be indented
  if (last == text.npos) return "";
  if (text[last] != '\n') return std::nullopt;
  return std::string(text.substr(0, last + 1));
}

// True if the value is the text of a file. (Not a path, a number, a command.)
bool is_text(std::string_view name) {
  for (const std::string_view begin :
       {"old", "new", "search", "repl", "cont", "code", "file_text"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}

bool holds_text(const ToolArguments& call) {
  return std::any_of(call.values.begin(), call.values.end(), [](const auto& value) {
    return is_text(value.first) && !value.second.empty();
  });
}

class CallReader {
 public:
  CallReader(std::string_view text, const Tag& tag) : text_(text), tag_(tag) {
    call_.tool = tag.kind == "invoke" || tag.kind == "function" ? tag.name : tag.kind;
    at_ = tag.length;
  }

  enum class Found { call, cut, other };

  // `other`: it holds a diff, or is not a call at all.
  Found read() {
    const std::string closing = "</" + std::string(tag_.kind) + ">";
    std::vector<std::string> laid_out;  // the names of values that are in lines of their own
    bool inline_text = false;
    for (;;) {
      at_ = skip_space(text_, at_);
      const std::string_view rest = text_.substr(at_);
      if (rest.empty()) return call_.values.empty() ? Found::other : Found::cut;
      if (rest.starts_with(closing)) {
        at_ += closing.size();
        call_.whole_lines = !laid_out.empty() && !inline_text;
        for (const std::string& name : laid_out) {
          std::string& value = call_.values.find(name)->second;
          if (!call_.whole_lines && !value.empty()) value.pop_back();
        }
        return call_.values.empty() ? Found::other : Found::call;
      }
      const auto tag = tag_at(rest);
      const std::string_view name = tag ? value_name(*tag) : std::string_view();
      if (name.empty()) {
        // Tags of tools that are not told apart here.
        return Found::other;
      }
      if (name == "diff" || name == "patch" || name == "input") return Found::other;
      const size_t begin = at_ + tag->length;
      const size_t end = end_of_value("</" + std::string(tag->kind) + ">", closing, begin);
      if (end == text_.npos) return Found::cut;
      const std::string_view value = text_.substr(begin, end - begin);
      if (!is_text(name)) {
        const size_t first = skip_space(value, 0);
        const size_t last = value.find_last_not_of(" \t\r\n");
        call_.values.emplace(name, value.substr(first, last == value.npos ? 0 : last + 1 - first));
      } else if (auto lines = whole_lines_of(value)) {
        if (call_.values.emplace(name, *std::move(lines)).second) laid_out.emplace_back(name);
      } else {
        call_.values.emplace(name, value);
        inline_text = true;
      }
    }
  }

  size_t end() const { return at_; }
  const ToolArguments& call() const { return call_; }

 private:
  // The offset of the closing tag; `at_` becomes the offset after it.
  size_t end_of_value(const std::string& closing, const std::string& call_closing, size_t begin) {
    for (size_t at = text_.find(closing, begin); at != text_.npos;
         at = text_.find(closing, at + 1)) {
      const size_t next = skip_space(text_, at + closing.size());
      const std::string_view rest = text_.substr(next);
      const auto tag = tag_at(rest);
      if (rest.starts_with(call_closing) || (tag && !value_name(*tag).empty())) {
        at_ = at + closing.size();
        return at;
      }
    }
    return text_.npos;
  }

  std::string_view text_;
  Tag tag_;
  size_t at_ = 0;
  ToolArguments call_;
};

}  // namespace

FailureOr<void> parse_tags(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  CallPlaces places(reply);
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i] || !places.may_begin(i)) continue;
    const std::string_view line = reply.lines[i];
    const std::string_view s = trimmed(line);
    const auto tag = tag_at(s);
    if (!tag || !opens_call(*tag)) continue;
    CallReader reader(reply.text_from(i).substr(static_cast<size_t>(s.data() - line.data())), *tag);
    const auto found = reader.read();
    const ToolArguments& call = reader.call();
    const std::string name = "the call at line " + std::to_string(i + 1) + " of the edit";
    if (found == CallReader::Found::other) {
      if (holds_text(call)) {
        return failure(FailureKind::malformed, name + " cannot be parsed after its first values",
                       "send it again with the tool's own parameters only");
      }
      continue;
    }
    if (found == CallReader::Found::cut) {
      return failure(FailureKind::truncated, name + " is not closed", "send the whole call again");
    }
    size_t last = i;
    const char* const end = s.data() + reader.end();
    while (last + 1 < reply.size() && reply.lines[last + 1].data() < end) ++last;
    if (!is_edit(call)) {
      if (is_tool(tag->kind) && holds_text(call)) {
        return failure(FailureKind::malformed, name + " is incomplete",
                       "give its path, old text and new text");
      }
      i = last;
      continue;
    }
    for (size_t k = i; k <= last; ++k) {
      if (!reply.taken[k]) continue;
      return failure(
          FailureKind::malformed,
          name + " contains edits in another format (line " + std::to_string(k + 1) + ")",
          "send one of the two");
    }
    if (auto done = add_tool_edit(call, options.default_path, name, i + 1, plan); !done)
      return done;
    places.take(i, last + 1);
    i = last;
  }
  return {};
}

}  // namespace bodkin
