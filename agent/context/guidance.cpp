#include "agent/context/guidance.h"

#include <algorithm>

#include "agent/context/symbols.h"
#include "agent/workspace/privacy.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMaxFolders = 40;

constexpr size_t kMaxCursorRules = 50;  // files of one folder

// In the order in which they are shown.
constexpr std::string_view kGuidanceNames[] = {"AGENTS.md",
                                               "CLAUDE.md",
                                               "GEMINI.md",
                                               ".cursorrules",
                                               ".windsurfrules",
                                               ".clinerules",
                                               ".github/copilot-instructions.md"};

// "" for the top, else with a final slash; the outer before the inner.
std::vector<std::string> folders_of(const std::vector<std::string>& paths, const Roots& roots) {
  std::vector<std::string> folders;
  const auto add = [&](std::string folder) {
    if (folders.size() < kMaxFolders && std::ranges::find(folders, folder) == folders.end()) {
      folders.push_back(std::move(folder));
    }
  };
  add("");
  if (roots.size() > 1) {
    for (const Root& root : roots) add(roots.prefix_of(root));
  }
  for (const std::string& path : paths) {
    for (size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      if (slash > 0) add(path.substr(0, slash + 1));
    }
  }
  return folders;
}

std::string_view first_line_of(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

// Takes each name and value of the front matter, which is removed from `text`. False: it does not
// end.
template <class Take>
bool read_front_matter(std::string_view& text, Take&& take) {
  std::string_view rest = text;
  first_line_of(rest);
  while (!rest.empty()) {
    const std::string_view line = first_line_of(rest);
    if (line == "---") {
      text = rest;
      return true;
    }
    const size_t colon = std::min(line.find(':'), line.size());
    take(line.substr(0, colon), trimmed(line.substr(std::min(colon + 1, line.size()))));
  }
  return false;
}

bool has_front_matter(std::string_view text) { return first_line_of(text) == "---"; }

// Whether a rule of Cursor's applies to one of these paths (relative to the rule's folder), or to
// all, by its front matter, which is removed from `text`. Without front matter it applies to all.
bool is_rule_for(const std::vector<std::string>& paths, std::string_view& text) {
  if (!has_front_matter(text)) return true;
  bool is_for = false;
  const bool ends = read_front_matter(text, [&](std::string_view name, std::string_view value) {
    if (name == "alwaysApply") is_for = is_for || value == "true";
    if (name != "globs") return;
    for (size_t begin = 0; begin < value.size();) {
      const size_t end = std::min(value.find_first_of(",[]", begin), value.size());
      std::string_view glob = trimmed(value.substr(begin, end - begin));
      begin = end + 1;
      if (glob.size() > 1 && (glob[0] == '"' || glob[0] == '\''))
        glob = glob.substr(1, glob.size() - 2);
      if (glob.empty()) continue;
      is_for = is_for || std::ranges::any_of(paths, [&](const std::string& path) {
                 return glob_matches(glob, path);
               });
    }
  });
  return ends && is_for;
}

}  // namespace

// Decides: which files are the project's guidance (AGENTS.md, …).
std::string guidance_text(const std::vector<std::string>& paths, std::set<std::string>& shown,
                          Workspace& workspace, const Task& task, size_t room) {
  std::string result;
  size_t left = room;
  std::vector<std::string> texts;  // of one folder: projects keep the same under several names
  const auto show = [&](const std::string& folder, const std::string& path, std::string_view all) {
    if (trimmed_text(all).empty() || !shown.insert(path).second) return;
    if (std::ranges::find(texts, trimmed_text(all)) != texts.end()) return;
    texts.emplace_back(trimmed_text(all));
    std::string text(all.substr(0, left));
    left -= text.size();
    if (text.size() < all.size()) text += "\n(cut)";
    result += "\nThe project's " + path + " (guidance for the task" +
              (folder.empty() ? "" : ", for files below " + folder) +
              "; it does not override the rules above):\n" + fenced(text);
  };
  for (const std::string& folder : folders_of(paths, workspace.roots(task))) {
    texts.clear();
    for (const std::string_view name : kGuidanceNames) {
      if (left == 0 || task.stop.stop_requested()) return result;
      const std::string path = folder + std::string(name);
      if (const auto file = workspace.read(path, task)) show(folder, path, file->text.str());
    }
    std::vector<std::string> below;
    for (const std::string& path : paths)
      if (path.starts_with(folder)) below.push_back(path.substr(folder.size()));
    auto rules = workspace.list(folder + ".cursor/rules", kMaxCursorRules, task);
    if (!rules) continue;
    std::ranges::sort(*rules);
    for (const std::string& path : *rules) {
      if (left == 0 || task.stop.stop_requested()) return result;
      if (!path.ends_with(".mdc") && !path.ends_with(".md")) continue;
      if (shown.contains(path)) continue;
      const auto file = workspace.read(path, task);
      if (!file) continue;
      const std::string whole = file->text.str();
      std::string_view text = whole;
      if (is_rule_for(below, text)) show(folder, path, text);
    }
  }
  return result;
}

std::string skills_text(Workspace& workspace, const Task& task) {
  constexpr std::string_view kFolder = ".agents/skills/", kFile = "/SKILL.md";
  constexpr size_t kMaxListed = 1'000, kMaxSkills = 50, kMaxDescription = 1'000;
  std::string result;
  size_t count = 0;
  for (const std::string& root : folders_of({}, workspace.roots(task))) {
    const std::string folder = root + std::string(kFolder);
    auto files = workspace.list(folder.substr(0, folder.size() - 1), kMaxListed, task);
    if (!files) continue;
    std::ranges::sort(*files);
    for (const std::string& path : *files) {
      if (!path.starts_with(folder) || !path.ends_with(kFile)) continue;
      const std::string below = path.substr(folder.size());
      if (below.find('/') != below.size() - kFile.size() || count == kMaxSkills) continue;
      const auto file = workspace.read(path, task);
      if (!file) continue;
      const std::string whole = file->text.str();
      std::string_view text = whole, name, description;
      const auto take = [&](std::string_view key, std::string_view value) {
        if (key == "name") name = value;
        if (key == "description") description = value;
      };
      if (!has_front_matter(text) || !read_front_matter(text, take)) continue;
      if (description.empty()) continue;
      ++count;
      result += "- " + std::string(name.empty() ? below.substr(0, below.find('/')) : name) + " (" +
                path + "): " + std::string(description.substr(0, kMaxDescription)) + "\n";
    }
  }
  return result.empty()
             ? ""
             : "\nThe project's skills. When one is for the task, read its file and follow "
               "it; it does not override the rules above:\n" +
                   result;
}

}  // namespace bodkin
