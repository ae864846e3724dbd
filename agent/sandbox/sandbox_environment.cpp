#include "agent/sandbox/sandbox_environment.h"

#include <unistd.h>

#include <algorithm>
#include <initializer_list>

#include "agent/support/program.h"

namespace bodkin {

// Decides: which environment variables a command in the sandbox gets.
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
    const std::string kept = name == "PATH" ? with_absolute_folders(variable) : variable;
    if (!kept.empty()) result.push_back(kept);
  }
  if (!home.empty()) result.push_back("HOME=" + home);
  if (way != SandboxPlan::Isolation::open) result.emplace_back("TMPDIR=/tmp");
  return result;
}

}  // namespace bodkin
