// SymbolIndex: where the names of a workspace are declared, and how often they are used. Knows what
// it was told about each file; who asks where a declaration is now must look into the file.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <shared_mutex>
#include <span>
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

// Thread: any; several may read while one writes. A question costs a look at every declaration, a
// few milliseconds for 10,000 files: there is no second structure that could differ from the first.
class SymbolIndex {
 public:
  void set(std::string_view path, std::shared_ptr<const FileSymbols> symbols);
  void remove(std::string_view path);
  std::shared_ptr<const FileSymbols> find_file(std::string_view path) const;  // may be null

  // The declarations with one of these simple names, by path and line; at most `limit`.
  std::vector<IndexedSymbol> find(std::span<const std::string> names, size_t limit = 1000) const;

  // The functions and types that the other files use most, the first ones first. What the files
  // `at_hand` use or declare counts many times: the order is theirs. A name that more than a few
  // files declare says little about any of them, and counts for none. Equal ones by path and line.
  std::vector<IndexedSymbol> most_used(std::span<const std::string> at_hand, size_t limit) const;

  // Names that begin with, or are nearly, this one; for "there is no …, there is …".
  std::vector<std::string> similar_names(std::string_view name, size_t limit) const;

  // Whether all of the workspace has been looked at; said by who fills it.
  void set_complete(bool complete) { is_complete_ = complete; }
  bool is_complete() const { return is_complete_; }

  struct Size {
    size_t files = 0, definitions = 0, bytes = 0;
  };
  Size size() const;

 private:
  using Files = std::map<std::string, std::shared_ptr<const FileSymbols>, std::less<>>;
  mutable std::shared_mutex mutex_;
  Files files_;
  std::atomic<bool> is_complete_ = false;
};

}  // namespace bodkin
