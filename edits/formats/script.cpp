#include "edits/formats/script.h"

namespace bodkin {

namespace {

// "ed -s src/a.c <<'EOF'": the path, and the word that ends the script.
bool read_heredoc(std::string_view line, std::string& path, std::string& word) {
  std::string_view s = trimmed(line);
  if (s.starts_with("$ ")) s = trimmed(s.substr(2));
  if (!s.starts_with("ed ")) return false;
  const size_t arrows = s.find("<<");
  if (arrows == s.npos) return false;
  std::string_view name = trimmed(s.substr(3, arrows - 3));
  while (name.starts_with('-')) name = trimmed(name.substr(std::min(name.find(' '), name.size())));
  s = trimmed(s.substr(arrows + 2));
  if (s.starts_with('-')) s = trimmed(s.substr(1));
  path = cleaned_path(name);
  word = cleaned_path(s.substr(0, s.find(' ')));
  return !path.empty() && path.find(' ') == path.npos && !word.empty();
}

// True if a fence with this info string holds a script in the format.
bool names_format(std::string_view info, std::string_view name) {
  const std::string_view word = info.substr(0, info.find_first_of(" :"));
  return word == name || word == "diff" || word == "patch";
}

// Possible scripts in the format `name`, in order; those without a path are omitted unless the
// options name the format.
std::vector<Script> scripts_in(const ReplyLines& reply, const ParseOptions& options,
                               std::string_view name) {
  const bool named = options.format != Format::automatic;
  std::vector<Script> scripts;
  bool fences = false;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    Script script;
    std::string word;
    const auto info = fence_info(reply.lines[i]);
    const bool heredoc = !info && name == "ed" && read_heredoc(reply.lines[i], script.path, word);
    if (!info && !heredoc) continue;
    script.begin = i;
    if (info) {
      script.path = path_above(reply, i + 1, script.begin);
      script.begin = std::min(script.begin, i);
      script.certain = named || info->substr(0, info->find_first_of(" :")) == name;
    } else {
      script.certain = true;
    }
    script.first = script.last = i + 1;
    const auto closes = [&](std::string_view line) {
      return heredoc ? trimmed(line) == word : closes_fence(reply.lines[i], line);
    };
    while (script.last < reply.size() && !closes(reply.lines[script.last])) ++script.last;
    script.open = script.last == reply.size();
    script.end = script.open ? script.last : script.last + 1;
    // A script in a shell's fence: the fence goes with it.
    if (info && script.first < script.last &&
        read_heredoc(reply.lines[script.first], script.path, word) && name == "ed") {
      continue;
    }
    if (heredoc && i > 0 && !reply.taken[i - 1] && fence_info(reply.lines[i - 1])) {
      --script.begin;
      if (script.end < reply.size() && fence_info(reply.lines[script.end])) ++script.end;
    }
    fences = true;
    if (script.path.empty() && named) script.path = options.default_path;
    if ((named || heredoc || names_format(*info, name)) && !script.path.empty())
      scripts.push_back(script);
    i = script.end - 1;
  }
  if (fences || reply.size() == 0) return scripts;
  // The whole reply.
  Script script;
  script.last = script.end = reply.size();
  script.path = path_in_line(reply.lines[0]);
  if (!script.path.empty()) script.first = 1;
  while (script.first < script.last && trimmed(reply.lines[script.first]).empty()) ++script.first;
  if (script.path.empty()) script.path = options.default_path;
  script.certain = named;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) return scripts;
  }
  if (named || !script.path.empty()) scripts.push_back(script);
  return scripts;
}

}  // namespace

FailureOr<void> parse_scripts(ReplyLines& reply, const ParseOptions& options, std::string_view name,
                              ReadScript* read, EditPlan& plan) {
  for (const Script& script : scripts_in(reply, options, name)) {
    auto hunks = read(reply, script);
    if (!hunks && !script.certain) continue;
    if (!hunks) return std::unexpected(hunks.error());
    if (hunks->empty()) continue;
    FileChange& change = update_of(plan, script.path, script.begin + 1);
    for (Hunk& hunk : *hunks) {
      hunk.computed = true;
      change.hunks.push_back(std::move(hunk));
    }
    reply.take(script.begin, script.end);
  }
  return {};
}

Hunk hunk_at_lines(size_t begin, size_t end, const std::vector<std::string>& added) {
  Hunk hunk;
  hunk.at_lines = LineRange{begin, end};
  for (const std::string& line : added) hunk.lines.push_back({HunkLine::Kind::added, line});
  return hunk;
}

}  // namespace bodkin
