// read_file: a file that somebody else may have put there. Only a regular file is read, and never
// more of it than is wanted: a pipe would wait for its other end, a device may do anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "edits/text/result.h"

namespace bodkin {

// Links are followed. Errors, each a sentence that names the path: not_found; invalid_input (no
// regular file, or more than `most` bytes); internal (it cannot be read). Thread: any.
Result<std::string> read_file(const std::string& path, size_t most);

// The same for at most `most` bytes from its beginning: a longer file is no error.
Result<std::string> read_start_of_file(const std::string& path, size_t most);

// `name` in an open directory; a link is not followed (ELOOP). Nothing: errno says why, EINVAL for
// what is no regular file, EFBIG for one of more than `most` bytes.
std::optional<std::string> read_file_at(int directory, const std::string& name, size_t most);

}  // namespace bodkin
