// bodkin history: lists, shows, exports and clears what was asked.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "agent/history/hidden.h"
#include "agent/history/history.h"
#include "agent/platform/terminal.h"
#include "agent/support/json.h"
#include "agent/support/real_path.h"
#include "agent/support/shown_text.h"
#include "agent/support/user_folders.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/cli/typed_requests.h"
#include "lsp/sessions/history_text.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxListed = 100'000;
constexpr const char* kEmpty = "The history is empty.\n";
constexpr const char* kNoSessions = "There are no sessions of this folder.\n";

int cannot(const std::string& why) {
  say_as("history", why);
  return 1;
}

int cannot_read(const std::string& path, const Database::Failure& failure) {
  const bool is_damaged = failure.is_lost && !failure.message.ends_with("full");
  return cannot(path + ": " + failure.message +
                (is_damaged ? "; bodkin history clear starts a new one" : ""));
}

void print_whole(const json& value) { put_bytes(stdout, text_of_json(value, 2) + "\n"); }

// The width of a line; 0: unlimited.
size_t terminal_width() { return os::is_terminal(1) ? columns(1) - 1 : 0; }

// Reads each file once, however many changes it has.
HistoryStore::HashNow hash_now() {
  using Hash = std::optional<std::string>;
  return [folders = std::map<std::string, std::shared_ptr<ConfinedFolder>>(),
          hashes = std::map<std::pair<std::string, std::string>, Hash>()](
             const std::string& workspace, const std::string& path) mutable -> Hash {
    const auto [place, is_new] = hashes.try_emplace({workspace, path});
    if (!is_new) return place->second;
    const auto [folder, is_other] = folders.try_emplace(workspace);
    if (is_other)
      if (auto opened = ConfinedFolder::open(workspace))
        folder->second = std::make_shared<ConfinedFolder>(*std::move(opened));
    if (!folder->second) return std::nullopt;
    if (const auto text = FolderFiles(*folder->second).read(path))
      place->second = address_of(text->str());
    return place->second;
  };
}

struct Listed {
  std::string id;
  bool is_here = false;  // of this folder, or one below it
  int64_t time = 0;
  std::string line;
  json entry;
};

template <class Row>
void add(std::vector<Listed>& all, const Row& row, int64_t time, const std::string& here) {
  Listed listed{
      .id = row.id, .time = time, .line = line_of(row, terminal_width()), .entry = json_of(row)};
  for (const std::string_view folder : folders_of(row.workspace))
    listed.is_here |= lies_in(std::string(folder), here);
  all.push_back(std::move(listed));
}

void bring_up_to_date(HistoryStore& store, SessionRow& row, const HistoryStore::HashNow& now) {
  row.proposal = store.outcome_now(row.proposal_id, now);
  if (!row.applied.empty()) row.applied = store.outcome_now(store.last_applied_of(row.id), now);
}

// "applied: 2 of 3 changes", as it is shown, where that is not all of it.
std::string with_parts(HistoryStore& store, const std::string& outcome, const std::string& id) {
  const size_t end = std::min(outcome.find(','), outcome.size());
  const std::string_view word = std::string_view(outcome).substr(0, end);
  if (word != "applied" && word != "partly") return outcome;
  const auto proposal = proposal_of(store.load_proposal(id, ""));
  if (!proposal) return outcome;
  using State = ProposedHunk::State;
  size_t in_place = 0;
  for (const ProposedFile& file : proposal->files)
    for (const ProposedHunk& hunk : file.hunks)
      in_place += hunk.state == State::applied || (hunk.state == State::stale && hunk.was_applied);
  const size_t all = proposal->hunk_count();
  if (in_place == 0 || in_place == all) return outcome;
  return fmt::format("applied: {} of {} changes{}", in_place, all, outcome.substr(end));
}

// Decides: what the history lists, and in which order.
std::vector<Listed> all_of(HistoryStore& store, bool has_parts = false,
                           const std::string& folder = root_of({})) {
  const auto root = ConfinedFolder::open(folder);
  const std::string here = root ? root->path() : "";
  std::vector<Listed> all;
  const HistoryStore::HashNow now = hash_now();
  for (SessionRow& row : store.sessions(nullptr, kMaxListed)) {
    bring_up_to_date(store, row, now);
    if (has_parts) row.proposal = with_parts(store, row.proposal, row.proposal_id);
    add(all, row, row.used, here);
  }
  for (ProposalRow& row : store.proposals_without_ask()) {
    row.state = store.outcome_now(row.id, now);
    if (has_parts) row.state = with_parts(store, row.state, row.id);
    add(all, row, row.created, here);
  }
  std::ranges::stable_sort(all, [](const Listed& one, const Listed& other) {
    return one.is_here != other.is_here ? one.is_here : one.time > other.time;
  });
  return all;
}

// Lists the conversations of this folder that can go on.
int list_sessions(HistoryStore& store, const std::string& folder) {
  constexpr size_t kLatest = 20;
  std::vector<Listed> all = all_of(store, true, folder);
  std::erase_if(all,
                [&](const Listed& each) { return !each.is_here || !store.has_session(each.id); });
  if (all.size() > kLatest) all.resize(kLatest);
  std::ranges::reverse(all);  // the latest one beside the prompt
  for (const Listed& each : all) put(stdout, each.line);
  put(stderr,
      all.empty() ? kNoSessions : "/session ID continues one; the beginning of an ID is enough.\n");
  return 0;
}

int list_all(HistoryStore& store, const std::string& path, bool as_json) {
  std::vector<Listed> all = all_of(store, !as_json);
  if (store.database().failure()) return cannot_read(path, *store.database().failure());
  if (as_json) {
    json entries = json::array();
    for (Listed& each : all) entries.push_back(std::move(each.entry));
    print_whole(entries);
    return 0;
  }
  for (const Listed& each : all) put(stdout, each.line);
  if (all.empty()) put(stderr, kEmpty);
  return 0;
}

// The id of the session or the change that `words` mean: an id, the beginning of only one, a
// proposal of a session, or "last", which is the first that is listed. Error, for the user:
// not_found, invalid_input.
Result<std::string> id_meant(HistoryStore& store, const std::string& words) {
  if (words != "last") return store.find_session(words, nullptr);
  const std::vector<Listed> all = all_of(store);
  if (all.empty()) return fail(Error::Code::not_found, "The history is empty.");
  return all[0].id;
}

// Nullopt if there is no such change.
std::optional<ProposalRow> change_named(HistoryStore& store, const std::string& id) {
  std::vector<ProposalRow> rows = store.proposals_without_ask();
  const auto found = std::ranges::find(rows, id, &ProposalRow::id);
  if (found == rows.end()) return std::nullopt;
  found->state = store.outcome_now(id, hash_now());
  store.load_texts(*found);
  // The texts are kept with their secrets, for an exact undo, but are shown without.
  for (ChangedFile& file : found->files)
    for (std::optional<Text>* text : {&file.before, &file.after})
      if (*text) *text = Text(without_secret_bytes((*text)->str()));
  return std::move(*found);
}

// The user is asked first: undo and the resumption of sessions go with it.
bool may_remove(const std::string& what, bool is_agreed) {
  if (is_agreed) return true;
  if (can_ask_user())
    return ask_for_key("Remove " + what +
                           "? Sessions can no longer be resumed, nor their edits undone.\n[y]es, "
                           "[n]o ",
                       "yn", 'n') == 'y';
  say_as("history", "There is no terminal to ask in; --yes removes " + what);
  return false;
}

// Forgets what is not in the database: requests that were typed, and what earlier versions kept of
// `bodkin apply` next to its journal, which nobody reads any more. False: some of it is left.
bool forget_all_else() {
  bool is_gone = forget_typed_requests();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(state_folder() / "apply", error))
    for (const char* end : {".change", ".undone", ".question"})
      if (entry.path().extension() == end)
        is_gone = std::filesystem::remove(entry.path(), error) && is_gone;
  return is_gone;
}

int remove_file(const std::string& path) {
  for (const char* end : {"", "-wal", "-shm"}) {
    std::error_code error;
    std::filesystem::remove(path + end, error);
    if (error) return cannot(path + end + ": " + error.message());
  }
  put(stderr, "History cleared.\n");
  return 0;
}

// A database that is damaged, or cannot be cleared because the disk is full, is removed as a whole.
// What another version or another program has made is not.
int clear_history(const std::string& path, const std::string& words, bool is_agreed) {
  auto store = HistoryStore::open(path, Database::Access::create);
  if (!store && (!store.error().is_lost || !words.empty()))
    return cannot(path + ": " + store.error().message +
                  (store.error().is_busy ? "" : "; if it is not wanted, remove it yourself"));
  if (!store)
    return may_remove("the history, which cannot be read (" + store.error().message + ")",
                      is_agreed)
               ? remove_file(path)
               : cannot("Nothing was removed.");
  std::string id;
  if (!words.empty()) {
    const auto meant = id_meant(*store, words);
    if (!meant) return cannot(meant.error().message);
    if (!store->has_session(*meant) && !change_named(*store, *meant))
      return cannot("No such session: " + *meant + ".");
    id = *meant;
  }
  Database& database = store->database();
  if (id.empty()) {
    const size_t count = store->sessions(nullptr, kMaxListed).size();
    const size_t changes = store->proposals_without_ask().size();
    if (count + changes == 0) return forget_all_else(), put(stderr, kEmpty), 0;
    database.roll_back();  // damaged pages are no reason to keep them
    const std::string what =
        counted(count, "session") + (changes > 0 ? " and " + counted(changes, "other change") : "");
    if (!may_remove(what + " of all folders", is_agreed)) return cannot("Nothing was removed.");
    if (!forget_all_else()) return cannot("What is beside the history cannot be removed.");
  }
  database.execute("BEGIN IMMEDIATE");
  id.empty() ? store->forget_all() : store->forget(id);
  database.execute("COMMIT; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  if (const auto failure = database.failure(); failure) {
    if (id.empty() && failure->is_lost) return remove_file(path);
    return cannot(path + ": " + failure->message);
  }
  put(stderr, id.empty() ? "History cleared.\n" : id + " is removed.\n");
  return 0;
}

// "undone in part: a.c and b.c", "applied: 2 of 3 changes", as it is shown.
void name_parts(HistoryStore& store, ProposalRow& shown) {
  shown.state = with_parts(store, shown.state, shown.id);
  constexpr std::string_view kInPart = "undone in part";
  if (!shown.state.starts_with(kInPart)) return;
  const auto proposal = proposal_of(store.load_proposal(shown.id, ""));
  if (!proposal) return;
  std::vector<std::string> paths;
  for (const ProposedFile& file : proposal->files)
    if (std::ranges::any_of(file.hunks, [](const ProposedHunk& hunk) {
          return hunk.put_aside > 0 && hunk.was_applied;
        }))
      paths.push_back(file.name.path);
  if (!paths.empty()) shown.state.insert(kInPart.size(), ": " + plain_line(in_words(paths)));
}

int show(HistoryStore& store, const HistoryCommand& options) {
  const auto id = id_meant(store, options.id);
  if (!id) return cannot(id.error().message);
  const auto print = [&](const auto& shown) {
    options.json ? print_whole(json_of(shown))
                 : put(stdout, options.action == "export" ? markdown_of(shown)
                                                          : summary_of(shown, terminal_width()));
    return 0;
  };
  if (auto change = change_named(store, *id)) {
    if (!options.json) name_parts(store, *change);
    return print(*change);
  }
  auto session = store.show_session(*id);
  if (!session) return cannot(session.error().message);
  const HistoryStore::HashNow now = hash_now();
  for (ShownAsk& ask : session->asks)
    for (ProposalRow& row : ask.proposals) {
      row.state = store.outcome_now(row.id, now);
      if (!options.json) name_parts(store, row);
    }
  SessionRow& row = session->row;
  bring_up_to_date(store, row, now);
  if (!options.json) row.proposal = with_parts(store, row.proposal, row.proposal_id);
  return print(*session);
}

// There is no database: nothing was asked or changed yet.
int without_history(const HistoryCommand& options) {
  if (options.action == "clear" && options.id.empty()) forget_all_else();
  if (options.action == "list" && options.json) return print_whole(json::array()), 0;
  if (!options.id.empty() && options.id != "last")
    return cannot("No such session: " + options.id + ".");
  put(stderr, options.sessions_of.empty() ? kEmpty : kNoSessions);
  return options.id.empty() ? 0 : 1;
}

}  // namespace

int history_command(const HistoryCommand& options) {
  const std::string path = history_path();
  if (path.empty()) return cannot("there is none: set HOME or XDG_STATE_HOME");
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return without_history(options);
  if (options.action == "clear") return clear_history(path, options.id, options.yes);
  auto store = HistoryStore::open(path, Database::Access::read_only);
  if (!store && store.error().is_missing) return without_history(options);
  if (!store) return cannot_read(path, store.error());
  if (!options.sessions_of.empty()) return list_sessions(*store, options.sessions_of);
  return options.action == "list" ? list_all(*store, path, options.json) : show(*store, options);
}

}  // namespace bodkin
