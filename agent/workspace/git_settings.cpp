#include "agent/workspace/git_settings.h"

#include <algorithm>
#include <cctype>

#include "agent/support/path_text.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

class GitText {
 public:
  explicit GitText(std::string_view text) : text_(text) {}

  std::vector<GitSetting> read() {
    std::vector<GitSetting> settings;
    std::string section;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (std::isspace(static_cast<unsigned char>(c))) {
        ++at_;
      } else if (c == '#' || c == ';') {
        at_ = line_end();
      } else if (c == '[') {
        section = header();
      } else {
        const size_t begin = at_;
        at_ = std::min(text_.find_first_of("=\n#;", at_), text_.size());
        const std::string key = lower_case(trimmed(text_.substr(begin, at_ - begin)));
        if (at_ == text_.size() || text_[at_] != '=') continue;
        ++at_;
        settings.push_back({section, key, value()});
      }
    }
    return settings;
  }

 private:
  size_t line_end() const { return std::min(text_.find('\n', at_), text_.size()); }

  // "[name "part"]" or "[name]", which settings may follow in the same line.
  std::string header() {
    const size_t begin = ++at_;
    bool is_quoted = false;
    for (; at_ < text_.size() && text_[at_] != '\n' && (is_quoted || text_[at_] != ']'); ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
      } else if (text_[at_] == '"') {
        is_quoted = !is_quoted;
      }
    }
    const std::string_view inside = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) ++at_;
    return lower_case(inside.substr(0, inside.find_first_of(" \t.\"")));
  }

  std::string value() {
    std::string value;
    size_t kept = 0;  // bytes that are not white space at the end
    bool is_quoted = false;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      if (!is_quoted && (c == '#' || c == ';')) {
        at_ = line_end();
        break;
      }
      if (c == '"') {
        is_quoted = !is_quoted;
        kept = value.size();
      } else if (c == '\\' && at_ + 1 < text_.size()) {
        if (text_.substr(at_ + 1, 2) == "\r\n") ++at_;
        const char next = text_[++at_];
        if (next != '\n') {
          value += next == 'n' ? '\n' : next == 't' ? '\t' : next == 'b' ? '\b' : next;
          kept = value.size();
        }
      } else if (is_quoted || !std::isspace(static_cast<unsigned char>(c))) {
        value += c;
        kept = value.size();
      } else if (!value.empty()) {
        value += c;
      }
    }
    value.resize(kept);
    return value;
  }

  const std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<GitSetting> git_settings(std::string_view text) { return GitText(text).read(); }

std::vector<std::string> paths_in_command(const std::string& command) {
  std::vector<std::string> paths, folders;
  const auto add = [&](const std::string& path) {
    paths.push_back(path);
    // "$(git rev-parse --show-toplevel)/x": the part before it may be the folder.
    const size_t first = std::min(path.find_first_not_of('/'), path.size());
    if (first > 0 && first < path.size()) paths.push_back(path.substr(first));
    for (const std::string& folder : folders) paths.push_back(join_path(folder, path));
  };
  constexpr size_t kMaxFolders = 8;
  // Names may have spaces where they are quoted.
  for (const std::string_view between : {"'\"", " \t\n'\"|&;()!$=,`<>\\{}"}) {
    std::string last;
    for (size_t begin = 0; (begin = command.find_first_not_of(between, begin)) != command.npos;) {
      const size_t stop = std::min(command.find_first_of(between, begin), command.size());
      const std::string word = command.substr(begin, stop - begin);
      const bool is_whole = word.size() == command.size();
      if (!is_whole || word.find_first_of("./") != word.npos) add(word);
      if ((last == "cd" || last == "pushd" || last == "-C") && folders.size() < kMaxFolders)
        folders.push_back(folders.empty() ? word : join_path(folders.back(), word));
      last = word;
      begin = stop;
    }
  }
  return paths;
}

}  // namespace bodkin
