#include "lsp/workspace/edit_place.h"

#include "agent/platform/files.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin::lsp {

// Decides: where an edit may land.
Result<EditPlace> edit_place(const std::string& folder, const std::string& inside, bool in_place) {
  const auto said = [](Error error) {
    error.message += ".";
    return std::unexpected(std::move(error));
  };
  const auto confined = ConfinedFolder::open(folder);
  if (!confined) return said(confined.error());
  auto resolved = confined->resolve(inside);
  if (!resolved) return said(resolved.error());
  if (const auto can = confined->check_file(*resolved); !can) return said(can.error());
  if (!in_place && confined->is_link(inside)) {
    return fail(Error::Code::invalid_input,
                inside + " is a symbolic link; only the contents of its target can be changed.");
  }
  os::FileStatus status{};
  const bool is_there =
      os::fstatat(confined->number(), resolved->c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return EditPlace{*std::move(resolved), is_there && (status.st_mode & 0111) != 0};
}

}  // namespace bodkin::lsp
