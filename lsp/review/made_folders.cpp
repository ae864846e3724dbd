#include "lsp/review/made_folders.h"

#include <algorithm>
#include <string>

#include "lsp/apply/folder_changes.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin::lsp {

namespace {

// The workspace folder of all of its files.
std::optional<ConfinedFolder> folder_of(const Proposal& proposal) {
  if (proposal.files.empty()) return std::nullopt;
  const std::string& folder = proposal.files[0].name.file.folder;
  const bool is_one = std::ranges::all_of(proposal.files, [&](const ProposedFile& file) {
    return file.name.file.folder == folder && file.last_name().file.folder == folder;
  });
  if (!is_one || folder.empty()) return std::nullopt;
  auto opened = ConfinedFolder::open(folder);
  return opened ? std::optional(*std::move(opened)) : std::nullopt;
}

}  // namespace

void note_made_folders(Proposal& proposal, const std::vector<size_t>& hunks) {
  const auto folder = folder_of(proposal);
  if (!folder) return;
  std::vector<ChangedFile> made;
  for (const ProposedFile& file : proposal.files) {
    const bool is_new = file.kind == ProposedFile::Kind::create || file.moved_to;
    const bool is_taken = has_listed(file, &hunks);
    if (!is_new || !is_taken) continue;
    ChangedFile& one = made.emplace_back();
    one.path = file.last_name().file.inside;
    one.after = Text();
  }
  proposal.made_folders.merge(folders_to_make(*folder, made));
}

void remove_made_folders(const Proposal& proposal) {
  if (proposal.made_folders.empty()) return;
  if (const auto folder = folder_of(proposal))
    bodkin::remove_made_folders(*folder, proposal.made_folders);
}

}  // namespace bodkin::lsp
