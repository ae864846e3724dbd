// The journal of write_files: what a change is going to do, in a form that undo can trust after the
// process was killed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// What undo knows a text by: its size and a hash (FNV-1a: to know a text again, not to withstand
// somebody who forges one); "none" for a file that is not there.
std::string digest_of(const std::optional<std::string>& text);

struct JournalEntry {
  std::string path;           // resolved, relative to the folder
  std::string fresh, saved;   // names in its directory: the new text, the old file
  std::string before, after;  // digests
};

struct Journal {
  std::string root;                  // its real path
  std::string inode;                 // of the root: another folder of that name is another one
  std::vector<std::string> folders;  // that are made, outer ones first
  std::vector<JournalEntry> entries;
};

// Fields that end in NUL, which no path holds: "bodkin apply 2" ROOT INODE, then "folder" PATH or
// "file" PATH FRESH SAVED BEFORE AFTER each, then "end".
std::string written(const Journal& journal);
std::optional<Journal> read_journal(std::string_view bytes);  // nothing: it is no journal

}  // namespace bodkin
