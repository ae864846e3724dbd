// Database: SQLite through one connection. A statement that fails leaves its error behind, and
// those after it do nothing, so that a whole transaction is checked once. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace bodkin {

class Database;

// One run of an SQL statement. Bound values are used until the statement is destroyed.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // The next parameter.
  Statement& bind(std::string_view text);
  Statement& bind(const char* text) { return bind(std::string_view(text)); }
  Statement& bind(const std::string& text) { return bind(std::string_view(text)); }
  Statement& bind(int64_t number);
  Statement& bind(int number) { return bind(int64_t{number}); }
  Statement& bind(bool flag) { return bind(int64_t{flag}); }
  Statement& bind(std::optional<double> number);  // nothing: NULL
  Statement& bind_bytes(std::string_view bytes);
  Statement& bind_null();

  // The next row; false if there is none, or an error.
  bool step();
  // Runs a statement without rows.
  void run() { step(); }

  // Columns of the row, from 0; NULL is empty, or 0.
  std::string text(int column) const;  // or bytes
  int64_t number(int column) const;
  std::optional<double> real(int column) const;
  bool is_null(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

class Database {
 public:
  struct Failure {
    std::string message;      // "disk I/O error": a part of a sentence
    bool is_busy = false;     // another process has locked it: trying again may help
    bool is_missing = false;  // there is no such file
    bool is_lost = false;     // damaged, or the disk is full: only removing the file helps
  };

  enum class Access { read_only, create };
  // The file is created for the user alone, like those that SQLite keeps next to it.
  static std::expected<Database, Failure> open(const std::string& path, Access access);
  Database(Database&& other) noexcept;
  Database& operator=(Database&&) = delete;
  ~Database();

  void execute(const char* sql);  // one or more statements, without parameters
  int64_t pragma(const char* name);
  int64_t last_id() const;
  int64_t changes() const;  // rows changed by the last statement

  const std::optional<Failure>& failure() const { return failure_; }
  // The file was removed, or another has taken its place: nobody will see what is written.
  bool has_moved() const;
  // Ends what is under way, and forgets the failure.
  void roll_back();

 private:
  friend class Statement;
  explicit Database(sqlite3* connection) : connection_(connection) {}
  bool check(int code);  // false: it failed
  void fail_with(int code);

  sqlite3* connection_;
  std::optional<Failure> failure_;
};

}  // namespace bodkin
