// Indexer: keeps a SymbolIndex of the workspace up to date, on threads of its own and of low
// priority. Nothing waits for it: who asks the index gets what is known by then.
//
// Left out are: what git ignores, private files (agent/workspace/privacy.h), links, files above 1 MB (above
// 256 kB, if they say that they are generated), files that are not UTF-8 or of no known language, and everything beyond 50,000 files or 150 MB of
// memory. A home folder or "/" is no workspace.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "grammars/symbol_index.h"
#include "lsp/workspace/documents.h"
#include "lsp/workspace/index_cache.h"
#include "lsp/workspace/indexed_files.h"

namespace bodkin::lsp {

class Indexer {
 public:
  enum class Priority { low, normal };  // normal: somebody waits for it
  // `cache_folder`: see index_cache.h; empty: no cache.
  explicit Indexer(std::string cache_folder, Priority priority = Priority::low);
  ~Indexer();  // stops at once and joins
  Indexer(const Indexer&) = delete;
  Indexer& operator=(const Indexer&) = delete;

  // All of these may be called on any thread and return at once. Paths are those of Documents.

  // The folders to index. What is not in them any more is forgotten; so are the open documents,
  // whose paths may be others now: say them again. `trusted`: see list_files.
  void set_roots(Roots roots, bool trusted);
  // Looks at all files again; those with the same stamp are not read. Does nothing if the last look
  // was a moment ago: for editors that do not watch files.
  void look_again();
  // Something happened to these files: written, made, removed, renamed.
  void changed(std::vector<std::string> paths);
  // An open document counts as it is in the editor, until it is closed.
  void opened(const std::string& path, FileSymbols symbols);
  void closed(const std::string& path);

  // Of the roots of now: with others a new one begins, and who holds the old one keeps its paths.
  std::shared_ptr<const SymbolIndex> index() const;

  // Blocks until all that was asked for by now is done. False: stopped before. For the command line
  // and tests.
  bool wait(const std::stop_token& stop);

 private:
  using Contents = std::unordered_map<uint64_t, std::shared_ptr<const FileSymbols>>;

  void work(const std::stop_token& stop);
  void scan(const std::stop_token& stop);
  void update(const std::set<std::string>& paths, const std::stop_token& stop);
  void index_all(const std::vector<IndexedFile>& files, const std::stop_token& stop);
  void index_one(const IndexedFile& file, const Contents& contents, const std::stop_token& stop);
  void put(const std::string& path, CachedFile file);
  void forget(const std::string& path);
  void load(const Roots& roots);
  void save(const Roots& roots);

  const std::string cache_folder_;
  const Priority priority_;

  mutable std::mutex mutex_;  // for what is below
  std::shared_ptr<SymbolIndex> index_ = std::make_shared<SymbolIndex>();
  std::condition_variable_any changed_;
  bool scan_wanted_ = false, is_working_ = false;
  std::set<std::string> to_update_;
  Roots roots_;
  bool trusted_ = false;              // all of them
  uint64_t epoch_ = 0, at_work_ = 0;  // of the roots: of now, and those that the thread works on
  std::set<std::string> open_;
  std::chrono::steady_clock::time_point last_scan_{};
  CachedFiles known_;  // the files on disk, by path of the workspace
  size_t bytes_ = 0;   // of memory that known_ holds
  bool is_saved_ = true;

  std::optional<Roots> loaded_;      // the thread's own: those whose caches are in known_
  std::jthread thread_;              // last: it uses all the others
};

}  // namespace bodkin::lsp
