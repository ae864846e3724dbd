// Finds the file that a path means: the one place that follows links, and that knows one file by
// several names. Looks at the disk. Thread: any.
#pragma once

#include <optional>
#include <string>

namespace bodkin {

// An absolute, normal path with every link followed; of what does not exist, below the part that
// does. Nullopt: that cannot be told (a circle of links).
std::optional<std::string> real_path(const std::string& path);

// With every link followed; the same path if it does not exist.
std::string real_or_same(const std::string& path);

// Whether two real paths are one file: they are equal, or differ in case or Unicode form only and
// the disk has one file for both. Hard links are different files: many programs replace a file.
bool is_same_file(const std::string& real, const std::string& other);

// The path of `path` below the folder, after following links; "": it is the folder. A folder is
// known by its device and inode, not its name. Nullopt: it is not in it, or relative.
std::optional<std::string> path_below(const std::string& path, const std::string& folder);

// Whether `path` is the folder or below it.
inline bool lies_in(const std::string& path, const std::string& folder) {
  return path_below(path, folder).has_value();
}

}  // namespace bodkin
