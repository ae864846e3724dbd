#include "agent/support/program.h"

#include <algorithm>
#include <mutex>

#include "agent/platform/paths.h"
#include "agent/platform/processes.h"
#include "agent/support/path_text.h"
#include "agent/support/real_path.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

constexpr std::string_view kBasicVariables[] = {"PATH",
                                                "HOME",
                                                "USER",
                                                "LOGNAME",
                                                "SHELL",
                                                "TERM",
                                                "TMPDIR",
                                                "TZ",
                                                "LANG",
                                                "LANGUAGE",
                                                "XDG_CACHE_HOME",
                                                "XDG_DATA_HOME",
                                                "XDG_STATE_HOME",
                                                "XDG_CONFIG_HOME",
                                                "XDG_CONFIG_DIRS",
                                                "XDG_DATA_DIRS",
                                                "LD_LIBRARY_PATH"};

// An empty or relative entry in these means whichever folder a program happens to run in.
constexpr std::string_view kFolderListVariables[] = {"LD_LIBRARY_PATH", "XDG_CONFIG_DIRS",
                                                     "XDG_DATA_DIRS"};
// The same goes for relative paths in these.
constexpr std::string_view kPlaceVariables[] = {
    "HOME",           "TMPDIR",          "XDG_CACHE_HOME",    "XDG_DATA_HOME",
    "XDG_STATE_HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"};

template <size_t N>
bool is_among(const std::string_view (&names)[N], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool is_basic(std::string_view name) {
  return name.starts_with("LC_") || is_among(kBasicVariables, name) ||
         std::ranges::find(os::kSystemVariables, name) != os::kSystemVariables.end();
}

std::vector<std::string> absolute_folders(std::string_view list) {
  std::vector<std::string> folders;
  for (const std::string_view folder : split(list, os::kListSeparator))
    if (os::means_one_place(folder)) folders.emplace_back(folder);
  return folders;
}

std::string_view name_of_variable(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

// "NAME=value" without the entries that are not absolute; empty if none remain.
std::string with_absolute_places(std::string_view entry) {
  const std::string_view name = name_of_variable(entry);
  if (name.size() == entry.size()) return std::string(entry);
  const std::string_view value = entry.substr(name.size() + 1);
  if (is_among(kPlaceVariables, name)) return std::string(os::means_one_place(value) ? entry : "");
  return is_among(kFolderListVariables, name) ? with_absolute_folders(entry) : std::string(entry);
}

class Folders {  // any thread
 public:
  void add(const std::string& folder) {
    if (os::root_of(folder) == folder) return;  // every program is below it
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(folders_, folder) == folders_.end()) folders_.push_back(folder);
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    return folders_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> folders_;
};

Folders& untrusted_folders() {
  static Folders folders;
  return folders;
}

bool lies_in_one_of(const std::string& path, const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders,
                             [&](const std::string& folder) { return lies_in(path, folder); });
}

std::vector<std::string> forbidden_folders(const std::vector<std::string>& never_from) {
  std::vector<std::string> forbidden = untrusted_folders().all();
  forbidden.insert(forbidden.end(), never_from.begin(), never_from.end());
  return forbidden;
}

}  // namespace

std::string with_absolute_folders(std::string_view entry) {
  const size_t value = entry.find('=') + 1;
  std::string result;
  for (const std::string& folder : absolute_folders(entry.substr(value)))
    result += (result.empty() ? std::string(entry.substr(0, value))
                              : std::string(1, os::kListSeparator)) +
              folder;
  return result;
}

void never_run_from(const std::string& folder) { untrusted_folders().add(folder); }

// Decides: which program a name means, and that it is never one of the workspace.
Result<std::string> find_program(const std::string& name,
                                 const std::vector<std::string>& never_from) {
  const std::vector<std::string> forbidden = forbidden_folders(never_from);
  const auto allowed = [&](const std::string& path) {
    return !lies_in_one_of(path, forbidden) &&
           !lies_in_one_of(path.substr(0, path.rfind('/') + 1), forbidden);
  };
  if (os::means_one_place(name)) {
    if (os::is_program(name) && allowed(name)) return name;
    return fail(Error::Code::unavailable, name + " is not an executable program.");
  }
  if (name.find('/') == std::string::npos && !name.empty()) {
    const char* path = os::getenv("PATH");
    for (const std::string& folder : absolute_folders(path ? path : os::kUsualPath)) {
      for (const std::string& file : os::program_files(name)) {
        std::string candidate = join_path(os::inner_form(folder), file);
        if (os::is_program(candidate) && allowed(candidate)) return candidate;
      }
    }
  }
  return fail(Error::Code::unavailable, "Program " + name + " not found on PATH.");
}

std::string search_path(const std::vector<std::string>& never_from) {
  const std::vector<std::string> forbidden = forbidden_folders(never_from);
  const char* const path = os::getenv("PATH");
  std::string result;
  for (const std::string& folder : absolute_folders(path ? path : os::kUsualPath))
    if (!lies_in_one_of(folder, forbidden))
      result += (result.empty() ? "" : std::string(1, os::kListSeparator)) + folder;
  return "PATH=" + (result.empty() ? std::string(os::kUsualPath) : result);
}

// Decides: which environment variables a program gets.
std::vector<std::string> environment_for(Variables kind, const std::vector<std::string>& also,
                                         const std::vector<std::string>& set) {
  std::vector<std::string> result;
  for (const std::string& each : os::environment()) {
    const std::string_view name = name_of_variable(each);
    const bool is_set = std::ranges::any_of(
        set, [&](const std::string& other) { return name_of_variable(other) == name; });
    const bool is_wanted =
        kind == Variables::all || is_basic(name) || std::ranges::find(also, name) != also.end();
    if (is_set || !is_wanted) continue;
    if (name == "PATH") {
      result.push_back(search_path());
      continue;
    }
    if (std::string entry = with_absolute_places(each); !entry.empty())
      result.push_back(std::move(entry));
  }
  result.insert(result.end(), set.begin(), set.end());
  return result;
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace bodkin
