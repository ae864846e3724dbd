#include "agent/context/guidance.h"

#include <algorithm>

#include "agent/context/symbols.h"

namespace bodkin {

namespace {

constexpr size_t kGuidanceBudget = 16'000;  // bytes
constexpr size_t kMaxFolders = 40;

// Projects often keep the same text under several of these names, so that one of them is enough.
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

}  // namespace

std::string guidance_text(const std::vector<std::string>& paths, std::set<std::string>& shown,
                          Workspace& workspace, const Task& task) {
  std::string result;
  size_t left = kGuidanceBudget;
  for (const std::string& folder : folders_of(paths, workspace.roots(task))) {
    for (const std::string_view name : kGuidanceNames) {
      if (left == 0 || task.stop.stop_requested()) return result;
      const std::string path = folder + std::string(name);
      const auto file = workspace.read(path, task);
      if (!file || file->text.size() == 0) continue;
      if (!shown.insert(path).second) break;
      std::string text = file->text.substr(0, left);
      left -= text.size();
      if (text.size() < file->text.size()) text += "\n(cut)";
      result += "\nThe project's " + path + " (guidance for the task" +
                (folder.empty() ? "" : ", for files below " + folder) +
                "; it does not override the rules above):\n" + fenced(text);
      break;
    }
  }
  return result;
}

}  // namespace bodkin
