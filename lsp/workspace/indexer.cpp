#include "lsp/workspace/indexer.h"

#include <algorithm>
#include <atomic>

#include "agent/platform/processes.h"
#include "agent/support/guarded.h"
#include "agent/tools/tools.h"
#include "grammars/languages.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

constexpr uint64_t kMaxFileBytes = 1'000'000;
constexpr size_t kMaxBytes = 150'000'000;
constexpr size_t kMaxUpdates = 500;  // above it all files are looked at
constexpr auto kBetweenScans = 1s;   // while files change, e.g. during a build
constexpr auto kLookAgain = 20s;
constexpr unsigned kMaxThreads = 4;

}  // namespace

Indexer::Indexer(std::string cache_folder, Priority priority)
    : cache_folder_(std::move(cache_folder)),
      priority_(priority),
      thread_([this](const std::stop_token& stop) {
        if (priority_ == Priority::low) os::make_thread_lazy();
        work(stop);
      }) {}

Indexer::~Indexer() = default;

std::shared_ptr<const SymbolIndex> Indexer::index() const {
  std::lock_guard lock(mutex_);
  return index_;
}

void Indexer::set_roots(Roots roots, bool trusted) {
  std::lock_guard lock(mutex_);
  if (roots_ != roots) {
    index_ = std::make_shared<SymbolIndex>();
    ++epoch_;
    to_update_.clear();
    open_.clear();
  }
  roots_ = std::move(roots);
  trusted_ = trusted;
  scan_wanted_ = true;
  last_scan_ = {};
  index_->set_complete(false);
  changed_.notify_all();
}

void Indexer::refresh() {
  std::lock_guard lock(mutex_);
  if (std::chrono::steady_clock::now() - last_scan_ < kLookAgain) return;
  scan_wanted_ = true;
  changed_.notify_all();
}

void Indexer::changed(std::vector<std::string> paths) {
  std::lock_guard lock(mutex_);
  for (std::string& path : paths) {
    if (to_update_.size() >= kMaxUpdates || is_about_files(path)) {
      scan_wanted_ = true;
    } else if (may_declare_names(path)) {
      to_update_.insert(std::move(path));
    }
  }
  changed_.notify_all();
}

void Indexer::opened(const std::string& path, FileSymbols symbols) {
  auto shared = std::make_shared<const FileSymbols>(std::move(symbols));
  std::lock_guard lock(mutex_);
  open_.insert(path);
  index_->set(path, std::move(shared));
}

void Indexer::closed(const std::string& path) {
  std::lock_guard lock(mutex_);
  if (open_.erase(path) == 0) return;
  const auto known = known_.find(path);
  if (known != known_.end()) {
    index_->set(path, known->second.symbols);
  } else {
    index_->remove(path);
  }
  to_update_.insert(path);
  changed_.notify_all();
}

bool Indexer::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return changed_.wait(lock, stop,
                       [&] { return !is_working_ && !scan_wanted_ && to_update_.empty(); });
}

void Indexer::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto is_wanted = [&] { return scan_wanted_ || !to_update_.empty(); };
  while (changed_.wait(lock, stop, is_wanted) && !stop.stop_requested()) {
    is_working_ = true;
    if (!to_update_.empty()) {
      const std::set<std::string> paths = std::exchange(to_update_, {});
      lock.unlock();
      guarded([&] { update(paths, stop); });  // the next look finds what is missing
      lock.lock();
    } else {
      // File events come in bursts: wait for the rest, and do not scan again right after the last
      // scan.
      const auto next = last_scan_ + kBetweenScans;
      const bool more = changed_.wait_until(lock, stop, next, [&] { return !to_update_.empty(); });
      if (stop.stop_requested()) break;
      if (more) continue;
      scan_wanted_ = false;
      lock.unlock();
      guarded([&] { scan(stop); });
      lock.lock();
      last_scan_ = std::chrono::steady_clock::now();
    }
    is_working_ = false;
    changed_.notify_all();
  }
  is_working_ = false;
}

void Indexer::scan(const std::stop_token& stop) {
  Roots roots;
  bool trusted = false;
  {
    std::lock_guard lock(mutex_);
    roots = roots_;
    trusted = trusted_;
    at_work_ = epoch_;
  }
  load(roots);
  const std::vector<IndexedFile> files = files_to_index(roots, trusted, stop);
  index_all(files, stop);
  if (stop.stop_requested()) return;

  std::set<std::string_view> listed;
  for (const IndexedFile& file : files) listed.insert(file.path);
  std::vector<std::string> gone;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [path, file] : known_) {
      if (!listed.contains(path)) gone.push_back(path);
    }
  }
  for (const std::string& path : gone) forget(path);
  save(roots);
  os::give_back_memory();  // the trees of thousands of files were here
  std::lock_guard lock(mutex_);
  if (!scan_wanted_) index_->set_complete(true);
}

void Indexer::update(const std::set<std::string>& paths, const std::stop_token& stop) {
  Roots roots;
  std::vector<std::string> known;
  {
    std::lock_guard lock(mutex_);
    roots = roots_;
    at_work_ = epoch_;
    for (const std::string& path : paths) {
      if (known_.contains(path)) {
        known.push_back(path);
      } else {
        scan_wanted_ = true;  // a new file: does git ignore it?
      }
    }
  }
  for (const std::string& path : known) {
    if (stop.stop_requested()) return;
    const auto place = roots.find(path);
    if (place) index_one({path, place->absolute, place->root.folder}, {}, stop);
  }
}

void Indexer::index_all(const std::vector<IndexedFile>& files, const std::stop_token& stop) {
  Contents contents;  // a file that was renamed, or is as it was on another branch
  {
    std::lock_guard lock(mutex_);
    for (const auto& [path, file] : known_) contents.emplace(file.content, file.symbols);
  }
  std::atomic<size_t> next = 0;
  const auto take_files = [&] {
    for (size_t i = next++; i < files.size() && !stop.stop_requested(); i = next++) {
      guarded([&] { index_one(files[i], contents, stop); });
    }
  };
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  std::vector<std::jthread> others;
  // If some cannot be started, the others do their work.
  guarded([&] {
    for (unsigned i = 1; i < threads && files.size() > 100; ++i) {
      others.emplace_back([&] {
        if (priority_ == Priority::low) os::make_thread_lazy();
        take_files();
      });
    }
  });
  take_files();
}

void Indexer::index_one(const IndexedFile& file, const Contents& contents,
                        const std::stop_token& stop) {
  const auto stamp = stamp_of(file.absolute);
  if (!stamp || stamp->size > kMaxFileBytes) return forget(file.path);
  CachedFile before;
  {
    std::lock_guard lock(mutex_);
    if (const auto known = known_.find(file.path); known != known_.end()) before = known->second;
  }
  if (before.symbols && before.has_reliable_stamp && before.stamp == *stamp) {
    return put(file.path, std::move(before));
  }
  const auto text = read_from_disk(file.absolute, file.folder);
  if (!text) return forget(file.path);
  const Language* language = language_of(file.path, text->substr(0, 200));
  if (!language || !declares_names(*language)) return forget(file.path);
  CachedFile now;
  now.content = hash_of(*text) ^ (uint64_t{hash_of_name(language->id)} << 32);
  const auto same = contents.find(now.content);
  if (before.symbols && before.content == now.content) {
    now.symbols = before.symbols;
  } else if (same != contents.end()) {
    now.symbols = same->second;
  } else if (is_large_and_generated(*text)) {
    now.symbols = std::make_shared<const FileSymbols>();
  } else {
    ParseLimits limits;
    limits.stop = stop;
    limits.once = true;  // the index is a hint; to show a declaration, its file is parsed again
    const auto tree = SyntaxTree::parse(*language, *text, limits);
    if (stop.stop_requested()) return;
    // A file that cannot be parsed declares nothing; it is not retried until it changes.
    now.symbols = std::make_shared<const FileSymbols>(tree ? symbols_of(*tree, outline(*tree))
                                                           : FileSymbols());
  }
  now.stamp = *stamp;
  // It was written while being read: the next scan reads it again.
  now.has_reliable_stamp = is_reliable(*stamp) && stamp_of(file.absolute) == stamp;
  put(file.path, std::move(now));
}

void Indexer::put(const std::string& path, CachedFile file) {
  std::lock_guard lock(mutex_);
  if (at_work_ != epoch_) return;  // the path may be another file's now
  const auto known = known_.find(path);
  const size_t before = known == known_.end() ? 0 : known->second.symbols->bytes();
  const size_t after = file.symbols->bytes();
  if (bytes_ - before + after > kMaxBytes) return;
  bytes_ = bytes_ - before + after;
  const bool is_same = known != known_.end() && known->second.symbols == file.symbols &&
                       known->second.stamp == file.stamp &&
                       known->second.has_reliable_stamp == file.has_reliable_stamp;
  is_saved_ = is_saved_ && is_same;
  if (!open_.contains(path)) index_->set(path, file.symbols);
  known_.insert_or_assign(path, std::move(file));
}

void Indexer::forget(const std::string& path) {
  std::lock_guard lock(mutex_);
  if (const auto known = known_.find(path); known != known_.end()) {
    bytes_ -= known->second.symbols->bytes();
    known_.erase(known);
    is_saved_ = false;
  }
  if (!open_.contains(path) && at_work_ == epoch_) index_->remove(path);
}

// The folders changed: forget the old ones and their files.
void Indexer::load(const Roots& roots) {
  if (loaded_ == roots) return;
  loaded_ = roots;
  std::vector<std::string> all;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [path, file] : known_) all.push_back(path);
  }
  for (const std::string& path : all) forget(path);
  for (const Root& root : roots) {
    if (!is_indexed_folder(root.folder)) continue;
    CachedFiles cached = load_cache(cache_folder_, root.folder);
    std::lock_guard lock(mutex_);
    for (auto& [path, file] : cached) {
      bytes_ += file.symbols->bytes();
      known_.insert_or_assign(roots.prefix_of(root) + path, std::move(file));
    }
    is_saved_ = true;
  }
}

void Indexer::save(const Roots& roots) {
  for (const Root& root : roots) {
    if (!is_indexed_folder(root.folder)) continue;
    CachedFiles files;
    {
      std::lock_guard lock(mutex_);
      if (is_saved_ || at_work_ != epoch_) return;
      const std::string prefix = roots.prefix_of(root);
      for (const auto& [path, file] : known_) {
        // If it has no names, it may have been abandoned: the next start retries it.
        const bool has_names = !file.symbols->uses.empty();
        if (has_names && path.starts_with(prefix)) files.emplace(path.substr(prefix.size()), file);
      }
    }
    save_cache(cache_folder_, root.folder, files);
  }
  std::lock_guard lock(mutex_);
  is_saved_ = true;
}

}  // namespace bodkin::lsp
