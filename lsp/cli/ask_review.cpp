#include "lsp/cli/ask_review.h"

#include <fmt/format.h>

#include "agent/support/shown_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/text_editor.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

namespace {

constexpr const char* kDecisions =
    "a  apply all of it: the files are written\n"
    "h  choose hunks, one after the other\n"
    "r  refine: say what should be different, and the model goes on\n"
    "v  view the diff again, page by page ($PAGER)\n"
    "d  discard it, as Esc and q do: nothing is written\n";

constexpr const char* kKeys =
    "y  apply this hunk\n"
    "n  leave it out\n"
    "a  apply this one and the rest of the file\n"
    "d  leave out this one and the rest of the file\n"
    "e  edit its new lines ($EDITOR); each hunk is one run of changed lines\n"
    "q  go back without choosing\n";

}  // namespace

char prompt_decision(const std::string& diff) {
  for (;;) {
    const char key =
        ask_for_key("[a]pply, choose [h]unks, [r]efine, [v]iew, or [d]iscard? ", "ahrvd?", 'd');
    if (key == 'v') {
      page(coloured_diff(diff, stderr));
    } else if (key == '?') {
      put(stderr, folded(kDecisions, 3));
    } else {
      return key;
    }
  }
}

std::optional<std::vector<ChangedFile>> choose_hunks(const std::vector<ChangedFile>& draft,
                                                     const Roots& roots) {
  Proposal proposal;
  proposal.files = proposed_files(draft, roots);
  std::vector<ProposedFile>& files = proposal.files;
  std::vector<size_t> chosen;
  size_t count = 0, number = 0;
  for (const ProposedFile& file : files) count += file.hunks.size();
  for (ProposedFile& file : files) {
    char rest = '\0';  // what was said of all that follow in this file
    const bool can_edit = file.kind != ProposedFile::Kind::remove;
    for (ProposedHunk& hunk : file.hunks) {
      ++number;
      char key = rest;
      while (!key || key == 'e') {
        const std::vector<size_t> one = {hunk.index};
        print_diff(diff_of(with_hunks(file, &one)));
        std::fflush(stdout);
        const std::string question = fmt::format("Apply hunk {} of {}? [y/n/a/d{}/q/?] ", number,
                                                 count, can_edit ? "/e" : "");
        const char* const keys = can_edit ? "ynadeq?" : "ynadq?";
        while ((key = ask_for_key(question, keys, 'q')) == '?') put(stderr, folded(kKeys, 3));
        if (key == 'e')
          if (auto edited = edited_by_user(hunk.new_text, file.last_name().path))
            hunk.new_text = *std::move(edited);
        if (key == 'q' || key == '\0') return std::nullopt;
        if (key == 'a' || key == 'd') rest = key;
      }
      if (key == 'y' || key == 'a') chosen.push_back(hunk.index);
    }
  }
  std::vector<std::string> kept;
  std::vector<ChangedFile> result = with_hunks(proposal, chosen, kept);
  for (const std::string& path : kept) {
    put(stderr,
        fmt::format("{} is kept: it would be deleted, but its new location was not chosen.\n",
                    plain_line(path)));
  }
  return result;
}

}  // namespace bodkin
