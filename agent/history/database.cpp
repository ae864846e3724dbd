#include "agent/history/database.h"

#include <sqlite3.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/files.h"

namespace bodkin {

namespace {

constexpr int kBusyMs = 250;  // another process's transaction takes a few milliseconds

std::unexpected<Database::Failure> failed(Database::Failure failure) {
  return std::unexpected(std::move(failure));
}

// Opens the file alone, for where nothing can be created next to it; what another program is
// writing is not seen.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '.';
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += is_plain ? std::string(1, c) : std::string(code);
  }
  return uri + "?immutable=1";
}

bool has_bytes(const std::string& path) {
  os::FileStatus status{};
  return os::stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

// Whether a file that was opened for reading can be read.
bool can_read(sqlite3* connection) {
  return sqlite3_exec(connection, "SELECT 1 FROM sqlite_master LIMIT 1", nullptr, nullptr,
                      nullptr) != SQLITE_CANTOPEN;
}

// Fails unless only the user can read the file; creates or restricts it if need be.
std::expected<void, Database::Failure> make_private(const std::string& path, bool create) {
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (create ? O_CREAT : 0);
  FileDescriptor file(os::open(path.c_str(), flags, 0600));
  if (!file && (errno == EACCES || errno == EROFS) && !create)
    file = FileDescriptor(os::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) {
    return failed({errno == ELOOP ? "it is a link" : os::strerror(errno), false, errno == ENOENT});
  }
  os::FileStatus status{};
  if (os::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
    return failed({"it is not a file"});
  if (status.st_uid != os::geteuid()) return failed({"it belongs to another user"});
  if ((status.st_mode & 077) != 0 && os::fchmod(file.number(), 0600) != 0)
    return failed({"other users can read it"});
  return {};
}

}  // namespace

std::expected<Database, Database::Failure> Database::open(const std::string& path, Access access) {
  const bool create = access == Access::create;
  if (const auto made = make_private(path, create); !made) return std::unexpected(made.error());
  // Not with SQLITE_OPEN_NOFOLLOW, which also refuses links among the folders above.
  const int flags = (create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY) |
                    SQLITE_OPEN_NOMUTEX;
  sqlite3* connection = nullptr;
  int code = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
  if (code == SQLITE_OK && !create && !can_read(connection) && !has_bytes(path + "-wal")) {
    sqlite3_close(connection);
    code =
        sqlite3_open_v2(immutable_uri(path).c_str(), &connection, flags | SQLITE_OPEN_URI, nullptr);
  }
  if (code != SQLITE_OK) {
    const std::string why = connection ? sqlite3_errmsg(connection) : "out of memory";
    sqlite3_close(connection);
    return failed({why});
  }
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, kBusyMs);
  // The file may come from anywhere: nothing in it is run.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return Database(connection);
}

Database::Database(Database&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)), failure_(std::move(other.failure_)) {}

Database::~Database() {
  // SQLite would tidy up by name, and that name belongs to another file now.
  if (connection_ && has_moved()) {
    int keeps = 1;
    sqlite3_file_control(connection_, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps);
    sqlite3_db_config(connection_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }
  if (connection_) sqlite3_close_v2(connection_);
}

bool Database::has_moved() const {
  int moved = 0;
  return sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
         moved != 0;
}

void Database::fail_with(int code) {
  if (failure_) return;
  const int kind = code & 0xFF;
  const bool is_busy = kind == SQLITE_BUSY || kind == SQLITE_LOCKED;
  const bool is_lost = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_FULL;
  const bool is_full =
      kind == SQLITE_FULL || (kind == SQLITE_IOERR && sqlite3_system_errno(connection_) == ENOSPC);
  failure_ = Failure{is_busy   ? "another program has locked it"
                     : is_full ? "the disk is full"
                               : sqlite3_errmsg(connection_),
                     is_busy, false, is_lost || is_full};
}

bool Database::check(int code) {
  if (code != SQLITE_OK) fail_with(code);
  return code == SQLITE_OK;
}

void Database::execute(const char* sql) {
  if (!failure_) check(sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr));
}

int64_t Database::pragma(const char* name) {
  Statement statement(*this, std::string("PRAGMA ") + name);
  return statement.step() ? statement.number(0) : 0;
}

int64_t Database::last_id() const { return sqlite3_last_insert_rowid(connection_); }

int64_t Database::changes() const { return sqlite3_changes64(connection_); }

void Database::roll_back() {
  if (sqlite3_get_autocommit(connection_) == 0)
    sqlite3_exec(connection_, "ROLLBACK", nullptr, nullptr, nullptr);
  failure_.reset();
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  if (database.failure_) return;
  database.check(sqlite3_prepare_v2(database.connection_, sql.data(), static_cast<int>(sql.size()),
                                    &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::string_view text) {
  const char* bytes = text.data() ? text.data() : "";
  if (statement_)
    database_.check(sqlite3_bind_text64(statement_, ++bound_, bytes, text.size(), SQLITE_TRANSIENT,
                                        SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  const char* data = bytes.data() ? bytes.data() : "";
  if (statement_)
    database_.check(
        sqlite3_bind_blob64(statement_, ++bound_, data, bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind(int64_t number) {
  if (statement_) database_.check(sqlite3_bind_int64(statement_, ++bound_, number));
  return *this;
}

Statement& Statement::bind(std::optional<double> number) {
  if (!number) return bind_null();
  if (statement_) database_.check(sqlite3_bind_double(statement_, ++bound_, *number));
  return *this;
}

Statement& Statement::bind_null() {
  if (statement_) database_.check(sqlite3_bind_null(statement_, ++bound_));
  return *this;
}

bool Statement::step() {
  if (!statement_ || database_.failure_) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail_with(code);
  return false;
}

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes ? std::string(static_cast<const char*>(bytes), static_cast<size_t>(size)) : "";
}

int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_, column); }

std::optional<double> Statement::real(int column) const {
  if (is_null(column)) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

}  // namespace bodkin
