// Indexer: keeps a SymbolIndex of the workspace up to date, on its own low-priority threads.
// Nothing waits for it: queries get what is known so far.
//
// Left out are: what git ignores, private files (agent/workspace/privacy.h), links, files above 1
// MB (above 256 kB, if they say that they are generated), files that are not UTF-8 or of no known
// language, and everything beyond 50,000 files or 150 MB of memory. A home folder or "/" is not
// indexed.
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
  enum class Priority { low, normal };  // normal: someone is waiting for it
  // `cache_folder`: see index_cache.h; empty: no cache.
  explicit Indexer(std::string cache_folder, Priority priority = Priority::low);
  ~Indexer();  // stops at once and joins
  Indexer(const Indexer&) = delete;
  Indexer& operator=(const Indexer&) = delete;

  // All of these can be called on any thread and return immediately. Paths are those of Documents.

  // The folders to index. Anything no longer in them is forgotten, and so are the open documents if
  // the folders changed, since their paths may have: report them again. `trusted`: see list_files.
  void set_roots(Roots roots, bool trusted);
  // Rescans all files; those with the same stamp are not read. Does nothing if the last scan was a
  // moment ago. For editors that do not watch files.
  void refresh();
  // These files were written, created, removed or renamed.
  void changed(std::vector<std::string> paths);
  // The editor's text of an open document counts until it is closed.
  void opened(const std::string& path, FileSymbols symbols);
  void closed(const std::string& path);

  // The index of the current roots: when they change, a new one is created, and holders of the old
  // one keep its paths.
  std::shared_ptr<const SymbolIndex> index() const;

  // Blocks until everything requested so far is done. False: stopped first. For the command line
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
  uint64_t epoch_ = 0, at_work_ = 0;  // of the roots: the current ones, and those being indexed
  std::set<std::string> open_;
  std::chrono::steady_clock::time_point last_scan_{};
  CachedFiles known_;  // the files on disk, by path of the workspace
  size_t bytes_ = 0;   // of memory that known_ holds
  bool is_saved_ = true;

  std::optional<Roots> loaded_;  // only the thread's: the roots whose caches are in known_
  std::jthread thread_;          // last: it uses all the others
};

}  // namespace bodkin::lsp
