// Reads below an open folder without following links, whatever a command left there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/platform/file_descriptor.h"

namespace bodkin {

// A folder or file below the folder `at`, open for reading; none: it cannot be opened. If the
// command took the permission to read it away, it is restored, since we own the file. `how`:
// further flags of open(2).
FileDescriptor open_below(int at, const std::string& path, int how = 0);

std::vector<std::string> names_of(int at, const std::string& folder);  // sorted
// The next bytes of a file, as many as there are up to the buffer's size.
size_t read_some(int fd, char* buffer, size_t size);
bool holds(int fd, std::string_view text);
bool have_same_content(int one, int other);
std::optional<std::string> target_of(int at, const std::string& path);  // of a link

}  // namespace bodkin
