// The indexer's results for a folder's files, kept in the user's cache folder, so that the next
// start reads only what has changed. A damaged cache, or one written with other grammars, is
// ignored.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grammars/file_symbols.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

struct CachedFile {
  FileStamp stamp;
  bool has_reliable_stamp = false;  // an equal stamp proves that the content is the same
  uint64_t content = 0;             // a hash of the bytes and the language
  std::shared_ptr<const FileSymbols> symbols;
};
using CachedFiles = std::map<std::string, CachedFile, std::less<>>;  // by path in the folder

// Serializes and parses a cache file; nullopt if the bytes were not written by this program's
// encode().
std::string encode(const CachedFiles& files);
std::optional<CachedFiles> decode(std::string_view bytes);

// $XDG_CACHE_HOME/bodkin/index, else ~/.cache/bodkin/index; empty if there is none.
std::string default_cache_folder();

// The cache of `root` in a cache folder; empty if there is none.
CachedFiles load_cache(const std::string& cache_folder, const std::string& root);
// Atomic, private to the user. Failures are ignored: there is then no cache. Caches not written for
// a month are removed.
void save_cache(const std::string& cache_folder, const std::string& root, const CachedFiles& files);

}  // namespace bodkin::lsp
