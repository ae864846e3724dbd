#include "lsp/workspace/settings_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/user_folders.h"
#include "lsp/workspace/disk_steps.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;
using Place = Json::json_pointer;

constexpr size_t kMaxSettingsFile = 16 << 20;  // bytes

// Finds the places of a setting, whole or in parts: "bodkin.model.name", {"model": {"name": …}}.
void find_places(const Json& tree, const std::string& key, const std::string& above,
                 const Place& at, std::vector<Place>& found) {
  for (const auto& [name, value] : tree.items()) {
    const std::string path = above + name;
    if (path == key || path == "bodkin." + key)
      found.push_back(at / name);
    else if (value.is_object() &&
             (key.starts_with(path + ".") || ("bodkin." + key).starts_with(path + ".")))
      find_places(value, key, path + ".", at / name, found);
  }
}

// The text in which a member of this name has another string as its value, so that it says
// `wanted`; nullopt if there is none.
std::optional<std::string> with_value(const std::string& text, const std::string& name,
                                      const std::string& value, const Json& wanted) {
  const std::string quoted = Json(name).dump();
  for (size_t found = text.find(quoted); found != text.npos; found = text.find(quoted, found + 1)) {
    size_t at = text.find_first_not_of(" \t\r\n", found + quoted.size());
    if (at == text.npos || text[at] != ':') continue;
    at = text.find_first_not_of(" \t\r\n", at + 1);
    if (at == text.npos || text[at] != '"') continue;
    size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) continue;
    std::string changed = text;
    changed.replace(at, end + 1 - at, Json(value).dump());
    // It may be in a comment, or another member of this name.
    if (object_in(changed) == wanted) return changed;
  }
  return std::nullopt;
}

std::unexpected<Error> unwritable(const fs::path& file, int error = errno) {
  return fail(Error::Code::unavailable,
              fmt::format("Cannot write {}: {}.", os::text_of(file), os::strerror(error)));
}

// The file to write: settings.json, or the target of a link of that name.
Result<fs::path> own_settings_file() {
  if (config_folder().empty())
    return fail(Error::Code::unavailable,
                "There is no place for settings.json: set HOME to the path of your home folder.");
  const fs::path path = config_folder() + "/settings.json";
  std::error_code error;
  if (!os::is_symlink(path, error)) return path;
  fs::path file = os::canonical(path, error);
  if (!error) return file;
  return fail(Error::Code::unavailable,
              fmt::format("{} is a link to {}, which does not exist; nothing was written.",
                          os::text_of(path), os::text_of(os::read_symlink(path, error))));
}

}  // namespace

std::optional<Json> object_in(const std::string& settings) {
  return parse_object(settings, {.comments = true});
}

std::string with_member(std::string settings, const Json& before, const std::string& key,
                        const std::string& value) {
  const size_t begin = settings.find('{') + 1;
  const char* const end = before.empty() ? "\n" : settings[begin] == '"' ? ",\n  " : ",";
  return settings.insert(begin, fmt::format("\n  {}: {}{}", Json(key).dump(), value, end));
}

std::optional<std::string> with_texts(const std::string& settings, const TextSettings& values) {
  std::string text = settings;
  auto tree = object_in(text);
  // From the end: each is put at the beginning.
  for (auto each = values.rbegin(); tree && each != values.rend(); ++each) {
    const auto& [key, value] = *each;
    std::vector<Place> places;
    find_places(*tree, key, "", Place(), places);
    if (places.empty() && !value.empty()) {
      const std::string name = "bodkin." + key;
      Json wanted = *tree;
      wanted[name] = value;
      text = with_member(std::move(text), *tree, name, Json(value).dump());
      tree = object_in(text);
      if (tree != wanted) return std::nullopt;
    }
    for (const Place& place : places) {
      const Json& present = tree->at(place);
      if (present == value || (value.empty() && present.is_null())) continue;
      Json wanted = *tree;
      wanted[place] = value;
      auto changed = with_value(text, place.back(), value, wanted);
      if (!changed) return std::nullopt;
      text = *std::move(changed);
      tree = std::move(wanted);
    }
  }
  if (!tree) return std::nullopt;
  Settings after;  // another key may say it, too
  after.set(Settings::Layer::user_file, *tree);
  const bool is_so = std::ranges::all_of(
      values, [&](const auto& each) { return after.text(each.first) == each.second; });
  return is_so ? std::optional(text) : std::nullopt;
}

std::unexpected<Error> left_to_the_user(const std::string& by_hand) {
  return fail(Error::Code::unavailable,
              fmt::format("{} in {}/settings.json yourself: it is not written in a way that bodkin "
                          "can add to.",
                          by_hand, config_folder()));
}

Result<void> can_edit_own_settings() {
  const auto file = own_settings_file();
  if (!file) return std::unexpected(file.error());
  if (os::access(os::text_of(*file).c_str(), W_OK) != 0 && errno != ENOENT)
    return unwritable(*file);
  fs::path folder = file->parent_path();  // what is missing will be made
  while (os::access(os::text_of(folder).c_str(), F_OK) != 0 && folder.has_relative_path())
    folder = folder.parent_path();
  return os::access(os::text_of(folder).c_str(), W_OK | X_OK) == 0 ? Result<void>()
                                                                   : unwritable(*file);
}

// Decides: how the user's own settings are written, also by several processes at once.
Result<void> edit_own_settings(const std::function<Result<std::string>(const std::string&)>& edit) {
  const auto file = own_settings_file();
  if (!file) return std::unexpected(file.error());
  if (!make_private_folder(file->parent_path())) return unwritable(*file);
  const FileDescriptor folder(
      os::open(os::text_of(file->parent_path()).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return unwritable(*file);
  // Released with the descriptor. Where folders cannot be locked, on NFS, there is none.
  while (os::flock(folder.number(), LOCK_EX) != 0 && errno == EINTR) {
  }
  const auto before = read_file(os::text_of(*file), kMaxSettingsFile);
  if (!before && before.error().code != Error::Code::not_found)
    return fail(Error::Code::unavailable, before.error().message);
  const auto after = edit(before.value_or("{}\n"));
  if (!after) return std::unexpected(after.error());
  const std::string name = os::text_of(file->filename());
  FileDescriptor old(
      before ? os::openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1);
  if (before && (!old || os::access(os::text_of(*file).c_str(), W_OK) != 0))
    return unwritable(*file);
  const Fault none;
  const DiskSteps steps(none);
  const std::string draft = fmt::format(".bodkin-{:08x}.new", std::random_device()());
  auto done = steps.write_like(os::text_of(*file), folder.number(), draft, *after, old, 0600);
  old = FileDescriptor();  // not every Windows replaces a file that is open
  if (!done) done.error().message += ".";
  if (done && os::renameat(folder.number(), draft.c_str(), folder.number(), name.c_str()) != 0)
    done = unwritable(*file);
  if (!done) os::unlinkat(folder.number(), draft.c_str(), 0);
  if (done) steps.sync_directory(folder);
  return done;
}

}  // namespace bodkin::lsp
