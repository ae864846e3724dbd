// The file that a model's path means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "edits/plan/report.h"

namespace bodkin {

// What follows the last '/' of a path, and what precedes it ("" without one). Views into it.
constexpr std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}
constexpr std::string_view folder_part(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

// The path without quotes, markers and empty parts ("./", "//"), with '/'.
std::string plain_path(std::string_view written);

// The path's last part, the same for names that differ only in case or in their Unicode form.
std::string name_key(std::string_view path);

// Why no edit may name this (plain) path: absolute, out of the workspace, inside .git, or with
// characters that hide what it is.
std::optional<std::string> forbidden(std::string_view path);

// True if this part of a path is ".git" to any file system. Case is ignored, so are the dots and
// blanks at the end that Windows drops; "git~1" is its short name there, and ':' introduces an
// alternate data stream.
bool is_git_name(std::string_view part);

// True if nothing is seen of this character (of Unicode), or it acts on those around it: controls,
// format characters, separators of lines, ignorable characters (but for U+FE0F, which makes an
// emoji), noncharacters, and the blank of Braille.
bool is_hidden_character(uint32_t code);

// True if every character of a name is visible and unambiguous. Not allowed: control characters,
// line ends, those that turn the direction of text or have no width, and bytes that are not UTF-8.
bool is_printable(std::string_view name);

// The name with unprintable characters as "\u{202E}" or "\xFF".
std::string printable(std::string_view name);

// True if the path's last part looks like a file's name: with an extension, or known without one.
bool names_file(std::string_view path);

struct TargetFile {
  std::string path;
  std::optional<Text> text;      // nothing: it is not certain which file is meant
  bool is_guess = false;         // its path differs from the written one
  std::string why_outside = {};  // no file of the workspace can be meant; or empty
};

// A path means the file with exactly that path. If there is none: without "a/" or "b/", or what
// models put around a name ("@src/b.py", "[src/b.py]"); then, if `guess`, the only file whose path
// has more or fewer leading folders, or differs in case. A guess must be confirmed by the file's
// text, so operations that remove a file without quoting it must not guess. What is outside of the
// workspace (Files::inside) is never taken for a file that only ends like it.
TargetFile target_file(const Files& files, const std::string& written, bool guess);

// True if the written path means an existing file.
bool is_file(const Files& files, std::string_view written);

// True if there is a file with exactly this name, which may include quotes or brackets around it.
bool is_exact_name(const Files& files, std::string_view written);

// The files whose path has more or fewer leading folders than this (plain) one, without those that
// lie in a hidden folder or one of copies (dist, target, vendor, …) that the path does not name; if
// there are none, those that differ from it in case.
std::vector<std::string> similar_paths(const Files& files, const std::string& path);

// The file whose path equals this (plain) one except for case: many file systems treat the two as
// the same.
std::optional<std::string> path_differing_in_case(const Files& files, const std::string& path);

// An absolute path that ends in a file's path, and begins in a folder where users keep their work
// (/home, …).
bool points_into_workspace(std::string_view written, std::string_view file);

// True if an edit's own text may mean `target`, the file named by the call or the tag around it:
// `path` is its whole path or the end of it.
bool may_mean(std::string_view path, std::string_view target);

}  // namespace bodkin
