// read_file: reads a file that somebody else may have put there. Only regular files are read, up to
// a limit: a pipe would block until someone writes to it, and a device may do anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "edits/text/result.h"

namespace bodkin {

// Follows links. Errors, each a sentence that names the path: not_found; invalid_input (not a
// regular file, or larger than `most` bytes); internal (it cannot be read). Thread: any.
Result<std::string> read_file(const std::string& path, size_t most);

// Reads only the first `most` bytes; a longer file is not an error.
Result<std::string> read_start_of_file(const std::string& path, size_t most);

// Reads `name` in an open directory; does not follow a link (ELOOP). Nullopt: see errno; EISDIR if
// it is a folder, EINVAL if it is no regular file either, EFBIG if it is larger than `most` bytes.
std::optional<std::string> read_file_at(int directory, const std::string& name, size_t most);

}  // namespace bodkin
