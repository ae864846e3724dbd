#include "agent/history/schema.h"

#include <array>

#include "agent/history/store.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr int64_t kApplication = 0x626f646b;  // "bodk", the file's application_id

// Each brings the tables from the version that is its index to the next one; those that have been
// released never change. Times: milliseconds since 1970. Hashes: of `texts`.
constexpr std::array kMigrations = {
    R"(
CREATE TABLE sessions(
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,             -- its folders, one a line
  title TEXT NOT NULL,
  created INTEGER NOT NULL,
  used INTEGER NOT NULL,
  system BLOB,                         -- hash
  state TEXT NOT NULL DEFAULT '{}');   -- the rest of the conversation, JSON
CREATE INDEX sessions_used ON sessions(used);

CREATE TABLE asks(
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  prompt TEXT NOT NULL,
  model TEXT NOT NULL,
  begun INTEGER NOT NULL,
  ended INTEGER,
  outcome TEXT NOT NULL DEFAULT '',    -- done | limit | cancelled | failed; '': it has no end
  answer TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  turns INTEGER NOT NULL DEFAULT 0,
  input INTEGER NOT NULL DEFAULT 0,    -- tokens
  cache_read INTEGER NOT NULL DEFAULT 0,
  cache_write INTEGER NOT NULL DEFAULT 0,
  output INTEGER NOT NULL DEFAULT 0,
  reasoning INTEGER NOT NULL DEFAULT 0,
  cost REAL);                          -- USD; NULL: a price is unknown
CREATE INDEX asks_session ON asks(session);

CREATE TABLE messages(
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  ask TEXT NOT NULL,
  position INTEGER NOT NULL,           -- in the conversation
  role TEXT NOT NULL,                  -- user | assistant
  time INTEGER NOT NULL,
  finish TEXT,                         -- why a reply ended; NULL: it has not
  replaced INTEGER NOT NULL DEFAULT 0);-- 1: by another version, or it broke off; 2: by a summary
CREATE INDEX messages_session ON messages(session, position);

CREATE TABLE parts(
  message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,                  -- text | thinking | call | result | image
  text TEXT NOT NULL,
  content BLOB,                        -- hash
  data TEXT NOT NULL DEFAULT 'null',   -- JSON
  PRIMARY KEY(message, number)) WITHOUT ROWID;

CREATE TABLE calls(
  id INTEGER PRIMARY KEY,
  ask TEXT NOT NULL REFERENCES asks ON DELETE CASCADE,
  call TEXT NOT NULL,                  -- the model's id of it
  tool TEXT NOT NULL,
  reason TEXT NOT NULL,
  parameters BLOB,                     -- hash, JSON
  result BLOB,                         -- hash
  failed INTEGER NOT NULL,
  time INTEGER NOT NULL,               -- of its end
  ms INTEGER NOT NULL);
CREATE INDEX calls_ask ON calls(ask);

CREATE TABLE proposals(
  id TEXT PRIMARY KEY,
  session TEXT,
  ask TEXT,
  workspace TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  created INTEGER NOT NULL,
  applied INTEGER,                     -- when some of it was first in place; NULL: nothing is
  data BLOB NOT NULL);                 -- JSON, deflated
CREATE INDEX proposals_session ON proposals(session);

CREATE TABLE files(
  proposal TEXT NOT NULL REFERENCES proposals ON DELETE CASCADE,
  number INTEGER NOT NULL,
  path TEXT NOT NULL,
  moved_to TEXT NOT NULL,              -- '': it keeps its name
  kind TEXT NOT NULL,                  -- update | create | remove
  before BLOB,                         -- hash; NULL: there was no file
  after BLOB,                          -- hash; NULL: it is removed
  PRIMARY KEY(proposal, number)) WITHOUT ROWID;

CREATE TABLE texts(
  hash BLOB PRIMARY KEY,               -- SHA-256
  size INTEGER NOT NULL,
  data BLOB NOT NULL);                 -- deflated
)",
    R"(
ALTER TABLE sessions ADD COLUMN writer TEXT NOT NULL DEFAULT '';  -- run_id() of its last ask

-- An id is never used again: a process may still stream a reply that another one has deleted.
CREATE TABLE new_messages(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  ask TEXT NOT NULL,
  position INTEGER NOT NULL,
  role TEXT NOT NULL,
  time INTEGER NOT NULL,
  finish TEXT,
  replaced INTEGER NOT NULL DEFAULT 0);
INSERT INTO new_messages SELECT * FROM messages;
DROP TABLE messages;
ALTER TABLE new_messages RENAME TO messages;
CREATE INDEX messages_session ON messages(session, position);

ALTER TABLE calls ADD COLUMN message INTEGER;  -- the reply that called it; NULL: it is not known
UPDATE calls SET message = (SELECT max(m.id) FROM messages m WHERE m.ask = calls.ask AND
  m.role = 'assistant' AND m.finish IS NOT NULL AND m.replaced = 0 AND m.time <= calls.time);
CREATE INDEX calls_message ON calls(message);

-- In the order in which they were applied, whatever the clock says; NULL: nothing is in place.
ALTER TABLE proposals ADD COLUMN place INTEGER;
UPDATE proposals SET place = (SELECT count(*) FROM proposals p WHERE p.applied < proposals.applied
  OR (p.applied = proposals.applied AND p.rowid <= proposals.rowid)) WHERE applied IS NOT NULL;
)",
    R"(
ALTER TABLE sessions ADD COLUMN mode TEXT NOT NULL DEFAULT '';   -- that it is in; '': unknown
ALTER TABLE sessions ADD COLUMN model TEXT NOT NULL DEFAULT '';  -- chosen for it; '': none is
)",
    R"(
ALTER TABLE proposals ADD COLUMN outcome TEXT NOT NULL DEFAULT '';  -- ProposalRow::outcome
ALTER TABLE proposals ADD COLUMN undone INTEGER;  -- when it was undone last; NULL: nothing is
ALTER TABLE proposals ADD COLUMN begun INTEGER;   -- when some of it was in place for the first time
UPDATE proposals SET begun = applied;

-- The files of a change as bodkin left them; NULL: there was no such file.
CREATE TABLE results(
  proposal TEXT NOT NULL REFERENCES proposals ON DELETE CASCADE,
  path TEXT NOT NULL,
  hash BLOB,                           -- SHA-256 of its text
  turn INTEGER NOT NULL,               -- the order in which these were written
  PRIMARY KEY(proposal, path)) WITHOUT ROWID;
CREATE INDEX results_path ON results(path, turn);
)"};

// Before version 4 the outcome of a proposal was only in its data.
void add_outcomes(Database& database) {
  Statement rows(database, "SELECT id, state, data FROM proposals");
  while (rows.step()) {
    const json data = parse_json(inflated(rows.text(2)).value_or("")).value_or(nullptr);
    const int64_t undone = int_at(data, "undone");
    const std::string state = rows.text(1);
    const bool is_applied = state == "applied" || state == "partly";
    const bool is_undone = undone > 0 && (is_applied || state == "discarded");
    Statement add(database, "UPDATE proposals SET outcome = ?, undone = ? WHERE id = ?");
    add.bind(!is_undone ? state : is_applied ? "undone in part" : "undone");
    is_undone ? add.bind(undone) : add.bind_null();
    add.bind(rows.text(0)).run();
  }
}

std::expected<int64_t, Database::Failure> version_of(Database& database) {
  // In one transaction: another process that creates the tables meanwhile has done all of it or
  // nothing.
  database.execute("SAVEPOINT version");
  const int64_t version = database.pragma("user_version");
  const int64_t application = database.pragma("application_id");
  const int64_t tables = [&] {
    Statement count(database, "SELECT count(*) FROM sqlite_schema");
    return count.step() ? count.number(0) : 0;
  }();
  database.execute("RELEASE version");
  if (database.failure()) return std::unexpected(*database.failure());
  const bool is_empty = version == 0 && tables == 0;
  if (!is_empty && application != kApplication)
    return std::unexpected(Database::Failure{"it is not a bodkin history database"});
  if (version > static_cast<int64_t>(kMigrations.size()))
    return std::unexpected(Database::Failure{"it was created by a newer version of bodkin"});
  return version;
}

}  // namespace

std::expected<void, Database::Failure> prepare_history(Database& database) {
  // Tables are made again below: what refers to their rows stays as it is.
  database.execute("PRAGMA foreign_keys = OFF; PRAGMA secure_delete = ON;");
  auto version = version_of(database);
  if (!version) return std::unexpected(version.error());
  if (*version == 0) database.execute("PRAGMA auto_vacuum = INCREMENTAL;");
  // Sync at each checkpoint only: what a killed process wrote is there; a power cut may take more.
  database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  if (*version < static_cast<int64_t>(kMigrations.size())) {
    database.execute("BEGIN IMMEDIATE");
    version = version_of(database);  // another process may have been faster
    if (!version) return std::unexpected(version.error());
    for (size_t i = static_cast<size_t>(*version); i < kMigrations.size(); ++i)
      database.execute(kMigrations[i]);
    if (*version > 0 && *version < 4) add_outcomes(database);
    const std::string stamp = "PRAGMA application_id = " + std::to_string(kApplication) +
                              "; PRAGMA user_version = " + std::to_string(kMigrations.size());
    database.execute(stamp.c_str());
    database.execute("COMMIT");
  }
  database.execute("PRAGMA foreign_keys = ON;");
  if (database.failure()) return std::unexpected(*database.failure());
  return {};
}

std::expected<bool, Database::Failure> check_history(Database& database) {
  const auto version = version_of(database);
  if (!version) return std::unexpected(version.error());
  if (*version == 0) return std::unexpected(Database::Failure{"it is empty", false, true});
  return *version == static_cast<int64_t>(kMigrations.size());
}

}  // namespace bodkin
