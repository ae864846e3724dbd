// The journal of write_files: the planned changes, in a form that undo can trust after the process
// was killed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Identifies a text for undo: its size and a hash (FNV-1a: for recognition, not against forgery);
// "none" for a missing file.
std::string digest_of(const std::optional<std::string>& text);

struct JournalEntry {
  std::string path;           // resolved, relative to the folder
  std::string fresh, saved;   // names: the new text, the old file
  std::string before, after;  // digests
  bool in_place = false;      // the two are beside the journal, not in the file's directory
};

struct Journal {
  std::string root;                  // its real path
  std::string inode;                 // of the root, to detect a different folder with that name
  std::vector<std::string> folders;  // that are created, outer ones first
  std::vector<JournalEntry> entries;
};

// NUL-terminated fields: "bodkin apply 2" ROOT INODE, then "folder" PATH, or "file" (written in
// place: "place") PATH FRESH SAVED BEFORE AFTER each, then "end".
std::string written(const Journal& journal);
std::optional<Journal> read_journal(std::string_view bytes);  // nothing: not a journal

}  // namespace bodkin
