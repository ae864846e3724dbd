#include "lsp/review/landing.h"

#include <algorithm>

#include "agent/platform/files.h"
#include "lsp/workspace/disk.h"
#include "lsp/workspace/edit_place.h"

namespace bodkin::lsp {

namespace {

// The path at which an edit of the file lands now, below its folder.
Result<std::string> landing(const ProposedFile& file, const ProposedName& name) {
  if (name.file.folder.empty()) {
    return fail(Error::Code::invalid_input, file.name.path + " is not in a workspace folder.");
  }
  const bool in_place = file.kind == ProposedFile::Kind::update && !file.moved_to;
  auto place = edit_place(name.file.folder, name.file.inside, in_place);
  if (!place) return std::unexpected(place.error());
  return std::move(place->resolved);
}

Result<void> check_landing(const ProposedFile& file, const ProposedName& name) {
  const auto now = landing(file, name);
  if (!now) return std::unexpected(now.error());
  if (*now == name.lands) return {};
  return fail(Error::Code::invalid_input,
              name.path + " no longer points to the file that the edit was proposed for.");
}

}  // namespace

void record_landings(Proposal& proposal) {
  for (ProposedFile& file : proposal.files) {
    file.name.lands = landing(file, file.name).value_or("");
    const std::string path = file.name.file.full();
    os::FileStatus status{};
    if (file.kind == ProposedFile::Kind::remove && !file.name.file.is_buffer() &&
        os::stat(path.c_str(), &status) == 0) {
      file.removed.emplace().mode = status.st_mode & 0777;
      if (auto found = read_encoded(path, file.name.file.folder))
        file.removed->encoding = std::move(found->encoding);
    }
    if (file.moved_to) file.moved_to->lands = landing(file, *file.moved_to).value_or("");
  }
}

Result<void> check_landings(const Proposal& proposal, const std::vector<size_t>* only) {
  for (const ProposedFile& file : proposal.files) {
    if (is_untitled(file.name.file.full())) continue;
    const auto is_taken = [&](const ProposedHunk& hunk) { return is_listed(hunk, only); };
    if (std::ranges::none_of(file.hunks, is_taken)) continue;
    if (auto may = check_landing(file, file.name); !may) return may;
    if (!file.moved_to) continue;
    if (auto may = check_landing(file, *file.moved_to); !may) return may;
  }
  return {};
}

}  // namespace bodkin::lsp
