#include "lsp/workspace/trust.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/platform/paths.h"
#include "agent/support/real_path.h"
#include "agent/support/user_folders.h"
#include "agent/support/utf8.h"
#include "lsp/workspace/settings.h"
#include "lsp/workspace/settings_file.h"

namespace bodkin::lsp {

bool is_home(const std::string& folder) {
  std::error_code error;
  return os::equivalent(home_folder(), folder, error);
}

Trust::Trust(std::vector<std::string> folders) : folders_(std::move(folders)) {
  const std::string home = home_folder();
  for (std::string& folder : folders_) {
    if (!home.empty() && (folder == "~" || folder.starts_with("~/"))) folder.replace(0, 1, home);
  }
}

// Decides: whether a folder is trusted.
bool Trust::covers(const Roots& roots) const {
  if (said_) return *said_;
  return !roots.empty() && std::ranges::all_of(roots, [&](const Root& root) {
    return std::ranges::any_of(
        folders_, [&](const std::string& folder) { return lies_in(root.folder, folder); });
  });
}

namespace {

constexpr char kKey[] = "bodkin.workspace.trusted";

std::vector<std::string> trusted_in(const Json& tree) {
  Settings settings;
  settings.set(Settings::Layer::user_file, tree);
  return settings.list("workspace.trusted");
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
    text = with_member(std::move(text), *before, key, fmt::format("[{}]", entry));
  } else if ((*before)[key].is_array()) {
    wanted[key].insert(wanted[key].begin(), folder);
    const size_t list = text.find('[', std::min(text.find(Json(key).dump()), text.size()));
    if (list == text.npos) return std::nullopt;
    text.insert(list + 1, entry + ((*before)[key].empty() ? "" : ", "));
  }
  // The text taken for a key may be in a comment, or the key of another member: then the result
  // differs.
  const auto after = object_in(text);
  if (!after || *after != wanted) return std::nullopt;
  std::vector<std::string> all = trusted_in(*before);
  all.insert(all.begin(), folder);
  return trusted_in(*after) == all ? std::optional(text) : std::nullopt;
}

Result<void> trust_folder(const std::string& folder) {
  if (folder == os::root_of(folder) || is_home(folder))
    return fail(Error::Code::invalid_input,
                folder + " cannot be trusted as a whole; name a folder in it.");
  return edit_own_settings([&](const std::string& text) -> Result<std::string> {
    if (auto with = with_trusted_folder(text, folder)) return *std::move(with);
    return left_to_the_user(fmt::format("Add {} to bodkin.workspace.trusted", folder));
  });
}

}  // namespace bodkin::lsp
