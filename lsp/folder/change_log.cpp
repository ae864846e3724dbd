#include "lsp/folder/change_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/history/history.h"
#include "agent/support/user_folders.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/folder/ask_history.h"
#include "lsp/sessions/proposal_record.h"
#include "lsp/workspace/ask_settings.h"

namespace bodkin {

namespace {

constexpr std::string_view kAsked = "asked";
// Decides: how many changes of bodkin apply can be undone.
constexpr int64_t kMaxKept = 50;

Result<HistoryStore> open_log(Database::Access access) {
  auto store = HistoryStore::open(history_path(), access);
  if (store) return *std::move(store);
  return fail(Error::Code::unavailable, history_path() + ": " + store.error().message);
}

// The change under its real paths: a link may lead elsewhere when it is undone.
ProposalRow row_of_change(const ConfinedFolder& folder, std::string_view by,
                          std::vector<ChangedFile> files, Logged logged, const std::string& id) {
  for (ChangedFile& file : files) {
    file.path = folder.resolve(file.path).value_or(file.path);
    if (file.rename_to) file.rename_to = folder.resolve(*file.rename_to).value_or(*file.rename_to);
  }
  Outcome outcome;
  outcome.title = fmt::format("bodkin {}", by);
  Proposal proposal = kept_proposal(outcome, files, folder, logged == Logged::applied);
  proposal.id = id;
  proposal.is_exact = true;
  ProposalRow row = row_of(proposal, "", folder.path());
  row.files = std::move(files);  // with moves as one file each
  if (logged == Logged::asked) row.state = kAsked;
  row.outcome = logged == Logged::asked ? kAsked : name_of(Proposal::State::unknown);
  return row;
}

// The folder as it was before a change.
class FilesBefore : public FolderFiles {
 public:
  FilesBefore(const ConfinedFolder& folder, const ProposalRow& change)
      : FolderFiles(folder), change_(change) {}
  std::optional<Text> read(std::string_view path) const override {
    for (const ChangedFile& file : change_.files) {
      if (file.path == path) return file.before;
      if (file.rename_to == path) return std::nullopt;
    }
    return FolderFiles::read(path);
  }

 private:
  const ProposalRow& change_;
};

bool is_same(const ProposalRow& change, const ApplyReport& report) {
  return report.ok && report.files.size() == change.files.size() &&
         std::ranges::all_of(change.files, [&](const ChangedFile& kept) {
           const auto same = std::ranges::find(report.files, kept.path, &ChangedFile::path);
           return same != report.files.end() && same->rename_to == kept.rename_to &&
                  same->after == kept.after;
         });
}

}  // namespace

Result<LoggedChange> log_change(const ConfinedFolder& folder, std::string_view by,
                                const std::vector<ChangedFile>& files, Logged logged,
                                std::string id) {
  const auto own = lsp::user_settings();
  if (own.is_discarded())
    return fail(Error::Code::unavailable,
                "settings.json cannot be read, and it may say that no history is kept");
  lsp::Settings settings;
  settings.set(lsp::Settings::Layer::user_file, own);
  const HistoryLimits limits = lsp::history_limits(settings);
  if (limits.days <= 0)
    return fail(Error::Code::unavailable, "no history is kept (bodkin.history.retentionDays)");
  const std::string path = history_path();
  if (path.empty() || !make_private_folder(std::filesystem::path(path).parent_path()))
    return fail(Error::Code::unavailable, "there is no place for the history");
  if (id.empty()) id = new_change_id();
  const ProposalRow row = row_of_change(folder, by, files, logged, id);
  auto store = open_log(Database::Access::create);
  if (!store) return std::unexpected(store.error());
  const auto failure = store->commit([&] {
    store->put_proposal(row, true);
    if (logged == Logged::asked) id = store->asked_once(row);
    store->keep_newest(row.workspace, std::string(kChangeIds), kMaxKept);
    keep_within(*store, limits, path, id);
  });
  if (failure) return fail(Error::Code::unavailable, path + ": " + failure->message);
  return LoggedChange{std::move(id), *std::move(store)};
}

void LoggedChange::confirm() {
  store.commit([&] { store.confirm(id); });
}

void LoggedChange::forget() {
  store.commit([&] { store.forget(id); });
}

Result<std::optional<ProposalRow>> change_to_apply(const std::string& words) {
  if (!is_change_id(words)) return std::nullopt;
  auto store = open_log(Database::Access::read_only);
  if (!store) return std::nullopt;
  const auto id = store->id_of(words);
  if (!id && id.error().code == Error::Code::invalid_input) return std::unexpected(id.error());
  auto row = id ? store->load_proposal(*id, "") : std::unexpected(id.error());
  if (!row) return std::nullopt;
  store->load_texts(*row);
  return *std::move(row);
}

std::optional<ApplyReport> applied_before(const ConfinedFolder& folder, const ApplyReport& placed,
                                          const std::function<ApplyReport(const Files&)>& place) {
  const auto only_adds = [](const ChangedFile& file) {
    return file.before && file.after &&
           std::ranges::all_of(file.edits, [](const auto& edit) { return edit.length == 0; });
  };
  const bool is_placed = placed.ok && !placed.files.empty();
  if (is_placed && !std::ranges::all_of(placed.files, only_adds)) return std::nullopt;
  auto store = open_log(Database::Access::read_only);
  if (!store) return std::nullopt;
  const FolderFiles now(folder);
  const auto read = [&](const std::string& path) {
    const bool counts = !is_placed || std::ranges::find(placed.files, path, &ChangedFile::path) !=
                                          placed.files.end();
    return counts ? now.read(path) : std::nullopt;
  };
  ProposalRow change;
  for (const std::string& id : store->proposals_in_place(folder.path(), read)) {
    if (!is_change_id(id)) continue;
    change.id = id;
    store->load_texts(change);
    ApplyReport report = place(FilesBefore(folder, change));
    if (!is_same(change, report)) continue;
    for (HunkReport& hunk : report.hunks)
      hunk = {.state = HunkReport::State::already_applied, .path = hunk.path, .hunk = hunk.hunk};
    return report;
  }
  return std::nullopt;
}

}  // namespace bodkin
