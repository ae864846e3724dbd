#include "agent/sandbox/sandbox_environment.h"

#include <unistd.h>

#include <algorithm>
#include <initializer_list>

namespace bodkin {

namespace {

// Without the entries that mean whatever folder a program happens to run in.
std::string absolute_path(const std::string& variable) {
  std::string result = "PATH=";
  for (size_t begin = result.size(); begin < variable.size();) {
    const size_t end = std::min(variable.find(':', begin), variable.size());
    if (variable[begin] == '/')
      result += (result.ends_with('=') ? "" : ":") + variable.substr(begin, end - begin);
    begin = end + 1;
  }
  return result;
}

}  // namespace

std::vector<std::string> environment_of(const SandboxSettings& settings, const std::string& home,
                                        SandboxPlan::Isolation way) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    const std::string variable(*entry);
    const std::string name = variable.substr(0, variable.find('='));
    const bool passes =
        name.starts_with("LC_") ||
        std::ranges::any_of(std::initializer_list<const char*>{"PATH", "LANG", "LANGUAGE", "TERM",
                                                               "USER", "LOGNAME", "SHELL", "TZ"},
                            [&](const char* one) { return name == one; }) ||
        std::ranges::find(settings.environment, name) != settings.environment.end();
    if (!passes || name == "HOME" || name == "TMPDIR") continue;
    result.push_back(name == "PATH" ? absolute_path(variable) : variable);
  }
  if (!home.empty()) result.push_back("HOME=" + home);
  if (way != SandboxPlan::Isolation::open) result.emplace_back("TMPDIR=/tmp");
  return result;
}

}  // namespace bodkin
