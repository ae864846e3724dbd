// The processes that run now, as their command lines.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// Each with blanks between its words. A process may end while it is read, which is no error: an
// iterator over a folder or a stream would throw.
inline std::vector<std::string> command_lines() {
  std::vector<std::string> lines;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() == "self") continue;
    std::ifstream in(entry->path() / "cmdline", std::ios::binary);
    std::ostringstream words;
    words << in.rdbuf();
    std::string line = std::move(words).str();
    for (char& c : line) c = c == '\0' ? ' ' : c;
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}
