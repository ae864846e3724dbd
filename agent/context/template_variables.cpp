// The variables of a profile's parts, about the machine and the project; and an ask's title.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "agent/context/prompt.h"
#include "agent/context/symbols.h"
#include "agent/platform/processes.h"
#include "agent/workspace/secrets.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr size_t kMapBudget = 4'000;  // bytes, about 1,000 tokens
constexpr size_t kLeastMap = 200;     // bytes; less says nothing
constexpr size_t kMaxTitle = 60;      // bytes

}  // namespace

std::string words_of(const Roots& roots) {
  std::string result;
  for (const Root& root : roots) {
    if (!result.empty()) result += ", ";
    result += root.folder;
    if (roots.size() > 1) result += fmt::format(" (paths begin with {}/)", root.name);
  }
  return result.empty() ? "(none)" : result;
}

// Decides: what a template's variable stands for.
TemplateVariables template_variables(const Ask& ask, std::string guidance, Workspace& workspace,
                                     Shown shown, const std::string& model_name, size_t room,
                                     const Task& task) {
  TemplateVariables variables;
  variables["model_name"] = model_name;
  const Roots roots = workspace.roots(task);
  variables["folder"] = words_of(roots);
  std::error_code ignored;
  const bool has_git = std::ranges::any_of(roots, [&](const Root& root) {
    return std::filesystem::exists(std::filesystem::path(root.folder) / ".git", ignored);
  });
  variables["git"] = has_git ? "a git repository" : "not a git repository";
  os::SystemName system = os::system_name();
  variables["platform"] = variables["system"] =
      system.name.empty() ? "unknown platform" : system.name;
  variables["release"] = std::move(system.release);
  variables["version"] = std::move(system.version);
  variables["machine"] = std::move(system.machine);
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char date[16] = "";
  std::strftime(date, sizeof date, "%Y-%m-%d", &local);
  variables["date"] = date;
  variables["guidance"] = std::move(guidance);
  const size_t budget = std::min(kMapBudget, room);
  const std::string map = shown == Shown::related && budget >= kLeastMap
                              ? repository_map(workspace, paths_of(ask), budget, task)
                              : std::string();
  if (!map.empty()) {
    variables["map"] =
        "\nThe most used declarations of the workspace's other files (a map, not complete):\n" +
        fenced(map);
  }
  return variables;
}

std::string title_of(const Ask& ask) {
  const std::string& words = ask.title.empty() ? ask.prompt : ask.title;
  std::string title = hide_secrets(words);  // before it is cut
  title.resize(std::min(title.find('\n'), title.size()));
  if (title.empty() && !ask.diagnostics.empty()) {
    const size_t count = ask.diagnostics.size();
    title = fmt::format("Fix {}“{}", count == 1 ? "" : fmt::format("{} problems: ", count),
                        hide_secrets(ask.diagnostics[0].message));
    title = title.substr(0, title.find('\n')) + (count == 1 ? "”" : "”, …");
  }
  return title.empty() ? "Proposal" : titled_to(title, kMaxTitle);
}

}  // namespace bodkin
