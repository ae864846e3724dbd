#include "lsp/cli/ask_review.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/support/shown_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/print_diff.h"
#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

namespace {

constexpr const char* kKeys =
    "y  apply this hunk\n"
    "n  leave it out\n"
    "a  apply this one and the rest of the file\n"
    "d  leave out this one and the rest of the file\n"
    "q  go back without choosing\n";

// The file with these hunks of it.
ChangedFile with_hunks(const ProposedFile& file, const std::vector<size_t>& hunks) {
  ChangedFile changed;
  changed.path = file.name.path;
  if (file.kind != ProposedFile::Kind::create) changed.before = file.text;
  if (file.kind != ProposedFile::Kind::remove) changed.after = offer_of(file, &hunks).text;
  if (file.moved_to) changed.rename_to = file.moved_to->path;
  return changed;
}

}  // namespace

std::vector<ChangedFile> changed_files(const std::vector<DraftFile>& draft) {
  std::vector<ChangedFile> files;
  for (const DraftFile& from : draft) {
    ChangedFile file;
    file.path = from.path;
    file.rename_to = from.moved_to;
    if (from.base) file.before = from.base->text;
    file.after = from.text;
    files.push_back(std::move(file));
  }
  return files;
}

std::optional<std::vector<ChangedFile>> choose_hunks(const std::vector<DraftFile>& draft,
                                                     const Roots& roots) {
  Proposal proposal;
  proposal.files = proposed_files(draft, roots);
  const std::vector<ProposedFile>& files = proposal.files;
  std::vector<size_t> all;
  size_t count = 0, number = 0;
  for (const ProposedFile& file : files) count += file.hunks.size();
  std::vector<ChangedFile> result;
  for (const ProposedFile& file : files) {
    std::vector<size_t> chosen;
    char rest = '\0';  // what was said of all that follow in this file
    for (const ProposedHunk& hunk : file.hunks) {
      ++number;
      char key = rest;
      if (!key) {
        print_diff(diff_of(with_hunks(file, {hunk.index})));
        std::fflush(stdout);
        const std::string question =
            fmt::format("Apply hunk {} of {}? [y/n/a/d/q/?] ", number, count);
        while ((key = ask_for_key(question, "ynadq?")) == '?') put(stderr, kKeys);
        if (key == 'q' || key == '\0') return std::nullopt;
        if (key == 'a' || key == 'd') rest = key;
      }
      if (key == 'y' || key == 'a') chosen.push_back(hunk.index);
    }
    if (!chosen.empty()) result.push_back(with_hunks(file, chosen));
    all.insert(all.end(), chosen.begin(), chosen.end());
  }
  // A file that was only moved would be nowhere.
  std::erase_if(result, [&](const ChangedFile& changed) {
    const auto file = std::ranges::find(files, changed.path,
                                        [](const ProposedFile& each) { return each.name.path; });
    if (file == files.end() || !is_half_of_move(proposal, *file, &all)) return false;
    put(stderr, fmt::format("{} is kept: it was to be deleted without the file that it was moved "
                            "to.\n",
                            plain_line(changed.path)));
    return true;
  });
  return result;
}

}  // namespace bodkin
