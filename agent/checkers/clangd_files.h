// The files that clangd reads besides a compilation database: compile_flags.txt and .clangd of a
// folder and those above it, compilation databases of folders within the project, and the user's
// configuration.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/checkers/dependents.h"

namespace bodkin {

struct ClangdFile {
  std::string path;    // relative to the root, or absolute
  std::string folder;  // of the sources that it is about, relative to the root; empty: all of them
  std::string text;
};

// `read`: the text of a file, relative to the root or absolute.
std::vector<ClangdFile> clangd_files(
    const std::string& root, const SourceFiles& files,
    const std::function<std::optional<std::string>(const std::string&)>& read);

// Whether it may include a file of one of these names in front of a source (-include). Pure.
bool may_force(const ClangdFile& file, const std::set<std::string>& names);

// Whether it tells clangd not to report errors. Pure.
bool hides_errors(const std::vector<ClangdFile>& files, const ClangdFile& file);

}  // namespace bodkin
