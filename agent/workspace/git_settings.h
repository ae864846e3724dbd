// git's configuration, read as git reads it, but as text: git itself could run something.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct GitSetting {
  std::string section;  // small letters, without the part in quotes: "filter"
  std::string key;      // small letters: "clean"
  std::string value;    // without quotes, escapes, comments and continued lines
};

// Text that git would refuse is read as far as it has a meaning.
std::vector<GitSetting> git_settings(std::string_view text);

// The paths that a shell could take from a command line, from "sh -c 'cd x && ./run <y'": "run" and
// "x/run", too. Without what is only a word, unless there are several.
std::vector<std::string> paths_in_command(const std::string& command);

}  // namespace bodkin
