#include "lsp/sessions/changed_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "edits/plan/diff.h"
#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

ChangedFile with_hunks(const ProposedFile& file, const std::vector<size_t>* hunks) {
  ChangedFile changed;
  changed.path = file.name.path;
  changed.quality = file.hunks[0].quality;
  if (file.kind != ProposedFile::Kind::create) changed.before = file.text;
  if (file.kind != ProposedFile::Kind::remove) changed.after = offer_of(file, hunks).text;
  if (file.moved_to) changed.rename_to = file.moved_to->path;
  return changed;
}

std::vector<ChangedFile> with_hunks(const Proposal& proposal, const std::vector<size_t>& hunks,
                                    std::vector<std::string>& kept) {
  std::vector<ChangedFile> files;
  for (const ProposedFile& file : proposal.files) {
    if (!has_listed(file, &hunks)) continue;
    if (is_move_without_target(proposal, file, &hunks)) {
      kept.push_back(file.name.path);
    } else {
      files.push_back(with_hunks(file, &hunks));
    }
  }
  return files;
}

Result<std::vector<ChangedFile>> draft_of(const Proposal& proposal) {
  std::vector<ChangedFile> result;
  for (const ProposedFile& file : proposal.files) {
    bool taken = false;
    for (const ProposedHunk& hunk : file.hunks) {
      if (hunk.state == ProposedHunk::State::stale) {
        return fail(Error::Code::stale,
                    file.name.path + " changed since the proposal was made. Ask again.");
      }
      taken = taken || hunk.state == ProposedHunk::State::pending;
    }
    if (!taken || is_move_without_target(proposal, file, nullptr)) continue;
    result.push_back(with_hunks(file, nullptr));
  }
  if (result.empty()) {
    return fail(Error::Code::stale, "This proposal has nothing left to refine.");
  }
  return result;
}

namespace {

// Whether nothing but git's form says what becomes of the file: it is moved, or no hunk shows that
// it is created or removed.
bool needs_git(const ChangedFile& file) {
  const bool is_made = !file.before, is_removed = !file.after;
  return file.rename_to ||
         (is_made != is_removed && (is_made ? *file.after : *file.before) == Text());
}

std::string diff_of(const ChangedFile& file, bool is_for_git) {
  const std::string& to = file.last_path();
  std::string head;
  if (is_for_git) head = fmt::format("diff --git a/{} b/{}\n", file.path, to);
  if (is_for_git && !file.before) head += "new file mode 100644\n";
  if (is_for_git && !file.after) head += "deleted file mode 100644\n";
  if (file.rename_to) head += fmt::format("rename from {}\nrename to {}\n", file.path, to);
  if (needs_git(file) && !file.rename_to) return head;
  return head + unified_diff(file.path, to, file.before ? &*file.before : nullptr,
                             file.after ? &*file.after : nullptr);
}

}  // namespace

std::string diff_of(const ChangedFile& file) { return diff_of(file, needs_git(file)); }

std::string diff_of(const std::vector<ChangedFile>& files) {
  const bool is_for_git = std::ranges::any_of(files, needs_git);
  std::string diff;
  for (const ChangedFile& file : files) diff += diff_of(file, is_for_git);
  return diff;
}

std::string diff_of(const Proposal& proposal) {
  std::vector<ChangedFile> files;
  for (const ProposedFile& file : proposal.files)
    if (std::ranges::count(file.hunks, ProposedHunk::State::pending, &ProposedHunk::state) > 0)
      files.push_back(with_hunks(file, nullptr));
  return diff_of(files);
}

}  // namespace bodkin
