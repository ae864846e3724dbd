#include "agent/workspace/file_rules.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "agent/support/encoding.h"
#include "agent/workspace/privacy.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

template <class Take>
void each_line(std::string_view text, const Take& take) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (const std::string_view line : split_lines(text)) take(trimmed(line));
}

std::mutex assumed_mutex;
std::string assumed;  // the encoding of files of which nothing is said

// False: it is the topmost one. `path`: relative to its folder.
bool read_editorconfig(std::string_view text, std::string_view path, FileRules& rules) {
  bool is_root = false, is_in_section = false, applies = false;
  each_line(text, [&](std::string_view line) {
    if (line.empty() || line.starts_with('#') || line.starts_with(';')) return;
    if (line.starts_with('[')) {
      is_in_section = true;
      applies = line.ends_with(']') && glob_matches(line.substr(1, line.size() - 2), path);
      return;
    }
    const size_t equals = line.find('=');
    if (equals == line.npos) return;
    const std::string key = lower_case(trimmed(line.substr(0, equals)));
    const std::string value = lower_case(trimmed(line.substr(equals + 1)));
    if (!is_in_section && key == "root") is_root = value == "true";
    if (!applies) return;
    const bool is_unset = value == "unset";
    if (key == "charset") rules.charset = is_unset ? "" : value;
    if (key == "end_of_line")
      rules.crlf = value == "crlf" || value == "lf" ? std::optional(value == "crlf") : std::nullopt;
    if (key == "insert_final_newline")
      rules.final_newline = is_unset ? std::nullopt : std::optional(value == "true");
  });
  return !is_root;
}

void read_gitattributes(std::string_view text, std::string_view path, FileRules& rules) {
  each_line(text, [&](std::string_view line) {
    const size_t end = line.find_first_of(" \t");
    if (line.starts_with('#') || end == line.npos || !glob_matches(line.substr(0, end), path))
      return;
    for (std::string_view rest = line.substr(end); !(rest = trimmed(rest)).empty();) {
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
      rest.remove_prefix(word.size());
      if (word == "eol=crlf") rules.crlf = true;
      if (word == "eol=lf") rules.crlf = false;
    }
  });
}

}  // namespace

FileRules rules_of(std::string_view path,
                   const std::function<std::optional<std::string>(const std::string&)>& read) {
  // From the innermost folder to the outermost.
  std::vector<size_t> folders;
  for (size_t end = path.rfind('/'); end != path.npos && end > 0; end = path.rfind('/', end - 1))
    folders.push_back(end + 1);
  folders.push_back(0);
  std::vector<std::pair<size_t, std::string>> configs, attributes;
  for (const size_t folder : folders) {
    auto text = read(std::string(path.substr(0, folder)) + ".editorconfig");
    FileRules unused;
    if (!text) continue;
    const bool goes_on = read_editorconfig(*text, path.substr(folder), unused);
    configs.emplace_back(folder, *std::move(text));
    if (!goes_on) break;
  }
  for (const size_t folder : folders)
    if (auto text = read(std::string(path.substr(0, folder)) + ".gitattributes"))
      attributes.emplace_back(folder, *std::move(text));
  FileRules rules;
  for (auto each = configs.rbegin(); each != configs.rend(); ++each)
    read_editorconfig(each->second, path.substr(each->first), rules);
  for (auto each = attributes.rbegin(); each != attributes.rend(); ++each)
    read_gitattributes(each->second, path.substr(each->first), rules);
  return rules;
}

void assume_encoding(std::string encoding) {
  encoding = lower_case(encoding);
  const std::lock_guard lock(assumed_mutex);
  assumed = std::move(encoding);
}

// Decides: which encoding a file has.
std::string encoding_of(std::string_view path, std::string_view bytes,
                        const std::function<std::optional<std::string>(const std::string&)>& read) {
  if (std::string utf_16 = utf_16_of(bytes); !utf_16.empty()) return utf_16;
  const bool has_nul = bytes.find('\0') != bytes.npos;
  if (!has_nul && !is_ascii(bytes) && is_utf8(bytes)) return "";
  std::string charset = rules_of(path, read).charset;
  if (charset.empty()) {
    const std::lock_guard lock(assumed_mutex);
    charset = assumed;
  }
  if (is_utf8_name(charset)) return "";
  return bytes.empty() || has_nul == is_utf_16_name(charset) ? charset : "";
}

}  // namespace bodkin
