// Files of a layer, opened and compared without following links. Linux only; for
// sandbox_changes.cpp.
#pragma once

#ifdef __linux__

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/support/file_descriptor.h"

namespace bodkin {

// Opens a folder or file below an open folder; `how`: flags of open(), e.g. O_DIRECTORY. A mode
// that the command has taken away is given back: the files are ours. None: it cannot be opened.
FileDescriptor open_below(int at, const std::string& path, int how);

// The next bytes of a file: as many as fit into the buffer, fewer only at its end.
size_t read_some(int fd, char* buffer, size_t size);
std::vector<std::string> names_of(int at, const std::string& folder);  // sorted
bool holds(int fd, std::string_view text);   // exactly this text, from the file's position on
bool have_same_content(int one, int other);  // likewise
std::optional<std::string> target_of(int at, const std::string& path);  // of a link; nothing: none

}  // namespace bodkin

#endif
