#include "agent/placing/new_files.h"

#include <algorithm>
#include <string>
#include <vector>

#include "agent/workspace/file_rules.h"

namespace bodkin {

namespace {

constexpr size_t kMaxNeighbours = 8;

std::string_view folder_of(std::string_view path) {
  return path.substr(0, path.find_last_of('/') + 1);  // npos + 1 is 0
}

// ".py"; the whole name if it has no extension.
std::string_view kind_in(std::string_view path) {
  const std::string_view name = path.substr(folder_of(path).size());
  const size_t dot = name.rfind('.');
  return dot == name.npos || dot == 0 ? name : name.substr(dot);
}

std::vector<std::string> neighbours_of(std::string_view path, const Files& files) {
  std::vector<std::string> beside, elsewhere;
  for (std::string& other : files.paths()) {
    if (other == path || kind_in(other) != kind_in(path)) continue;
    (folder_of(other) == folder_of(path) ? beside : elsewhere).push_back(std::move(other));
  }
  std::vector<std::string>& chosen = beside.empty() ? elsewhere : beside;
  std::ranges::sort(chosen);
  if (chosen.size() > kMaxNeighbours) chosen.resize(kMaxNeighbours);
  return chosen;
}

// Takes the rules in which all neighbours agree.
void ask_neighbours(FileRules& rules, std::string_view path, const Files& files) {
  size_t seen = 0, with_crlf = 0, with_end = 0;
  for (const std::string& other : neighbours_of(path, files)) {
    const auto text = files.read(other);
    if (!text || text->line_count() < 2) continue;
    const std::string bytes = text->str();
    ++seen;
    const size_t lines = std::ranges::count(bytes, '\n');
    size_t returns = 0;
    for (size_t at = bytes.find("\r\n"); at != bytes.npos; at = bytes.find("\r\n", at + 2))
      ++returns;
    with_crlf += lines > 0 && returns == lines;
    with_end += bytes.ends_with('\n');
  }
  if (seen == 0) return;
  if (!rules.crlf) rules.crlf = with_crlf == seen;
  if (!rules.final_newline) rules.final_newline = with_end == seen;
}

std::string with_returns(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

}  // namespace

void fit_new_files(ApplyReport& report, const Files& files) {
  for (ChangedFile& file : report.files) {
    if (file.before || !file.after || file.after->size() == 0) continue;
    std::string text = file.after->str();
    if (text.find('\0') != text.npos) continue;
    FileRules rules = rules_of(file.path, [&](const std::string& path) {
      const auto found = files.read(path);
      return found ? std::optional(found->str()) : std::nullopt;
    });
    if (!rules.crlf || !rules.final_newline) ask_neighbours(rules, file.path, files);
    if (rules.final_newline.value_or(false) && !text.ends_with('\n')) text += '\n';
    if (rules.crlf.value_or(false) && text.find('\r') == text.npos) text = with_returns(text);
    if (text != file.after->str()) file.after = Text(std::move(text));
  }
}

}  // namespace bodkin
