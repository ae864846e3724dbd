// bodkin undo and bodkin redo: a change that is in the history is taken back, or made again, by the
// same writer as `bodkin apply`. With --json: {"proposal", "title", "written", "files": [{"path",
// "state", "to"?, "diff"}], "left_out", "reason", "root"}, or {"proposal", "written", "error"};
// paths are relative to the root.
//
// More than 350 lines: undo and redo are one run in two directions over two stores, the history and
// the journal of `bodkin apply`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "agent/history/history.h"
#include "agent/support/json.h"
#include "agent/support/real_path.h"
#include "agent/support/shown_text.h"
#include "agent/support/state_folder.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/apply/kept_changes.h"
#include "lsp/apply/write_journal.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_diff.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/folder/ask_history.h"
#include "lsp/folder/undo.h"
#include "lsp/sessions/proposal_record.h"
#include "lsp/workspace/ask_settings.h"

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

// The same, after all of it was undone.
Result<Proposal> as_undone_proposal(const KeptChange& change, const Roots& roots) {
  const FilesNow then{[&](const std::string& path) -> std::optional<Text> {
                        for (const KeptFile& file : change.files)
                          if (file.rename_to.value_or(file.path) == path) return file.after;
                        return std::nullopt;
                      },
                      [](const std::string&) { return false; }};
  auto plan = plan_undo(as_proposal(change, roots), roots, then);
  if (!plan) return std::unexpected(plan.error());
  return std::move(plan->after);
}

class UndoRun {
 public:
  explicit UndoRun(const UndoCommand& options) : options_(options) {
    files_ = options.words;
    if (!files_.empty() && (files_[0] == "last" || is_proposal_id(files_[0]))) {
      if (files_[0] != "last") id_ = files_[0];
      is_named_ = !id_.empty();
      files_.erase(files_.begin());
    }
  }
  int run();
  std::string changed() const { return is_written_ ? id_ : ""; }

 private:
  Result<void> open_history();
  Result<void> complete_id();
  Result<ProposalRow> load(const std::string& workspace);
  Result<void> open_folder();
  void choose_change();
  Result<void> begin();
  Result<Proposal> chosen();
  Result<std::vector<std::string>> meant_paths(const Proposal& proposal) const;
  Result<UndoPlan> plan();
  Result<void> write(UndoPlan& plan);
  void keep(const UndoPlan& plan);
  bool is_part(const UndoPlan& plan) const { return !files_.empty() || !plan.left_out.empty(); }
  std::string older_change();
  std::string passed_in_words(std::string words) const;
  void print(const UndoPlan& plan, bool is_written) const;
  std::string shown_path(const std::string& path) const;
  std::string with_root(std::string words) const;
  int refuse(const std::string& why, int code = 1) const {
    if (options_.json) {
      put_bytes(stdout,
                text_of_json({{"proposal", id_}, {"written", false}, {"error", why}}) + "\n");
      return code;
    }
    say(why);
    return code;
  }
  void say(const std::string& words) const { say_as(name(), words); }
  const char* name() const { return options_.redo ? "redo" : "undo"; }

  const UndoCommand& options_;
  std::string id_;                  // empty: the last one
  bool is_named_ = false;           // by the user, with its id
  std::set<std::string> passed_;    // which are not applied any more, though nobody has undone them
  std::vector<std::string> files_;  // as they were given
  std::optional<HistoryStore> store_;
  std::string unwritable_;  // why the history can only be read
  std::optional<ConfinedFolder> folder_;
  std::string moved_from_;  // where it was when the change was made; empty: there
  Roots roots_;
  ProposalRow row_;
  std::optional<KeptChange> kept_;  // in place of the row
  std::unique_ptr<Writing> writing_;
  std::string verdict_;      // when it was proposed
  bool was_applied_ = true;  // at any time
  bool goes_back_ = true;    // what is done now can be taken back
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

// The beginning of only one id means that. Error, a sentence: not_found.
Result<void> UndoRun::complete_id() {
  std::set<std::string> found;
  for (std::string& id : kept_ids())
    if (KeptChange change{.id = std::move(id)}; id_of(change).starts_with(id_))
      found.insert(id_of(change));
  if (store_)
    for (std::string& id : store_->proposals_beginning(id_)) found.insert(std::move(id));
  if (found.size() > 1 && !found.contains(id_))
    return fail(Error::Code::not_found,
                fmt::format("{} changes begin with {}: {}, {}{}", found.size(), id_, *found.begin(),
                            *std::next(found.begin()), found.size() > 2 ? ", …" : "."));
  if (found.size() == 1) id_ = *found.begin();
  return {};
}

Result<ProposalRow> UndoRun::load(const std::string& workspace) {
  if (!store_)
    return fail(Error::Code::not_found,
                "Nothing to " + std::string(name()) + ": the history is empty.");
  auto row = id_.empty() && options_.redo ? store_->load_undone(workspace, passed_)
                                          : store_->load_proposal(id_, workspace, passed_, true);
  if (!row && row.error().code == Error::Code::unavailable)
    row.error().message =
        "The history cannot be read (" + history_path() + ": " + row.error().message + ").";
  else if (!row && id_.empty() && options_.redo)
    row.error().message +=
        options_.in_conversation
            ? ""
            : " What was discarded is applied by its id; see bodkin history show last.";
  return row;
}

// The folder that is given, or the one around the current folder; with an id the proposal's.
Result<void> UndoRun::open_folder() {
  auto folder = ConfinedFolder::open(kept_ ? kept_->root : root_of({.root = options_.root}));
  std::vector<std::string> folders;
  if (!id_.empty() && !kept_) {
    const auto row = load("");
    if (!row) return std::unexpected(row.error());
    for (const std::string_view each : folders_of(row->workspace)) folders.emplace_back(each);
    const auto is_given = [&](const std::string& each) {
      std::error_code error;
      return folder && fs::equivalent(each, folder->path(), error);
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
    paths.push_back(is_named(here) ? here : word);
  }
  return paths;
}

// A change of `bodkin apply` or an agent is not in the history until it is undone. It is the last
// change if it is younger than the history's. One below this folder is opened with the root that it
// was made with.
void UndoRun::choose_change() {
  kept_.reset();
  const std::string below = folder_ ? folder_->path() : "";
  const auto is_meant = [&](const KeptChange& change) {
    const std::string id = id_of(change);
    if (passed_.contains(id)) return false;
    if (is_named_) return id == id_;
    return !is_gone(change.root) && std::ranges::all_of(change.files, [&](const KeptFile& file) {
      return lies_in(change.root + "/" + file.path, below);
    });
  };
  auto found = newest_change(is_meant, options_.redo ? Kept::undone : Kept::made);
  if (!is_named_) {
    const auto row = load(roots_.key());
    const auto time_of = [&] {
      if (!options_.redo) return row->applied.value_or(0);
      const auto undone = proposal_of(*row);
      return undone ? last_put_aside(*undone) : 0;
    };
    if (row && (!found || time_of() > found->time)) {
      if (!share_folder(row->workspace, roots_.key())) id_ = row->id;
      return;
    }
  }
  if (!found) return;
  id_ = id_of(*found);
  kept_ = std::move(found);
}

// Chooses the change, opens its folder, and keeps others from writing there. Errors, a sentence.
Result<void> UndoRun::begin() {
  kept_.reset();
  writing_.reset();
  row_ = {};
  moved_from_.clear();
  if (is_named_) choose_change();
  if (const auto opened = open_folder(); !opened) return opened;
  if (!is_named_) {
    choose_change();
    if (!id_.empty())
      if (const auto opened = open_folder(); !opened) return opened;
  }
  if (options_.diff) return {};
  auto begun = Writing::begin_command(*folder_, name());
  if (!begun) return fail(begun.error().code, begun.error().message + "; nothing was changed");
  writing_ = *std::move(begun);
  return {};
}

Result<Proposal> UndoRun::chosen() {
  if (kept_) {
    if (writing_) {  // another process may have taken it back
      const auto still =
          kept_change(writing_->journals(), kept_->id, options_.redo ? Kept::undone : Kept::made);
      if (!still)
        return fail(
            Error::Code::unavailable,
            fmt::format("The change {} was {}.", id_, options_.redo ? "applied again" : "undone"));
    }
    return options_.redo ? as_undone_proposal(*kept_, roots_)
                         : Result<Proposal>(as_proposal(*kept_, roots_));
  }
  auto row = load(roots_.key());
  if (!row) return std::unexpected(row.error());
  row_ = *std::move(row);
  id_ = row_.id;
  auto proposal = proposal_of(row_);
  if (!moved_from_.empty() && proposal) {
    row_.workspace = roots_.key();
    for (ProposedFile& file : proposal->files)
      for (ProposedName* name : {&file.name, file.moved_to ? &*file.moved_to : nullptr,
                                 file.moved_from ? &*file.moved_from : nullptr})
        if (name && name->file.folder == moved_from_) name->file.folder = folder_->path();
  }
  return proposal;
}

Result<UndoPlan> UndoRun::plan() {
  auto proposal = chosen();
  if (!proposal) return std::unexpected(proposal.error());
  const auto only = meant_paths(*proposal);
  if (!only) return std::unexpected(only.error());
  const FilesNow now = files_now(*folder_);
  was_applied_ = std::ranges::any_of(proposal->files, [](const ProposedFile& file) {
    return std::ranges::any_of(file.hunks, &ProposedHunk::was_applied);
  });
  verdict_ = in_words(proposal->verification);
  // The user names it, so it is meant even if it was discarded.
  const Redoes redoes = is_named_ ? Redoes::also_discarded : Redoes::undone;
  return options_.redo ? plan_redo(*std::move(proposal), roots_, now, *only, redoes)
                       : plan_undo(*std::move(proposal), roots_, now, *only);
}

Result<void> UndoRun::write(UndoPlan& plan) {
  Encodings removed_in;
  for (const ProposedFile& file : plan.after.files)
    if (file.encoding && !options_.redo) removed_in[file.name.path] = *file.encoding;
  auto writes =
      writes_of(plan.files, *folder_, options_.redo ? Texts::added : Texts::restored, removed_in);
  if (!writes) return std::unexpected(writes.error());
  if (kept_) {
    for (FileWrite& write : *writes) {
      const auto file = std::ranges::find(kept_->files, write.path, &KeptFile::path);
      if (file != kept_->files.end()) write.mode = file->mode.value_or(write.mode);
    }
  }
  if (const auto can = check_writes(*folder_, *writes); !can) return can;
  const std::vector<std::string>& before = plan.after.made_folders;
  std::set<std::string> made(before.begin(), before.end());
  if (options_.redo) made.merge(folders_to_make(*folder_, plan.files));
  if (const auto done = writing_->write(*writes); !done) return done;
  if (const std::string& words = writing_->in_place_words(); !words.empty()) say_as(name(), words);
  if (!options_.redo) remove_made_folders(*folder_, made);
  plan.after.made_folders.assign(made.begin(), made.end());
  return {};
}

void UndoRun::keep(const UndoPlan& plan) {
  constexpr int kTries = 8;  // of a quarter of a second each
  if (kept_) {               // from now on it is in the history, to be redone
    lsp::Settings settings;
    settings.set(lsp::Settings::Layer::user_file, lsp::user_settings());
    const bool is_wanted = lsp::history_limits(settings).days > 0;
    if (!store_ && is_wanted && make_private_folder(fs::path(history_path()).parent_path()))
      if (auto store = HistoryStore::open(history_path(), Database::Access::create))
        store_.emplace(*std::move(store));
    if (options_.redo || !store_ || !is_wanted ||
        std::ranges::any_of(plan.after.files, is_kept_in_part)) {
      goes_back_ = !is_part(plan);  // else the rest of it still can be
      if (goes_back_)
        set_kept(writing_->journals(), kept_->id, options_.redo ? Kept::made : Kept::undone);
      return;
    }
  }
  Database& database = store_->database();
  std::string why = unwritable_;
  for (int i = 0; i < kTries && unwritable_.empty(); ++i) {
    database.execute("BEGIN IMMEDIATE");
    store_->put_proposal(row_of(plan.after, row_.session, kept_ ? roots_.key() : row_.workspace));
    if (!moved_from_.empty()) store_->move_proposal(row_.id, row_.workspace);
    database.execute("COMMIT");
    const auto failure = database.failure();
    if (!failure) {
      if (kept_) forget_change(writing_->journals(), kept_->id);
      return;
    }
    why = failure->message;
    database.roll_back();
    if (!failure->is_busy) break;
  }
  say(fmt::format("The history still lists it as it was, because it cannot be written ({}).", why));
}

// Relative to the current folder, if it is in there.
std::string UndoRun::shown_path(const std::string& path) const {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const std::string full = folder_->path() + "/" + path;
  return plain_line(lies_in(full, here) ? fs::path(full).lexically_relative(here).string() : full);
}

// A message about paths, which are relative to the root.
std::string UndoRun::with_root(std::string words) const {
  std::error_code error;
  if (!folder_ || fs::equivalent(folder_->path(), ".", error)) return words;
  if (!words.ends_with('.')) words += '.';
  return words + " Paths are relative to " + plain_line(folder_->path()) + ".";
}

void UndoRun::print(const UndoPlan& plan, bool is_written) const {
  if (options_.json) {
    json files = json::array();
    for (const ChangedFile& file : plan.files) {
      files.push_back({{"path", file.path}, {"state", state_of(file)}, {"diff", diff_of(file)}});
      if (file.rename_to) files.back()["to"] = *file.rename_to;
    }
    put_bytes(stdout, text_of_json({{"proposal", id_},
                                    {"title", plan.after.title},
                                    {"written", is_written},
                                    {"files", std::move(files)},
                                    {"left_out", plan.left_out},
                                    {"reason", plan.why_left_out},
                                    {"root", folder_->path()}}) +
                          "\n");
    return;
  }
  if (is_written) {
    for (const ChangedFile& file : plan.files)
      put(stdout, fmt::format("{} {}{}\n", state_of(file), shown_path(file.path),
                              file.rename_to ? " -> " + shown_path(*file.rename_to) : ""));
  } else {
    print_diff(diff_of(plan.files));
    std::fflush(stdout);
  }
  if (!plan.left_out.empty())
    say(with_root(fmt::format("Left as {}: {}.", plan.left_out.size() == 1 ? "it is" : "they are",
                              plain_line(plan.why_left_out))));
  if (!was_applied_ && !verdict_.empty())
    put(stderr, folded("When it was proposed: " + verdict_ + ".") + "\n");
  if (!is_written) return;
  std::vector<std::string> paths;
  for (const ChangedFile& file : plan.files) paths.push_back(shown_path(file.path));
  constexpr size_t kFew = 3;
  const std::string where = paths.size() > kFew ? counted(paths.size(), "file")
                                                : fmt::format("{}", fmt::join(paths, ", "));
  std::string words = fmt::format("“{}” is {}{}.", plain_line(plan.after.title),
                                  !options_.redo ? "undone"
                                  : was_applied_ ? "applied again"
                                                 : "applied",
                                  is_part(plan) ? " in " + where : "");
  const char* const back = options_.redo ? "undo" : "redo";
  if (goes_back_)
    words += fmt::format(" {}: {}", options_.redo ? "Undo" : "Redo",
                         options_.in_conversation ? fmt::format("/{}", back)
                                                  : fmt::format("bodkin {} {}", back, id_));
  put(stderr, folded(words) + "\n");
}

// " The change before it, “Wider” (a.c): bodkin undo p1-…", if the last one cannot be undone.
std::string UndoRun::older_change() {
  passed_.insert(std::exchange(id_, ""));
  if (!begin()) return "";
  const auto older = chosen();
  return older ? fmt::format(" The change before it, {}: {} {}", named(*older),
                             options_.in_conversation ? "/undo" : "bodkin undo", id_)
               : "";
}

// "“Wider” (a.c) is not applied. The same is true of the 3 changes before it."
std::string UndoRun::passed_in_words(std::string words) const {
  if (const size_t more = passed_.size() - 1; more > 0)
    words += more == 1 ? " The same is true of the change before it."
                       : fmt::format(" The same is true of the {} changes before it.", more);
  return words;
}

int UndoRun::run() {
  // Changes that `bodkin apply` keeps for itself need no history.
  if (const auto opened = open_history(); !opened && !id_.starts_with("p0-"))
    return refuse(opened.error().message);
  // The id of a session means what it changed last.
  if (std::error_code error; store_ && !is_named_ && !files_.empty() &&
                             !fs::exists(files_[0], error) && store_->has_session(files_[0])) {
    id_ = store_->proposal_of_session(files_[0], !options_.redo);
    if (id_.empty())
      return refuse(fmt::format("The session {} has nothing to {}", files_[0], name()));
    is_named_ = true;
    files_.erase(files_.begin());
  }
  if (is_named_)
    if (const auto one = complete_id(); !one) return refuse(one.error().message);
  std::string passed;  // why the last change is not taken
  for (;;) {
    const auto begun = begin();
    auto made = begun ? plan() : Result<UndoPlan>(std::unexpected(begun.error()));
    const bool goes_on = begun && !made && !is_named_ && (kept_ || !row_.id.empty()) &&
                         made.error().code == Error::Code::unavailable;
    if (goes_on) {
      if (passed.empty()) passed = made.error().message;
      passed_.insert(std::exchange(id_, ""));
      continue;
    }
    const bool has_change = kept_ || !row_.id.empty();
    if (!passed.empty() && !made && !has_change && made.error().code == Error::Code::not_found)
      return refuse(fmt::format("Nothing to {}: {}", name(), passed_in_words(std::move(passed))));
    if (!passed.empty() && !options_.json)
      say(passed_in_words(std::move(passed)) + " Going on to the change before " +
          (passed_.size() == 1 ? "it" : "them"));
    if (!begun)
      return refuse(begun.error().message,
                    begun.error().code == Error::Code::invalid_input ? 2 : 1);
    if (made) {
      const int code = made->left_out.empty() ? 0 : 1;
      if (options_.diff) return print(*made, false), code;
      if (const auto done = write(*made); !done)
        return refuse(done.error().message + "; nothing was changed");
      is_written_ = true;
      keep(*made);
      print(*made, true);
      return code;
    }
    const bool is_found = kept_ || !row_.id.empty();
    const Error error = made.error();
    if (std::error_code ignored; is_found && error.code == Error::Code::not_found &&
                                 files_ == options_.words && !fs::exists(files_[0], ignored))
      return refuse(plain_line(files_[0]) +
                        " is neither an id nor a file of the last change: " + error.message,
                    2);
    if (is_named_ || !is_found || error.code == Error::Code::not_found)
      return refuse(error.message, is_found && error.code == Error::Code::not_found ? 2 : 1);
    const std::string why = with_root(error.message);
    return refuse(error.code == Error::Code::stale ? why + older_change() : why);
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
