#include "lsp/workspace/trust_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/utf8.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxSettingsFile = 1 << 20;
constexpr char kKey[] = "bodkin.workspace.trusted";

std::vector<std::string> trusted_in(const Json& tree) {
  Settings settings;
  settings.set(Settings::Layer::user_file, tree);
  return settings.list("workspace.trusted");
}

std::optional<Json> object_in(const std::string& text) {
  const auto tree = parse_json(text, {.comments = true});
  return tree && tree->is_object() ? tree : std::nullopt;
}

bool is_all(const std::string& folder) {
  const char* home = std::getenv("HOME");
  std::error_code error;
  return folder == "/" || (home && *home && fs::equivalent(home, folder, error));
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

std::optional<std::string> with_trusted_folder(const std::string& settings,
                                               const std::string& folder) {
  const auto before = object_in(settings);
  if (!before || valid_utf8(folder) != folder) return std::nullopt;
  const std::string entry = Json(folder).dump();
  std::string key = kKey;
  if (const std::string plain = key.substr(key.find('.') + 1); before->contains(plain)) key = plain;
  Json wanted = *before;
  std::string text = settings;
  if (!before->contains(key)) {
    wanted[key] = {folder};
    const size_t begin = text.find('{') + 1;
    const char* const end = before->empty() ? "\n" : text[begin] == '"' ? ",\n  " : ",";
    text.insert(begin, fmt::format("\n  {}: [{}]{}", Json(key).dump(), entry, end));
  } else if ((*before)[key].is_array()) {
    wanted[key].insert(wanted[key].begin(), folder);
    const size_t list = text.find('[', std::min(text.find(Json(key).dump()), text.size()));
    if (list == text.npos) return std::nullopt;
    text.insert(list + 1, entry + ((*before)[key].empty() ? "" : ", "));
  }
  // What was meant to be a key may have been a comment, and another key may say it, too.
  const auto after = object_in(text);
  if (!after || *after != wanted) return std::nullopt;
  std::vector<std::string> all = trusted_in(*before);
  all.insert(all.begin(), folder);
  return trusted_in(*after) == all ? std::optional(text) : std::nullopt;
}

Result<void> trust_folder(const std::string& folder) {
  if (is_all(folder))
    return fail(Error::Code::invalid_input,
                folder + " cannot be trusted as a whole; name a folder in it.");
  if (config_folder().empty())
    return fail(Error::Code::unavailable, "There is no settings file: set HOME.");
  const fs::path path = config_folder() + "/settings.json";
  std::error_code error;
  std::string before = "{}\n";
  if (fs::exists(path, error)) before = read_file(path.string(), kMaxSettingsFile).value_or("");
  const auto after = with_trusted_folder(before, folder);
  if (!after)
    return fail(Error::Code::unavailable,
                fmt::format("Add {} to bodkin.workspace.trusted in {} yourself: it is not written "
                            "in a way that bodkin can add to.",
                            folder, path.string()));
  return write_settings(path, *after);
}

}  // namespace bodkin::lsp
