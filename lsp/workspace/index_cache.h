// What the indexer learned about a folder's files, kept in the person's cache folder, so that the
// next start reads only what has changed since. A cache that is damaged, or that another version of
// the grammars wrote, is no cache.
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
  bool settled = false;  // an equal stamp proves that the content is the same
  uint64_t content = 0;  // a hash of the bytes and the language
  std::shared_ptr<const FileSymbols> symbols;
};
using CachedFiles = std::map<std::string, CachedFile, std::less<>>;  // by path in the folder

// The bytes of a cache file, and back; nothing for bytes that encode() of this program has not
// written, whatever they are.
std::string encode(const CachedFiles& files);
std::optional<CachedFiles> decode(std::string_view bytes);

// $XDG_CACHE_HOME/bodkin/index, else ~/.cache/bodkin/index; empty: there is none.
std::string default_cache_folder();

// The cache of `root` in a cache folder; empty if there is none.
CachedFiles load_cache(const std::string& cache_folder, const std::string& root);
// Atomic, readable for the person alone. A failure is no error: the cache is missing then. Caches
// that nobody has written for a month are removed.
void save_cache(const std::string& cache_folder, const std::string& root, const CachedFiles& files);

}  // namespace bodkin::lsp
