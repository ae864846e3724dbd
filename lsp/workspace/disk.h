// Files that are not open in the editor; read-only: bodkin never writes workspace files. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edits/text/result.h"
#include "edits/text/text.h"

namespace bodkin::lsp {

// In the encoding that encoding_of() says, if it is not UTF-8. Errors: not_found; invalid_input
// with a sentence (not a file, too large, not text in an encoding that is known, or a link that
// leads out of `folder`).
Result<Text> read_from_disk(const std::string& absolute, const std::string& folder);

// The same, with its encoding; empty: UTF-8.
struct DiskFile {
  Text text;
  std::string encoding;
};
Result<DiskFile> read_encoded(const std::string& absolute, const std::string& folder);

// Equal stamps: very likely the same content. Not so for a file that was written within the same
// tick of the clock; see is_reliable.
struct FileStamp {
  int64_t changed_ns = 0;  // the time of the last change of the content, from 1970
  uint64_t size = 0;       // bytes
  uint64_t inode = 0;
  bool operator==(const FileStamp&) const = default;
};

// Nullopt if it is not a regular file (links do not count).
std::optional<FileStamp> stamp_of(const std::string& absolute);

// Whether the file had been unchanged for two seconds when the stamp was taken: only then does an
// equal stamp mean that nothing has been written since.
bool is_reliable(const FileStamp& stamp);

// The files below `folder` that git does not ignore, relative, sorted, at most `limit`. Listed by
// ripgrep, which knows .gitignore too, outside a repository and in a folder that is not `trusted`,
// where git is not started; without either, all files except those in hidden folders and
// node_modules.
std::vector<std::string> list_files(const std::string& folder, size_t limit, bool trusted,
                                    const std::stop_token& stop);

}  // namespace bodkin::lsp
