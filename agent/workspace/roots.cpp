#include "agent/workspace/roots.h"

#include <algorithm>
#include <filesystem>

#include "agent/platform/paths.h"
#include "agent/support/path_text.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxAbove = 8;  // folders in a name

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// A folder's name as it may begin a path.
bool is_usable(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\:") == name.npos &&
         !name.starts_with(' ') && !name.ends_with(' ') && !forbidden(name);
}

// "src" of /x/one/src: "one-src", "x-one-src".
std::string with_parent_names(const Root& root, std::string name, size_t depth) {
  fs::path above = fs::path(root.folder).parent_path();
  for (; depth > 0 && above.has_relative_path(); above = above.parent_path(), --depth) {
    const std::string part = above.filename().generic_string();
    if (!is_usable(part)) break;
    name = part + "-" + name;
  }
  return name;
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(x) == lower(y);
  });
}

}  // namespace

std::string Roots::key() const {
  std::vector<std::string> folders;
  for (const Root& root : roots_) folders.push_back(root.folder);
  std::ranges::sort(folders);
  std::string key;
  for (const std::string& folder : folders) key += (key.empty() ? "" : "\n") + folder;
  return key;
}

std::string Roots::prefix_of(const Root& root) const {
  return roots_.size() > 1 ? root.name + "/" : "";
}

std::vector<std::string> Roots::inner_of(const Root& root) const {
  std::vector<std::string> result;
  for (const Root& other : roots_) {
    if (other == root || !is_below(other.folder, root.folder)) continue;
    result.push_back(path_in(other.folder, root.folder) + "/");
  }
  return result;
}

Roots Roots::with(std::vector<LooseFile> files) const {
  Roots result(roots_);
  if (roots_.empty()) result.loose_ = std::move(files);
  return result;
}

std::optional<Roots::Place> Roots::find_absolute(std::string_view absolute) const {
  if (!os::is_absolute(absolute) || absolute.find('\0') != absolute.npos) return std::nullopt;
  const std::string normal = without_slash(fs::path(absolute).lexically_normal().generic_string());
  for (const LooseFile& file : loose_) {
    const fs::path own(file.absolute);
    if (file.absolute == normal)
      return Place{{"", own.parent_path().generic_string()},
                   own.filename().generic_string(),
                   file.path,
                   normal};
  }
  const Root* best = nullptr;
  for (const Root& root : roots_) {
    const bool is_in = normal == root.folder || is_below(normal, root.folder);
    if (is_in && (!best || root.folder.size() > best->folder.size())) best = &root;
  }
  if (!best) return std::nullopt;
  std::string inside = normal == best->folder ? "" : path_in(normal, best->folder);
  const std::string prefix = prefix_of(*best);
  std::string path = inside.empty() && !prefix.empty() ? best->name : prefix + inside;
  return Place{*best, std::move(inside), std::move(path), normal};
}

std::optional<Roots::Place> Roots::find(std::string_view path) const {
  if (os::is_absolute(path)) return find_absolute(path);
  if (path.find('\0') != path.npos) return std::nullopt;
  for (const LooseFile& file : loose_)
    if (file.path == path) return find_absolute(file.absolute);
  for (const Root& root : roots_) {
    const std::string prefix = prefix_of(root);
    if (!path.starts_with(prefix) && !(path == root.name && !prefix.empty())) continue;
    const std::string_view rest = path.substr(std::min(path.size(), prefix.size()));
    const std::string normal =
        without_slash((fs::path(root.folder) / fs::path(rest).relative_path())
                          .lexically_normal()
                          .generic_string());
    if (normal != root.folder && !is_below(normal, root.folder)) return std::nullopt;
    return find_absolute(normal);
  }
  return std::nullopt;
}

FileInFolder Roots::file_at(std::string_view path) const {
  const auto place = is_untitled(path) ? std::nullopt : find(path);
  return place ? FileInFolder{place->root.folder, place->inside}
               : FileInFolder{"", std::string(path)};
}

std::string Roots::path_of(const FileInFolder& file) const {
  std::string full = file.full();
  const auto place = find_absolute(full);
  // A file that is called as a buffer without one would be counts as outside.
  return place && !is_untitled(place->path) ? place->path : full;
}

std::string FileInFolder::full() const {
  if (folder.empty()) return inside;
  return join_path(folder, inside);
}

bool FileInFolder::is_buffer() const { return folder.empty() && !os::is_absolute(inside); }

FileInFolder below(const std::string& folder, const std::string& absolute) {
  if (!is_below(absolute, folder)) return {"", absolute};
  return {folder, path_in(absolute, folder)};
}

bool is_untitled(std::string_view path) { return path.starts_with("untitled:"); }

std::vector<Root> name_roots(std::vector<RootToName> roots) {
  const auto folder_name = [](const Root& root) {
    const std::string name = fs::path(root.folder).filename().generic_string();
    return is_usable(name) ? name : std::string("folder");
  };
  std::vector<std::string> wanted;
  for (RootToName& each : roots) {
    const bool keeps = each.fixed || is_usable(each.root.name);
    wanted.push_back(keeps ? each.root.name : folder_name(each.root));
  }
  const auto is_taken = [&](const std::vector<std::string>& names, size_t index) {
    for (size_t other = 0; other < names.size(); ++other) {
      if (other != index && is_same_name(names[other], names[index])) return true;
    }
    return false;
  };
  // All equal names are extended: "src" alone would be ambiguous.
  std::vector<size_t> alike;
  for (size_t i = 0; i < roots.size(); ++i) {
    if (!roots[i].fixed && is_taken(wanted, i)) alike.push_back(i);
  }
  const std::vector<std::string> before = wanted;
  for (size_t depth = 1; depth <= kMaxAbove; ++depth) {
    for (const size_t i : alike) wanted[i] = with_parent_names(roots[i].root, before[i], depth);
    if (std::ranges::none_of(alike, [&](size_t i) { return is_taken(wanted, i); })) break;
  }
  for (const size_t i : alike) {
    const std::string base = wanted[i];
    for (int number = 2; is_taken(wanted, i); ++number) {
      wanted[i] = base + "-" + std::to_string(number);
    }
  }
  std::vector<Root> result;
  for (size_t i = 0; i < roots.size(); ++i) {
    result.push_back({std::move(wanted[i]), std::move(roots[i].root.folder)});
  }
  return result;
}

}  // namespace bodkin
