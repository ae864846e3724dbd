// Paths as texts, the environment, and the user's folders. Inside bodkin a path is UTF-8 with "/"
// between its parts; an absolute one begins with "/", on Windows with a drive in upper case
// ("C:/a/b") or a server ("//server/share/a"). Where one comes from the system, the environment, a
// person or a model it is brought into that form once; where a program or a person gets it, "/" is
// understood on Windows, too. Thread: any.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Also text_of(), the text of a path; and the functions of std::filesystem that know links.
#include "agent/platform/system/paths.h"

namespace bodkin::os {

// On Windows "/a" is absolute, too, as models and tools from elsewhere write it; it is on the drive
// of the working folder.
bool is_absolute(std::string_view path);
// Whether it is absolute and means the same in every working folder.
bool means_one_place(std::string_view path);

// The part of an absolute path that has no folder above it: "/", on Windows "C:/" or
// "//server/share/". Empty: it is not absolute.
std::string_view root_of(std::string_view path);

// A path as somebody wrote it. POSIX: the same. Windows: with "/", an upper-case drive, and without
// "\\?\"; "/c:/a" (of a URI) and "/c/a" (of Git's shell) stay as they are.
std::string inner_form(std::string_view written);

// The path that a file: URI names, of its host (empty: this machine) and its decoded path; nothing:
// it is on another machine. And what follows "file:" for an absolute path, not encoded:
// "///a/b", "///c:/a/b", "//server/share/a".
std::optional<std::string> path_in_uri(std::string_view host, std::string_view path);
std::string host_and_path_for_uri(std::string_view path);

// Why the system would take no file for this path, relative or absolute, but something else, or a
// file of another name: "is a reserved name on Windows". Empty: it may be used; always on POSIX.
std::string_view refused_as(std::string_view path);

// The separator of folders in PATH, and the folders if there is no PATH.
extern const char kListSeparator;
extern const std::string_view kUsualPath;
// Variables without which programs do not run on this system.
extern const std::span<const std::string_view> kSystemVariables;

// Like std::getenv(), in UTF-8; paths among the values are in the inner form if the name is HOME or
// TMPDIR, which on Windows mean USERPROFILE and TEMP. Valid until the process ends.
const char* getenv(const char* name);
// "NAME=value" each.
std::vector<std::string> environment();

// The folder for temporary files; empty: none.
std::string temporary_folder();

// This program's own file; empty: unknown.
std::string own_program();

}  // namespace bodkin::os
