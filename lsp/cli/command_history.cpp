// bodkin history: lists, shows, exports and clears what was asked.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "agent/history/history.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/sessions/history_text.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxListed = 100'000;

int cannot(const std::string& why) {
  say_as("history", why);
  return 1;
}

int cannot_read(const std::string& path, const Database::Failure& failure) {
  const bool is_damaged = failure.is_lost && !failure.message.ends_with("full");
  return cannot(path + ": " + failure.message +
                (is_damaged ? "; bodkin history clear starts a new one" : ""));
}

void print_whole(const json& value) {
  put_bytes(stdout, value.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

// Of a line; 0: as long as it is.
size_t terminal_width() { return ::isatty(1) ? columns(1) - 1 : 0; }

int list_sessions(HistoryStore* store, const std::string& path, bool as_json) {
  const auto sessions = store ? store->sessions(nullptr, kMaxListed) : std::vector<SessionRow>();
  if (store && store->database().failure()) return cannot_read(path, *store->database().failure());
  if (as_json) {
    json all = json::array();
    for (const SessionRow& session : sessions) all.push_back(json_of(session));
    print_whole(all);
    return 0;
  }
  for (const SessionRow& session : sessions) put(stdout, line_of(session, terminal_width()));
  if (sessions.empty()) put(stderr, "The history is empty.\n");
  return 0;
}

// The user is asked first: undo and the resumption of sessions go with it.
bool may_remove(const std::string& what, bool is_agreed) {
  if (is_agreed) return true;
  if (can_ask_user())
    return ask_for_key(folded("Remove " + what +
                              "? Sessions can no longer be resumed, nor their edits undone.") +
                           "\n[y]es, [n]o ",
                       "yn") == 'y';
  say_as("history", "There is no terminal to ask in; --yes removes " + what);
  return false;
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
  std::string id;
  auto store = HistoryStore::open(path, Database::Access::create);
  if (!store && (!store.error().is_lost || !words.empty()))
    return cannot(path + ": " + store.error().message +
                  (store.error().is_busy ? "" : "; if it is not wanted, remove it yourself"));
  if (!store)
    return may_remove("the history, which cannot be read (" + store.error().message + ")",
                      is_agreed)
               ? remove_file(path)
               : cannot("Nothing was removed.");
  if (!words.empty()) {
    const auto found = store->find_session(words, nullptr);
    if (!found) return cannot(found.error().message);
    if (!store->has_session(*found)) return cannot("No such session: " + *found + ".");
    id = *found;
  }
  Database& database = store->database();
  if (id.empty()) {
    const size_t count = store->sessions(nullptr, kMaxListed).size();
    if (count == 0) {
      put(stderr, "The history is empty.\n");
      return 0;
    }
    database.roll_back();  // damaged pages are no reason to keep them
    if (!may_remove(counted(count, "session") + " of all folders", is_agreed))
      return cannot("Nothing was removed.");
  }
  database.execute("BEGIN IMMEDIATE");
  id.empty() ? store->forget_all() : store->forget_session(id);
  database.execute("COMMIT; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  if (const auto failure = database.failure(); failure) {
    if (id.empty() && failure->is_lost) return remove_file(path);
    return cannot(path + ": " + failure->message);
  }
  put(stderr, id.empty() ? "History cleared.\n" : id + " is removed.\n");
  return 0;
}

}  // namespace

int history_command(const HistoryCommand& options) {
  const std::string path = history_path();
  if (path.empty()) return cannot("there is none: set HOME or XDG_STATE_HOME");
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  if (options.action == "clear" && exists) return clear_history(path, options.id, options.yes);
  if (options.action == "clear") {
    put(stderr, "The history is empty.\n");
    return 0;
  }
  auto store = HistoryStore::open(path, Database::Access::read_only);
  if (!store && !store.error().is_missing) return cannot_read(path, store.error());
  if (options.action == "list") return list_sessions(store ? &*store : nullptr, path, options.json);
  if (!store) return cannot("It is empty.");
  const auto id = store->find_session(options.id, nullptr);
  if (!id) return cannot(id.error().message);
  if (id->starts_with("p0-"))
    return cannot(
        fmt::format("{0} is no ask's; bodkin undo --diff {0} shows what it changed", *id));
  const auto session = store->show_session(*id);
  if (!session) return cannot(session.error().message);
  if (options.json) {
    print_whole(json_of(*session));
  } else {
    put(stdout, options.action == "export" ? markdown_of(*session)
                                           : summary_of(*session, terminal_width()));
  }
  return 0;
}

}  // namespace bodkin
