// SymbolIndex: where a workspace's names are declared, and how often they are used. It knows what
// it was told about each file; for a declaration's current place look into the file.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "grammars/file_symbols.h"

namespace bodkin {

// A declaration that the index knows.
struct IndexedSymbol {
  std::string path;  // of the workspace
  std::string name, container;
  SymbolKind kind = SymbolKind::function;
  LineRange lines;
  size_t name_line = 0;
  size_t uses = 0;  // in other files
};

// Thread: any; several may read while one writes. A query scans all declarations, a few
// milliseconds for 10,000 files; there is no second structure to keep consistent.
class SymbolIndex {
 public:
  void set(std::string_view path, std::shared_ptr<const FileSymbols> symbols);
  void remove(std::string_view path);
  std::shared_ptr<const FileSymbols> find_file(std::string_view path) const;  // may be null

  // The declarations with one of these simple names, by path and line; at most `limit`.
  std::vector<IndexedSymbol> find(std::span<const std::string> names, size_t limit = 1000) const;

  // The functions and types that other files use most, most used first. Names that the files
  // `in_context` use or declare are weighted. A name that many files declare says little about any
  // of them and does not count. Ties by path and line.
  std::vector<IndexedSymbol> most_used(std::span<const std::string> in_context, size_t limit) const;

  // Names that start with this one or are similar; for "No declaration named …; similar: …".
  std::vector<std::string> similar_names(std::string_view name, size_t limit) const;

  // Calls `look` for each file, by path, while others may read but not write.
  void visit(const std::function<void(std::string_view path, const FileSymbols& file)>& look) const;

  // Whether the whole workspace has been indexed; set by the code that fills it.
  void set_complete(bool complete);
  bool is_complete() const { return is_complete_; }
  // Blocks until it is complete, until the time given or until a stop is requested.
  void wait_until_complete(std::chrono::steady_clock::time_point end,
                           const std::stop_token& stop) const;

  struct Size {
    size_t files = 0, definitions = 0, bytes = 0;
  };
  Size size() const;

 private:
  using Files = std::map<std::string, std::shared_ptr<const FileSymbols>, std::less<>>;
  mutable std::shared_mutex mutex_;
  Files files_;
  std::atomic<bool> is_complete_ = false;
  mutable std::mutex completing_;
  mutable std::condition_variable_any completed_;
};

}  // namespace bodkin
