#include "lsp/workspace/settings_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxSettingsFile = 1 << 20;  // bytes

// The text with another string as the value of this member; nothing: it is not found where it seems
// to be.
std::optional<std::string> with_value(std::string text, const std::string& key,
                                      const std::string& value) {
  size_t at = text.find(Json(key).dump());
  if (at == text.npos) return std::nullopt;
  at = text.find_first_not_of(" \t\r\n", at + Json(key).dump().size());
  if (at == text.npos || text[at] != ':') return std::nullopt;
  at = text.find_first_not_of(" \t\r\n", at + 1);
  if (at == text.npos || text[at] != '"') return std::nullopt;
  size_t end = at + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) return std::nullopt;
  return text.replace(at, end + 1 - at, Json(value).dump());
}

Result<void> write_settings(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::path file = fs::weakly_canonical(path, error);  // it may be a link to where the user keeps it
  if (error) file = path;
  const auto failed = [&] {
    return fail(Error::Code::unavailable,
                fmt::format("Cannot write {}: {}.", file.string(), std::strerror(errno)));
  };
  fs::create_directories(file.parent_path(), error);
  const std::string made = file.string() + ".new";
  errno = 0;
  std::ofstream out(made, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  struct stat before {};
  if (out && ::stat(file.c_str(), &before) == 0) ::chmod(made.c_str(), before.st_mode & 07777);
  if (!out || ::rename(made.c_str(), file.c_str()) != 0) {
    auto why = failed();
    fs::remove(made, error);
    return why;
  }
  return {};
}

}  // namespace

std::optional<Json> object_in(const std::string& settings) {
  const auto tree = parse_json(settings, {.comments = true});
  return tree && tree->is_object() ? tree : std::nullopt;
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
    const auto& [short_key, value] = *each;
    const std::string key = tree->contains(short_key) ? short_key : "bodkin." + short_key;
    Json wanted = *tree;
    wanted[key] = value;
    if (!tree->contains(key)) {
      text = with_member(std::move(text), *tree, key, Json(value).dump());
    } else if (auto changed = with_value(std::move(text), key, value)) {
      text = *std::move(changed);
    } else {
      return std::nullopt;
    }
    tree = object_in(text);
    // What seemed to be the key may have been in a comment.
    if (tree != wanted) return std::nullopt;
  }
  if (!tree) return std::nullopt;
  Settings after;  // another key may say it, too
  after.set(Settings::Layer::user_file, *tree);
  const bool is_so = std::ranges::all_of(
      values, [&](const auto& each) { return after.text(each.first) == each.second; });
  return is_so ? std::optional(text) : std::nullopt;
}

Result<void> edit_own_settings(
    const std::function<std::optional<std::string>(const std::string&)>& edit,
    const std::string& by_hand) {
  if (config_folder().empty())
    return fail(Error::Code::unavailable, "There is no settings file: set HOME.");
  const fs::path path = config_folder() + "/settings.json";
  std::error_code error;
  std::string before = "{}\n";
  if (fs::exists(path, error)) before = read_file(path.string(), kMaxSettingsFile).value_or("");
  const auto after = edit(before);
  if (!after)
    return fail(Error::Code::unavailable,
                fmt::format("{} in {} yourself: it is not written in a way that bodkin can add to.",
                            by_hand, path.string()));
  return write_settings(path, *after);
}

}  // namespace bodkin::lsp
