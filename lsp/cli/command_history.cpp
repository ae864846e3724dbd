// bodkin history: lists, shows, exports and clears what was asked.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "agent/history/history.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/history_text.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMostListed = 100'000;

int cannot(const std::string& why) {
  put(stderr, "bodkin history: " + why + "\n");
  return 1;
}

void print_whole(const json& value) {
  put(stdout, value.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

int list_sessions(HistoryStore* store, bool as_json) {
  const auto sessions = store ? store->sessions(nullptr, kMostListed) : std::vector<SessionRow>();
  if (store && store->database().failure()) return cannot(store->database().failure()->message);
  if (as_json) {
    json all = json::array();
    for (const SessionRow& session : sessions) all.push_back(json_of(session));
    print_whole(all);
    return 0;
  }
  for (const SessionRow& session : sessions) put(stdout, line_of(session));
  if (sessions.empty()) put(stderr, "The history is empty.\n");
  return 0;
}

// At a terminal the user is asked first: undo and the resumption of sessions go with it.
bool may_clear(HistoryStore& store) {
  if (!can_ask_user()) return true;
  const size_t count = store.sessions(nullptr, kMostListed).size();
  const char key = ask_for_key(
      fmt::format("Remove {} of all folders? They cannot be resumed, nor their edits be undone, "
                  "after that. [y]es, [n]o ",
                  counted(count, "session")),
      "yn");
  return key == 'y';
}

// A database that cannot be read is removed as a whole.
int clear_history(const std::string& path, const std::string& words) {
  std::string id;
  auto store = HistoryStore::open(path, Database::Access::create);
  if (!store && (store.error().is_busy || !words.empty()))
    return cannot(path + ": " + store.error().message);
  if (!store) {
    for (const char* end : {"", "-wal", "-shm"}) {
      std::error_code error;
      std::filesystem::remove(path + end, error);
      if (error) return cannot(path + end + ": " + error.message());
    }
  } else {
    if (!words.empty()) {
      const auto found = store->find_session(words, nullptr);
      if (!found) return cannot(found.error().message);
      if (!store->has_session(*found)) return cannot("No such session: " + *found + ".");
      id = *found;
    }
    if (id.empty() && !may_clear(*store)) return cannot("Nothing was removed.");
    Database& database = store->database();
    database.execute("BEGIN IMMEDIATE");
    id.empty() ? store->forget_all() : store->forget_session(id);
    database.execute("COMMIT; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    if (database.failure()) return cannot(path + ": " + database.failure()->message);
  }
  put(stderr, id.empty() ? "The history is empty now.\n" : id + " is removed.\n");
  return 0;
}

}  // namespace

int history_command(const HistoryCommand& options) {
  const std::string path = history_path();
  if (path.empty()) return cannot("there is none: set HOME or XDG_STATE_HOME");
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path, ignored);
  if (options.action == "clear" && exists) return clear_history(path, options.id);
  if (options.action == "clear") {
    put(stderr, "The history is empty.\n");
    return 0;
  }
  auto store = HistoryStore::open(path, Database::Access::read_only);
  if (!store && !store.error().is_missing) return cannot(path + ": " + store.error().message);
  if (options.action == "list") return list_sessions(store ? &*store : nullptr, options.json);
  if (!store) return cannot("No such session: " + options.id + ".");
  const auto id = store->find_session(options.id, nullptr);
  if (!id) return cannot(id.error().message);
  const auto session = store->show_session(*id);
  if (!session) return cannot(session.error().message);
  if (options.json) {
    print_whole(json_of(*session));
  } else {
    put(stdout, options.action == "export" ? markdown_of(*session) : summary_of(*session));
  }
  return 0;
}

}  // namespace bodkin
