#include "agent/replies/written_edit.h"

#include <algorithm>
#include <initializer_list>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMaxRead = 256 << 10;  // bytes of a reply
constexpr size_t kMaxShown = 200;       // lines
constexpr size_t kMaxOld = 16 << 10;    // bytes; what replaces more is not drawn
constexpr std::string_view kMarkup = " \t\r\n*`#:";

// The path in the last line before this that has one.
std::string path_before(std::string_view text) {
  for (int lines = 0; lines < 4 && !text.empty(); ++lines) {
    const size_t end = text.ends_with('\n') ? text.size() - 1 : text.size();
    const size_t break_before = text.substr(0, end).rfind('\n');
    const size_t begin = break_before == text.npos ? 0 : break_before + 1;
    const std::string_view line = text.substr(begin, end - begin);
    const size_t from = line.find_first_not_of(kMarkup);
    if (from != line.npos && !line.starts_with("```")) {
      const std::string_view path = line.substr(from, line.find_last_not_of(kMarkup) + 1 - from);
      return path.contains(' ') ? "" : std::string(path);
    }
    text = text.substr(0, begin);
  }
  return "";
}

WrittenEdit edit_in_block(std::string_view text, size_t marker) {
  WrittenEdit edit{.path = path_before(text.substr(0, marker))};
  std::string* part = &edit.old_text;
  for (size_t at = text.find('\n', marker); at != text.npos;) {
    const size_t begin = at + 1;
    at = text.find('\n', begin);
    if (at == text.npos) break;
    const std::string_view line = text.substr(begin, at - begin);
    if (line.starts_with(">>>>>")) break;
    if (line.starts_with("=====") && part == &edit.old_text) {
      part = &edit.new_text;
    } else {
      part->append(line) += '\n';
    }
  }
  return edit;
}

// The last hunk of the patch's last file.
WrittenEdit edit_in_patch(std::string_view text) {
  WrittenEdit edit;
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    const std::string_view line = text.substr(begin, end - begin);
    for (const std::string_view head : {"*** Update File: ", "*** Add File: "})
      if (line.starts_with(head)) edit = {.path = std::string(line.substr(head.size()))};
    if (line.starts_with("@@")) edit.old_text.clear(), edit.new_text.clear();
    if (line.starts_with('-') || line.starts_with(' '))
      edit.old_text.append(line.substr(1)) += '\n';
    if (line.starts_with('+') || line.starts_with(' '))
      edit.new_text.append(line.substr(1)) += '\n';
  }
  return edit;
}

// A JSON string from behind its quotation mark; `at` is then behind its end, or the end of the
// text.
std::string read_string(std::string_view json, size_t& at) {
  std::string text;
  for (; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] != '\\') {
      text += json[at];
      continue;
    }
    if (++at == json.size()) return text;
    const char escaped = json[at];
    if (escaped == 'n')
      text += '\n';
    else if (escaped == 't')
      text += '\t';
    else if (escaped == 'u')
      at += 4, text += '?';
    else if (escaped != 'r')
      text += escaped;
  }
  at = std::min(at + 1, json.size());
  return text;
}

WrittenEdit edit_in_call(std::string_view json) {
  WrittenEdit edit;
  std::string key;
  for (size_t at = 0; at < json.size();) {
    if (json[at++] != '"') continue;
    const size_t begin = at;
    std::string text = read_string(json, at);
    const bool is_whole = at > begin && json[at - 1] == '"';
    const size_t next = json.find_first_not_of(" \t\r\n", at);
    if (next != json.npos && json[next] == ':') {
      key = std::move(text);
    } else if (is_one_of(key, {"path", "file_path", "filePath", "target_file", "filename"})) {
      if (is_whole) edit.path = std::move(text);
    } else if (key.starts_with("old") || key == "search") {
      edit.old_text = std::move(text);
      edit.new_text.clear();
    } else if (is_one_of(key, {"patch", "input", "patchText"}) &&
               text.contains("*** Begin Patch")) {
      edit = edit_in_patch(text);
    } else if (key.starts_with("new") || is_one_of(key, {"replace", "content", "file_text"})) {
      edit.new_text = std::move(text);
    }
  }
  // Its last line has not ended, unless the text has.
  if (!json.ends_with('}'))
    edit.new_text.resize(
        edit.new_text.rfind('\n') == std::string::npos ? 0 : edit.new_text.rfind('\n') + 1);
  return edit;
}

}  // namespace

std::optional<WrittenEdit> WrittenEdits::told(std::string_view reply, bool is_call) {
  // Each time all of it is read, so a long reply only when it has grown by some part.
  if (reply.size() > kMaxRead || reply.size() < seen_ + seen_ / 50) return std::nullopt;
  const size_t from = seen_ > 0 ? seen_ - 1 : 0;
  const bool has_line = reply.find(is_call ? "\\n" : "\n", from) != reply.npos ||
                        (is_call && reply.find('"', from) != reply.npos);  // the path comes late
  if (!has_line) return std::nullopt;
  seen_ = reply.size();
  WrittenEdit edit;
  if (is_call) {
    edit = edit_in_call(reply);
  } else {
    const size_t block = reply.rfind("<<<<< SEARCH"), patch = reply.rfind("*** Begin Patch");
    if (block == reply.npos && patch == reply.npos) return std::nullopt;
    const bool is_patch = patch != reply.npos && (block == reply.npos || patch > block);
    const size_t begin = is_patch ? patch : reply.rfind('\n', block) + 1;
    if (begin != begun_) begun_ = begin, lines_ = 0;
    edit = is_patch ? edit_in_patch(reply.substr(patch)) : edit_in_block(reply, begin);
  }
  edit.lines = static_cast<size_t>(std::ranges::count(edit.new_text, '\n'));
  if (edit.lines < lines_) lines_ = 0;  // another edit of the call
  if (edit.old_text.size() > kMaxOld || edit.lines == 0 || edit.path.empty() ||
      edit.lines <= lines_ + lines_ / 50)
    return std::nullopt;
  lines_ = edit.lines;
  size_t end = 0;
  for (size_t i = 0; i < std::min(edit.lines, kMaxShown); ++i)
    end = edit.new_text.find('\n', end) + 1;
  edit.new_text.resize(end);
  return edit;
}

}  // namespace bodkin
