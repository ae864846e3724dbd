#include "lsp/cli/applied_changes.h"

#include <cstdio>
#include <map>
#include <optional>
#include <ranges>

#include "agent/history/history.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/folder/undo.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_record.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

void print_changes_of(const std::vector<std::string>& proposals, const std::string& root) {
  const auto folder = ConfinedFolder::open(root);
  if (!folder) return say(folder.error().message);
  auto store = HistoryStore::open(history_path(), Database::Access::read_only);
  if (!store) return say(history_path() + ": " + store.error().message);
  // Undone in thought, the last one first: what is different then is what they have changed.
  std::map<std::string, std::optional<Text>> undone;
  std::string left_out;
  const FilesNow disk = files_now(*folder);
  const FilesNow now{[&](const std::string& path) {
                       const auto known = undone.find(path);
                       return known == undone.end() ? disk.read(path) : known->second;
                     },
                     [&](const std::string& path) {
                       const auto known = undone.find(path);
                       return known == undone.end() ? disk.exists(path) : known->second.has_value();
                     }};
  const Roots roots{{"workspace", folder->path()}};
  for (const std::string& id : std::views::reverse(proposals)) {
    const auto row = store->load_proposal(id, "");
    auto proposal = row ? proposal_of(*row) : Result<Proposal>(std::unexpected(row.error()));
    if (!proposal) {
      left_out = id + ", which is not in the history";
      continue;
    }
    auto plan = plan_undo(*std::move(proposal), roots, now);
    if (plan && !plan->why_left_out.empty()) left_out = plan->why_left_out;
    if (!plan && plan.error().code == Error::Code::stale) left_out = plan.error().message;
    if (!plan) continue;
    for (ChangedFile& file : plan->files) {
      if (file.rename_to) undone[file.path].reset();
      undone[file.rename_to.value_or(file.path)] = std::move(file.after);
    }
  }
  std::string diff;
  for (const auto& [path, text] : undone) {
    const std::optional<Text> there = disk.read(path);
    const bool is_same =
        there.has_value() == text.has_value() && (!there || there->str() == text->str());
    if (!is_same) diff += diff_of({.path = path, .before = text, .after = there});
  }
  print_diff(diff, stdout);
  std::fflush(stdout);
  if (!left_out.empty()) say("Left out: " + plain_line(left_out));
  if (diff.empty() && left_out.empty()) say("Nothing of what was changed here is left.");
}

}  // namespace bodkin
