#include "agent/edit_json.h"

#include <charconv>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <vector>

#include "edits/reply.h"

namespace bodkin {

namespace {

using json = nlohmann::json;

std::unexpected<Error> malformed(const std::string& what) {
  return fail(Error::Code::invalid_input, "malformed: " + what);
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

std::optional<long long> number_member(const json& object,
                                       std::initializer_list<const char*> names) {
  const json* value = member(object, names);
  if (value == nullptr) return std::nullopt;
  if (value->is_number_unsigned() && value->get<unsigned long long>() > (1ULL << 40)) {
    return 1LL << 40;
  }
  if (value->is_number_integer()) return value->get<long long>();
  if (const auto* s = value->get_ptr<const json::string_t*>()) {
    long long number = 0;
    const auto [rest, error] = std::from_chars(s->data(), s->data() + s->size(), number);
    if (error == std::errc() && rest == s->data() + s->size()) return number;
  }
  return std::nullopt;
}

// Pieces between line ends: "a\n" has two, the second empty.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (;;) {
    const size_t end = text.find('\n');
    std::string_view piece = text.substr(0, end);
    if (end != text.npos && piece.ends_with('\r')) piece.remove_suffix(1);
    pieces.emplace_back(piece);
    if (end == text.npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> whole_lines_of(std::string_view text) {
  std::vector<std::string> lines = pieces_of(text);
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

// "12 | text" on every line, counted up from `start`: the model copied a numbered listing.
void drop_line_numbers(std::vector<std::string>& lines, long long start) {
  std::vector<std::string> bare;
  for (const std::string& line : lines) {
    const std::string_view s = trimmed(line);
    long long number = 0;
    const auto [rest, error] = std::from_chars(s.data(), s.data() + s.size(), number);
    if (error != std::errc() || number != start + static_cast<long long>(bare.size())) return;
    std::string_view text(rest, static_cast<size_t>(s.data() + s.size() - rest));
    const size_t sign = text.find_first_not_of(' ');
    if (sign == text.npos || (text[sign] != '|' && text[sign] != ':' && text[sign] != '\t')) return;
    // The text behind the sign as it stands in the line, its trailing space included.
    const size_t at = static_cast<size_t>(text.data() + sign + 1 - s.data()) + line.find(s);
    std::string kept = line.substr(at);
    if (text[sign] != '\t' && kept.starts_with(' ')) kept.erase(0, 1);
    bare.push_back(std::move(kept));
  }
  lines = std::move(bare);
}

Hunk lines_hunk(size_t begin, size_t end, const std::vector<std::string>& lines) {
  Hunk hunk;
  hunk.at_lines = LineRange{begin, end};
  for (const std::string& line : lines) hunk.lines.push_back({HunkLine::Kind::added, line});
  return hunk;
}

class Decoder {
 public:
  Result<void> add(const json& edit, const std::string& inherited) {
    if (edit.is_array()) {
      for (const json& one : edit) {
        if (!one.is_object()) return malformed(numbered("is not an object"));
        if (auto done = add(one, inherited); !done) return done;
      }
      return {};
    }
    if (!edit.is_object()) return malformed("the edit is not a JSON object or a list of them");
    const std::string* path = text_member(
        edit, {"path", "file_path", "filePath", "filename", "file", "target_file", "filepath"});
    const std::string target = path != nullptr ? cleaned_path(*path) : inherited;
    if (const json* several = member(edit, {"edits", "changes", "replacements"})) {
      if (!several->is_array()) return malformed(numbered("has edits that are not a list"));
      return add(*several, target);
    }
    ++number_;
    if (target.empty()) return malformed(numbered("names no file; give its path"));
    return add_one(edit, target);
  }

  EditPlan take() { return std::move(plan_); }

 private:
  std::string numbered(std::string_view what) const {
    return "edit " + std::to_string(number_) + " " + std::string(what);
  }

  Result<void> add_one(const json& edit, const std::string& path) {
    const std::string* command = text_member(edit, {"command", "operation", "action", "type"});
    const std::string* before = text_member(
        edit, {"old_str", "old_string", "oldString", "oldText", "old_text", "old", "search"});
    const std::string* after =
        text_member(edit, {"new_str", "new_string", "newString", "newText", "new_text", "new",
                           "replace", "replacement", "insert_text", "text"});
    const std::string* contents =
        text_member(edit, {"file_text", "content", "contents", "fileText"});
    if (member(edit, {"start_line", "startLine", "line"}) != nullptr && before == nullptr) {
      return add_lines(edit, path, command, after != nullptr ? after : contents);
    }
    if (member(edit, {"insert_line", "insertLine"}) != nullptr && before == nullptr) {
      const auto line = number_member(edit, {"insert_line", "insertLine"});
      if (!line || *line < 0 || after == nullptr) {
        return malformed(numbered("needs insert_line (0 or more) and new_str"));
      }
      const auto at = static_cast<size_t>(*line);
      return add_hunk(path, lines_hunk(at, at, whole_lines_of(*after)));
    }
    if (command != nullptr && (*command == "view" || *command == "undo_edit")) {
      return malformed(numbered("is no edit"));
    }
    const bool create = command != nullptr && *command == "create";
    if (contents != nullptr && before == nullptr) {
      return add_file(path, create ? FileChange::Kind::create : FileChange::Kind::overwrite,
                      *contents);
    }
    if (before == nullptr && command != nullptr && *command == "delete") {
      return add_file(path, FileChange::Kind::remove, "");
    }
    if (before == nullptr) return malformed(numbered("has no old_str"));
    if (after == nullptr && member(edit, {"new_str", "new_string", "newString", "new"})) {
      return malformed(numbered("has a new_str that is not a string"));
    }
    if (before->empty()) {
      return add_file(path, FileChange::Kind::create, after != nullptr ? *after : "");
    }
    Hunk hunk;
    hunk.within_lines = true;
    hunk.lines = lines_of_halves(pieces_of(*before), pieces_of(after != nullptr ? *after : ""));
    if (const json* all = member(edit, {"replace_all", "replaceAll", "allow_multiple"})) {
      hunk.all_places = all->is_boolean() ? all->get<bool>() : *all == json("true");
    }
    return add_hunk(path, std::move(hunk));
  }

  Result<void> add_lines(const json& edit, const std::string& path, const std::string* command,
                         const std::string* text) {
    const bool remove = command != nullptr && (*command == "remove" || *command == "delete");
    const auto start = number_member(edit, {"start_line", "startLine", "line"});
    const json* last = member(edit, {"end_line", "endLine"});
    const auto end = last != nullptr ? number_member(edit, {"end_line", "endLine"}) : start;
    if (!start || !end || *start < 1 || *end < *start - 1) {
      return malformed(numbered("needs start_line and end_line, from 1 and in order"));
    }
    if (text == nullptr && !remove) return malformed(numbered("has no replacement"));
    if (command != nullptr && *command == "insert" && last == nullptr) {
      return malformed(
          numbered("inserts at a line, before or behind is not said; give start_line, "
                   "end_line and replacement"));
    }
    std::vector<std::string> lines = remove ? std::vector<std::string>() : whole_lines_of(*text);
    drop_line_numbers(lines, *start);
    return add_hunk(path,
                    lines_hunk(static_cast<size_t>(*start - 1), static_cast<size_t>(*end), lines));
  }

  Result<void> add_hunk(const std::string& path, Hunk hunk) {
    hunk.source_line = number_;
    update_of(plan_, path, number_).hunks.push_back(std::move(hunk));
    return {};
  }

  Result<void> add_file(const std::string& path, FileChange::Kind kind, const std::string& text) {
    FileChange change;
    change.kind = kind;
    change.path = path;
    change.contents = text;
    change.source_line = number_;
    plan_.changes.push_back(std::move(change));
    return {};
  }

  EditPlan plan_;
  size_t number_ = 0;  // of the edit, from 1: what stands for its line in messages
};

// The JSON that begins at `begin`, with bare line ends and tabs in strings escaped; empty if its
// brackets never close. `end` becomes the offset behind it.
std::string json_text(std::string_view text, size_t begin, size_t& end) {
  std::string found;
  size_t depth = 0;
  bool quoted = false;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\' && i + 1 < text.size()) {
        found += c;
        found += text[++i];
        continue;
      }
      if (c == '\n' || c == '\t' || c == '\r') {
        found += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
        continue;
      }
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (--depth == 0) {
        end = i + 1;
        return found + c;
      }
    }
    found += c;
  }
  return "";
}

Result<EditPlan> decode_text(std::string_view text, const ParseOptions& options) {
  if (options.truncated) {
    return fail(Error::Code::invalid_input, "truncated: the reply was cut off; send it again");
  }
  Decoder decoder;
  bool found = false;
  for (size_t at = 0; at < text.size();) {
    const size_t first = text.find_first_not_of(" \t", at);
    if (first != text.npos && (text[first] == '[' || text[first] == '{')) {
      size_t end = first;
      const std::string one = json_text(text, first, end);
      if (one.empty()) {
        return fail(Error::Code::invalid_input,
                    "truncated: the JSON of the edit is not closed; send it again");
      }
      const json edits = json::parse(one, nullptr, false);
      if (edits.is_discarded()) return malformed("the edit is not valid JSON");
      if (auto done = decoder.add(edits, options.default_path); !done) {
        return std::unexpected(done.error());
      }
      found = true;
      at = end;
    }
    const size_t newline = text.find('\n', at);
    at = newline == text.npos ? text.size() : newline + 1;
  }
  if (!found) return malformed("there is no JSON with edits in the reply");
  return decoder.take();
}

}  // namespace

Result<EditPlan> plan_of_json(const json& edits, const std::string& default_path) {
  Decoder decoder;
  if (auto done = decoder.add(edits, default_path); !done) return std::unexpected(done.error());
  return decoder.take();
}

Result<EditPlan> parse_reply(std::string_view reply, const ParseOptions& options) {
  if (options.format == Format::str_replace || options.format == Format::line_edits) {
    return decode_text(reply, options);
  }
  return parse_edits(reply, options);
}

}  // namespace bodkin
