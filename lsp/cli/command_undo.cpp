// bodkin undo and bodkin redo: a change that is in the history is taken back, or made again, by the
// same writer as `bodkin apply`. Without an id, undo means the newest change of the folder that is
// in place, and redo what was undone last, if nothing was changed since; neither goes on to older
// ones on its own.
//
// More than 350 lines: both are the same steps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "agent/history/history.h"
#include "agent/platform/paths.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/cli/undo_words.h"
#include "lsp/folder/undo.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// "p3-RUN": how the ids of proposals look.
bool is_proposal_id(std::string_view word) {
  const size_t dash = word.find('-');
  return dash != word.npos && dash > 1 && word.starts_with('p') &&
         word.find_first_not_of("0123456789", 1) == dash &&
         word.find_first_of("./", dash) == word.npos;
}

class UndoRun {
 public:
  explicit UndoRun(const UndoCommand& options) : options_(options) { files_ = options.words; }
  int run();
  std::string changed() const { return is_written_ ? id_ : ""; }

 private:
  Result<void> open_history();
  Result<void> read_id();
  Result<ProposalRow> load(const std::string& workspace);
  Result<void> open_folder();
  Result<void> begin();
  Result<Proposal> chosen();
  std::vector<std::string> meant_paths(const Proposal& proposal) const;
  Result<UndoPlan> plan();
  Result<void> write(UndoPlan& plan);
  // `instead_of`: only as long as the history has this one; null: whatever it has.
  std::optional<Database::Failure> keep(const ProposalRow& row,
                                        const ProposalRow* instead_of = nullptr);
  std::string older_change();
  bool is_wanted();
  std::string age() const;
  int refuse(const std::string& why, int code = 1) const {
    print_undo_refusal(options_, id_, why);
    return code;
  }
  int refuse(const Error& error);
  void say(const std::string& words) const { say_as(name(), words); }
  const char* name() const { return options_.redo ? "redo" : "undo"; }

  const UndoCommand& options_;
  std::string id_;                  // empty: the last one
  bool is_named_ = false;           // by the user, with its id
  bool is_confirmed_ = false;       // by the user, though it is old
  std::set<std::string> passed_;    // which are not in the files
  std::vector<std::string> files_;  // as they were given
  std::optional<HistoryStore> store_;
  std::string unwritable_;  // why the history can only be read
  std::optional<ConfinedFolder> folder_;
  std::string moved_from_;  // where it was when the change was made; empty: there
  Roots roots_;
  ProposalRow row_;
  std::unique_ptr<Writing> writing_;
  std::string title_;    // named() it
  std::string where_;    // "the files", or those that are meant
  std::string verdict_;  // when it was proposed; empty: it was applied before
  bool is_written_ = false;
};

// There may be none.
Result<void> UndoRun::open_history() {
  const std::string path = history_path();
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return {};
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

// The first word is an id or the beginning of only one, or "last", or a file. The id of a session
// means what it changed last. Errors, a sentence: not_found, invalid_input.
Result<void> UndoRun::read_id() {
  if (files_.empty()) return {};
  const std::string word = files_[0];
  std::error_code ignored;
  if (word != "last") {
    const bool is_certain = is_proposal_id(word);
    if (!is_certain && fs::exists(word, ignored)) return {};
    if (!store_) return is_certain ? std::unexpected(load("").error()) : Result<void>();
    const auto found = store_->id_of(word);
    if (!found && !is_certain && found.error().code == Error::Code::not_found) return {};
    if (!found) return std::unexpected(found.error());
    const bool is_session = store_->has_session(*found);
    id_ = !is_session     ? *found
          : options_.redo ? proposal_to_redo(*store_, *found)
                          : store_->last_applied_of(*found);
    if (id_.empty())
      return fail(Error::Code::not_found,
                  fmt::format("The session {} has nothing to {}", *found, name()));
    is_named_ = true;
  }
  files_.erase(files_.begin());
  return {};
}

Result<ProposalRow> UndoRun::load(const std::string& workspace) {
  if (!store_)
    return fail(Error::Code::not_found,
                fmt::format("Nothing to {}: the history is empty.", name()));
  auto row = id_.empty() && options_.redo ? store_->load_undone(workspace)
                                          : store_->load_proposal(id_, workspace, passed_, true);
  if (!row && row.error().code == Error::Code::unavailable)
    row.error().message =
        "The history cannot be read (" + history_path() + ": " + row.error().message + ").";
  else if (!row && id_.empty() && options_.redo && !options_.in_conversation &&
           row.error().message == "Nothing was undone.")
    row.error().message +=
        " What was discarded is applied by its id; see bodkin history show last.";
  return row;
}

// The folder that is given, or the one around the current folder; with an id the proposal's.
Result<void> UndoRun::open_folder() {
  auto folder = ConfinedFolder::open(root_of({.root = options_.root}));
  std::vector<std::string> folders;
  if (!id_.empty()) {
    const auto row = load("");
    if (!row) return std::unexpected(row.error());
    for (const std::string_view each : folders_of(row->workspace)) folders.emplace_back(each);
    const auto is_given = [&](const std::string& each) {
      std::error_code error;
      return folder && os::equivalent(each, folder->path(), error);
    };
    const auto found = std::ranges::find_if(folders, is_given);
    std::error_code error;
    const bool is_gone = folders.size() == 1 && !fs::exists(folders[0], error);
    if (found != folders.end()) {
      folders = {*found};
    } else if (is_gone && !options_.root.empty() && folder) {
      moved_from_ = folders[0];  // as the user says; what does not match its texts is left alone
      folders = {folder->path()};
    } else if (is_gone) {
      return fail(Error::Code::invalid_input,
                  fmt::format("The proposal {} belongs to {}, which no longer exists; if it "
                              "was moved, name the folder with --root.",
                              id_, plain_line(folders[0])));
    } else if ((is_named_ && !options_.root.empty()) || folders.size() != 1) {
      const std::string words = fmt::format("{}", fmt::join(folders, " and "));
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

// The given files, relative to the current folder or to the root, as the proposal's paths.
std::vector<std::string> UndoRun::meant_paths(const Proposal& proposal) const {
  std::vector<std::string> paths;
  for (const std::string& word : files_) {
    const auto is_named = [&](const std::string& path) {
      return std::ranges::any_of(proposal.files, [&](const ProposedFile& file) {
        return std::ranges::any_of(names_of(file), [&](const ProposedName* name) {
          return roots_.path_of(name->file) == path;
        });
      });
    };
    std::error_code error;
    const fs::path absolute = os::weakly_canonical(fs::absolute(word, error), error);
    const std::string here = os::text_of(absolute.lexically_relative(folder_->path()));
    paths.push_back(is_named(here) ? here : word);
  }
  return paths;
}

// Chooses the change, opens its folder, and keeps others from writing there. Errors, a sentence.
Result<void> UndoRun::begin() {
  writing_.reset();
  row_ = {};
  moved_from_.clear();
  const bool is_given = !id_.empty();
  if (const auto opened = open_folder(); !opened) return opened;
  const std::string workspace = roots_.key();
  if (!is_given) {  // one below this folder is opened with the root that it was made with
    const auto row = load(workspace);
    if (row && !share_folder(row->workspace, workspace)) {
      id_ = row->id;
      if (const auto opened = open_folder(); !opened) return opened;
    }
  }
  if (options_.diff) return {};
  auto begun = Writing::begin_command(*folder_, name());
  if (!begun) return fail(begun.error().code, begun.error().message + "; nothing was changed");
  writing_ = *std::move(begun);
  if (is_given) return {};
  // Another process may have changed something meanwhile; from now on it is this one.
  id_.clear();
  const auto row = load(workspace);
  if (row && !share_folder(row->workspace, roots_.key())) return begin();
  if (row) id_ = row->id;
  return {};
}

Result<Proposal> UndoRun::chosen() {
  const auto row = load(roots_.key());
  if (!row) return std::unexpected(row.error());
  row_ = *row;
  id_ = row_.id;
  auto proposal = proposal_of(row_);
  if (!moved_from_.empty() && proposal) {
    row_.workspace = roots_.key();
    for (ProposedFile& file : proposal->files)
      for (ProposedName* name : names_of(file))
        if (name->file.folder == moved_from_) name->file.folder = folder_->path();
  }
  return proposal;
}

Result<UndoPlan> UndoRun::plan() {
  auto proposal = chosen();
  if (!proposal) return std::unexpected(proposal.error());
  title_ = named(*proposal);
  const std::vector<std::string> only = meant_paths(*proposal);
  where_ = only.empty() ? "the files" : in_words(only);
  const FilesNow now = files_now(*folder_);
  const bool was_applied = proposal->any_hunk(&ProposedHunk::was_applied);
  verdict_ = was_applied ? "" : in_words(proposal->verification);
  // The user names it, so it is meant even if it was discarded.
  const Redoes redoes = is_named_ ? Redoes::also_discarded : Redoes::undone;
  return options_.redo ? plan_redo(*std::move(proposal), roots_, now, only, redoes)
                       : plan_undo(*std::move(proposal), roots_, now, only);
}

Result<void> UndoRun::write(UndoPlan& plan) {
  auto writes =
      writes_of(plan.files, *folder_, options_.redo ? Texts::added : Texts::restored, plan.removed);
  if (!writes) return std::unexpected(writes.error());
  if (const auto can = check_writes(*folder_, *writes); !can) return can;
  std::set<std::string>& made = plan.after.made_folders;
  if (options_.redo) made.merge(folders_to_make(*folder_, plan.files));
  const auto meanwhile = row_meanwhile(plan.before, plan.after, row_.session, row_.workspace);
  keep(meanwhile);
  if (const auto done = writing_->write(*writes); !done) return keep(row_, &meanwhile), done;
  if (const std::string& words = writing_->in_place_words(); !words.empty()) say_as(name(), words);
  if (!options_.redo) remove_made_folders(*folder_, made);
  return {};
}

std::optional<Database::Failure> UndoRun::keep(const ProposalRow& row,
                                               const ProposalRow* instead_of) {
  if (!unwritable_.empty()) return Database::Failure{unwritable_};
  return store_->commit([&] {
    if (instead_of)
      if (const auto now = store_->load_proposal(row.id, ""); !now || now->data != instead_of->data)
        return;
    store_->put_proposal(row);
    if (!moved_from_.empty()) store_->move_proposal(row.id, row.workspace);
  });
}

// " An earlier change, “Wider” (a.c): bodkin undo p1-…": the newest one that can be undone.
std::string UndoRun::older_change() {
  constexpr size_t kMaxTried = 20;
  const std::string own = id_;
  std::string found;
  while (passed_.size() < kMaxTried) {
    passed_.insert(std::exchange(id_, ""));
    if (!begin()) break;
    const auto older = plan();
    if (older)
      found = fmt::format(" An earlier change, {}: {} {}", title_,
                          options_.in_conversation ? "/undo" : "bodkin undo", id_);
    if (older || row_.id.empty()) break;
  }
  id_ = own;
  return found;
}

// Reports a plan that cannot be made.
int UndoRun::refuse(const Error& error) {
  const bool is_found = !row_.id.empty(), is_unknown = error.code == Error::Code::not_found;
  if (std::error_code ignored; is_found && is_unknown && !files_.empty() &&
                               files_ == options_.words && !fs::exists(files_[0], ignored))
    return refuse(
        plain_line(files_[0]) + " is neither an id nor a file of the last change: " + error.message,
        2);
  if (is_named_ || !is_found || is_unknown)
    return refuse(error.message, is_found && is_unknown ? 2 : 1);
  const bool is_gone = error.code == Error::Code::unavailable && !title_.empty() && !options_.redo;
  const std::string why =
      with_root(is_gone ? fmt::format("{} is not in {} any more.", title_, where_) : error.message,
                folder_->path());
  const std::string older = options_.redo ? "" : older_change();
  return refuse((is_gone && older.empty() ? "Nothing to undo: " : "") + why + older);
}

// " 3 days ago", if it was applied, or undone, so long ago that it may not be the one that is
// meant.
std::string UndoRun::age() const {
  constexpr int64_t kDay = int64_t{24} * 60 * 60 * 1000;  // ms
  const int64_t days =
      (history_time() - (options_.redo ? row_.undone : row_.applied).value_or(0)) / kDay;
  return is_named_ || days < 1 ? ""
                               : fmt::format(" {} ago", counted(static_cast<size_t>(days), "day"));
}

// Asks about an old one, while nothing is locked.
bool UndoRun::is_wanted() {
  writing_.reset();
  is_confirmed_ = true;
  return ask_for_key(fmt::format("{} was {}{}. {} it? [y]es, [n]o ", plain_line(title_),
                                 options_.redo ? "undone" : "applied", age(),
                                 options_.redo ? "Reapply" : "Undo"),
                     "yn", 'n') == 'y';
}

int UndoRun::run() {
  if (const auto opened = open_history(); !opened) return refuse(opened.error().message);
  if (const auto one = read_id(); !one) return refuse(one.error().message);
  for (;;) {
    const auto begun = begin();
    if (!begun)
      return refuse(begun.error().message,
                    begun.error().code == Error::Code::invalid_input ? 2 : 1);
    auto made = plan();
    // It was about to be written when everything ended.
    if (!made && made.error().code == Error::Code::unavailable && !is_named_ && !options_.redo &&
        row_.outcome == name_of(Proposal::State::unknown)) {
      passed_.insert(std::exchange(id_, ""));
      continue;
    }
    if (!made) return refuse(made.error());
    const bool may_ask = !options_.diff && !options_.json && !is_confirmed_ && can_ask_user();
    if (may_ask && !age().empty()) {
      if (is_wanted()) continue;
      return refuse("nothing was changed");
    }
    if (!options_.diff) {
      if (const auto done = write(*made); !done)
        return refuse(done.error().message + "; nothing was changed");
      is_written_ = true;
      if (const auto failure = keep(row_of(made->after, row_.session, row_.workspace)))
        say(fmt::format("The history still lists it as it was, because it cannot be written ({}).",
                        failure->message));
    }
    print_undo(options_, {.plan = *made,
                          .id = id_,
                          .root = folder_->path(),
                          .verdict = verdict_,
                          .age = age(),
                          .is_written = is_written_});
    return made->left_out.empty() ? 0 : 1;
  }
}

}  // namespace

int undo_command(const UndoCommand& options, std::string* changed) {
  UndoRun run(options);
  const int code = run.run();
  if (changed) *changed = run.changed();
  return code;
}

}  // namespace bodkin
