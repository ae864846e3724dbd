// Paths as texts, the environment, and the user's folders. Inside bodkin a path is UTF-8 with "/"
// between its parts; an absolute one begins with "/", on Windows with a drive in upper case
// ("C:/a/b") or a server ("//server/share/a"). Where one comes from the system, the environment, a
// person or a model it is brought into that form once; where a program or a person gets it, "/" is
// understood on Windows, too. Thread: any.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin::os {

bool is_absolute(std::string_view path);

// The part of an absolute path that has no folder above it: "/", on Windows "C:/" or
// "//server/share/". Empty: it is not absolute.
std::string_view root_of(std::string_view path);

// A path as somebody wrote it. POSIX: the same. Windows: with "/", an upper-case drive, and without
// "\\?\"; "/c:/a" (of a URI) and "/c/a" (of Git's shell) stay as they are.
std::string inner_form(std::string_view written);

// The text of a path.
std::string text_of(const std::filesystem::path& path);

// Why the system would take no file for this path, relative or absolute, but something else, or a
// file of another name: "is a reserved name on Windows". Empty: it may be used; always on POSIX.
std::string_view refused_as(std::string_view path);

// Between the folders of PATH.
extern const char kListSeparator;

// As std::getenv(), in UTF-8; paths among the values are in the inner form where the name is HOME
// or TMPDIR, which on Windows stand for USERPROFILE and TEMP. Valid until the process ends.
const char* getenv(const char* name);
// "NAME=value" each.
std::vector<std::string> environment();

// The folder for temporary files; empty: none.
std::string temporary_folder();

// This program's own file; empty: unknown.
std::string own_program();

}  // namespace bodkin::os
