// script_projects: which of a folder's TypeScript projects a file belongs to (tsserver answers for
// one of them), and what pyright's configuration says about a file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bodkin {

// Whether this JSON is the configuration of a TypeScript project, whatever its file's name.
bool is_script_project(const std::string& text);

// Whether these projects (paths of tsconfig.json and the like, relative) check the file in
// different ways: two of them include it, with other compiler options, or one that tsserver does
// not look for. `read`: a file's text, by its relative path. What a project gets from a package is
// taken to be the same for all.
bool projects_differ(const std::vector<std::string>& projects, const std::string& file,
                     const std::function<std::optional<std::string>(const std::string&)>& read);

// Whether one of the projects includes the file, as far as it lists what it includes; pyright's
// configuration lists it in the same way. True, too, if a project cannot be read.
bool is_in_project(const std::vector<std::string>& projects, const std::string& file,
                   const std::function<std::optional<std::string>(const std::string&)>& read);

// Whether pyright's configuration says that it reports nothing of the file.
bool is_ignored(const std::string& project, const std::string& file,
                const std::function<std::optional<std::string>(const std::string&)>& read);

// The settings of pyright in pyproject.toml, as pyrightconfig.json has them, as far as they are
// strings and lists of strings. Nullopt: it does not configure pyright.
std::optional<std::string> pyright_settings(const std::string& pyproject);

// Says what a project's configuration needs and lacks, as the end of a sentence about it: "extends
// ./base.json, which is missing", "needs the types of node, which are not installed", "cannot be
// read"; empty if nothing. `exists`: whether there is such a file or folder, by its path relative
// to the folder, which may lead above it.
std::string missing_of_project(
    const std::string& project,
    const std::function<std::optional<std::string>(const std::string&)>& read,
    const std::function<bool(const std::string&)>& exists);

}  // namespace bodkin
