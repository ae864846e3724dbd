// bodkin undo and bodkin redo: a change that is in the history is taken back, or made again, by the
// same writer as `bodkin apply`.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "agent/history/history.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_diff.h"
#include "lsp/folder/undo.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// "p3-RUN": how the ids of proposals look.
bool is_proposal_id(std::string_view word) {
  const size_t dash = word.find('-');
  const std::string_view number = word.substr(0, dash);
  return dash != word.npos && number.size() > 1 && number[0] == 'p' &&
         number.find_first_not_of("0123456789", 1) == number.npos && dash + 1 < word.size() &&
         word.find_first_of("./", dash) == word.npos;
}

class UndoRun {
 public:
  explicit UndoRun(const UndoCommand& options) : options_(options) {
    files_ = options.words;
    if (!files_.empty() && (files_[0] == "last" || is_proposal_id(files_[0]))) {
      if (files_[0] != "last") id_ = files_[0];
      files_.erase(files_.begin());
    }
  }
  int run();

 private:
  Result<void> open_history();
  Result<ProposalRow> load(const std::string& workspace);
  Result<void> open_folder();
  Result<std::vector<std::string>> meant_paths(const Proposal& proposal) const;
  Result<UndoPlan> plan();
  void keep(const UndoPlan& plan);
  void print(const UndoPlan& plan, bool is_written) const;
  int refuse(const std::string& why, int code = 1) const {
    if (options_.json) {
      put(stdout, text_of_json({{"proposal", id_}, {"written", false}, {"error", why}}) + "\n");
      return code;
    }
    say(why);
    return code;
  }
  void say(const std::string& words) const {
    const bool is_ended = !words.empty() && std::string_view(".!?").contains(words.back());
    put(stderr, folded(fmt::format("bodkin {}: {}{}", name(), words, is_ended ? "" : ".")) + "\n");
  }
  const char* name() const { return options_.redo ? "redo" : "undo"; }

  const UndoCommand& options_;
  std::string id_;                  // empty: the last one
  std::vector<std::string> files_;  // as they were given
  std::optional<HistoryStore> store_;
  std::string unwritable_;  // why the history can only be read
  std::optional<ConfinedFolder> folder_;
  Roots roots_;
  ProposalRow row_;
};

Result<void> UndoRun::open_history() {
  const std::string path = history_path();
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored))
    return fail(Error::Code::not_found,
                "Nothing to " + std::string(name()) + ": the history is empty.");
  for (const auto access : {Database::Access::create, Database::Access::read_only}) {
    auto store = HistoryStore::open(path, access);
    if (store) {
      store_.emplace(*std::move(store));
      return {};
    }
    unwritable_ = store.error().message;
  }
  return fail(Error::Code::unavailable,
              "The history cannot be read (" + path + ": " + unwritable_ + ").");
}

Result<ProposalRow> UndoRun::load(const std::string& workspace) {
  auto row = id_.empty() && options_.redo ? store_->load_undone(workspace)
                                          : store_->load_proposal(id_, workspace);
  if (!row && row.error().code == Error::Code::unavailable)
    row.error().message =
        "The history cannot be read (" + history_path() + ": " + row.error().message + ").";
  return row;
}

// The folder that is given, or the one around the current folder; with an id the proposal's.
Result<void> UndoRun::open_folder() {
  const std::string given = root_of({.root = options_.root});
  auto folder = ConfinedFolder::open(given);
  std::vector<std::string> folders;
  if (!id_.empty()) {
    const auto row = load("");
    if (!row) return std::unexpected(row.error());
    for (size_t at = 0; at < row->workspace.size();) {
      const size_t end = std::min(row->workspace.find('\n', at), row->workspace.size());
      folders.push_back(row->workspace.substr(at, end - at));
      at = end + 1;
    }
    const auto is_given = [&](const std::string& each) {
      std::error_code error;
      return folder && fs::equivalent(each, folder->path(), error);
    };
    const auto found = std::ranges::find_if(folders, is_given);
    if (found != folders.end()) {
      folders = {*found};
    } else if (!options_.root.empty() || folders.size() != 1) {
      std::string words;
      for (const std::string& each : folders) words += (words.empty() ? "" : " and ") + each;
      return fail(Error::Code::invalid_input,
                  fmt::format("The proposal {} belongs to {}; name the folder with --root.", id_,
                              words.empty() ? "no folder" : plain_line(words)));
    }
    folder = ConfinedFolder::open(folders[0]);
  }
  if (!folder) return std::unexpected(folder.error());
  // Under the name by which the proposal knows it.
  roots_ = Roots{{"workspace", folders.empty() ? folder->path() : folders[0]}};
  folder_.emplace(*std::move(folder));
  return {};
}

// The given files as the proposal's paths: they are relative to the current folder, or to the root.
Result<std::vector<std::string>> UndoRun::meant_paths(const Proposal& proposal) const {
  std::vector<std::string> paths;
  for (const std::string& word : files_) {
    const auto is_named = [&](const std::string& path) {
      return std::ranges::any_of(proposal.files, [&](const ProposedFile& file) {
        return roots_.path_of(file.name.file) == path ||
               (file.moved_to && roots_.path_of(file.moved_to->file) == path) ||
               (file.moved_from && roots_.path_of(file.moved_from->file) == path);
      });
    };
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(fs::absolute(word, error), error);
    const std::string here = absolute.lexically_relative(folder_->path()).string();
    paths.push_back(!is_named(here) && is_named(word) ? word : error ? word : here);
  }
  return paths;
}

Result<UndoPlan> UndoRun::plan() {
  auto row = load(roots_.key());
  if (!row) return std::unexpected(row.error());
  row_ = *std::move(row);
  id_ = row_.id;
  auto proposal = proposal_of(row_);
  if (!proposal) return std::unexpected(proposal.error());
  const auto only = meant_paths(*proposal);
  if (!only) return std::unexpected(only.error());
  const FolderFiles files(*folder_);
  const FilesNow now{[&](const std::string& path) { return files.read(path); },
                     [&](const std::string& path) {
                       struct stat status {};
                       return ::fstatat(folder_->number(), path.c_str(), &status,
                                        AT_SYMLINK_NOFOLLOW) == 0;
                     }};
  return options_.redo ? plan_redo(*std::move(proposal), roots_, now, *only)
                       : plan_undo(*std::move(proposal), roots_, now, *only);
}

void UndoRun::keep(const UndoPlan& plan) {
  constexpr int kTries = 8;  // of a quarter of a second each
  Database& database = store_->database();
  std::string why = unwritable_;
  for (int i = 0; i < kTries && unwritable_.empty(); ++i) {
    database.execute("BEGIN IMMEDIATE");
    store_->put_proposal(row_of(plan.after, row_.session, row_.workspace));
    database.execute("COMMIT");
    const auto failure = database.failure();
    if (!failure) return;
    why = failure->message;
    database.roll_back();
    if (!failure->is_busy) break;
  }
  say(fmt::format("The history still lists it as it was, because it cannot be written ({}).", why));
}

void UndoRun::print(const UndoPlan& plan, bool is_written) const {
  if (options_.json) {
    json files = json::array();
    for (const ChangedFile& file : plan.files) {
      files.push_back({{"path", file.path}, {"state", state_of(file)}, {"diff", diff_of(file)}});
      if (file.rename_to) files.back()["to"] = *file.rename_to;
    }
    put(stdout, text_of_json({{"proposal", id_},
                              {"title", plan.after.title},
                              {"written", is_written},
                              {"files", std::move(files)},
                              {"left_out", plan.left_out},
                              {"reason", plan.why_left_out}}) +
                    "\n");
    return;
  }
  if (is_written) {
    for (const ChangedFile& file : plan.files)
      put(stdout, fmt::format("{} {}{}\n", state_of(file), plain_line(file.path),
                              file.rename_to ? " -> " + plain_line(*file.rename_to) : ""));
  } else {
    print_diff(diff_of(plan.files));
    std::fflush(stdout);
  }
  if (!plan.left_out.empty())
    say(fmt::format("Left as {}: {}.", plan.left_out.size() == 1 ? "it is" : "they are",
                    plain_line(plan.why_left_out)));
  if (!is_written) return;
  put(stderr,
      folded(fmt::format("“{}” is {}. {}: bodkin {} {}", plain_line(plan.after.title),
                         options_.redo ? "applied again" : "undone",
                         options_.redo ? "Undo" : "Redo", options_.redo ? "undo" : "redo", id_)) +
          "\n");
}

int UndoRun::run() {
  if (const auto opened = open_history(); !opened) return refuse(opened.error().message);
  if (const auto opened = open_folder(); !opened)
    return refuse(opened.error().message,
                  opened.error().code == Error::Code::invalid_input ? 2 : 1);
  std::unique_ptr<Writing> writing;
  if (!options_.diff) {
    auto begun = Writing::begin(*folder_, name());
    if (!begun) return refuse(begun.error().message + "; nothing was changed");
    writing = *std::move(begun);
  }
  const bool names_none = id_.empty();
  const auto made = plan();
  if (!made) {
    const bool is_unknown_file = made.error().code == Error::Code::not_found && !row_.id.empty();
    std::string why = made.error().message;
    if (names_none && made.error().code == Error::Code::stale)
      why += " Older changes have ids: bodkin history show SESSION.";
    return refuse(why, is_unknown_file ? 2 : 1);
  }
  const int code = made->left_out.empty() ? 0 : 1;
  if (options_.diff) return print(*made, false), code;
  const auto cannot = [&](const Error& error) {
    return refuse(error.message + "; nothing was changed");
  };
  const auto writes = writes_of(made->files, *folder_);
  if (!writes) return cannot(writes.error());
  if (const auto can = check_writes(*folder_, *writes); !can) return cannot(can.error());
  if (const auto done = writing->write(*writes); !done) return cannot(done.error());
  keep(*made);
  print(*made, true);
  return code;
}

}  // namespace

int undo_command(const UndoCommand& options) { return UndoRun(options).run(); }

}  // namespace bodkin
