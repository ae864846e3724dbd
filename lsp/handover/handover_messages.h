// The messages between `bodkin mcp` and the language server of an editor: the editor is looked at,
// or handed an edit. A line of JSON each way.
//
//   {"root"}                                      what is open, and unsaved?
//   {"open": [{"path", "text"?, "lost"?}], "movesFiles"}
//
//   {"root", "files": [{"path", "to"?, "before", "after"?}], "change"?, "undoes"?}
//                                                 open ones, and their whole texts
//   {"state": "applied|refused|unknown", "words", "saved", "exact"}
//
// The root is a folder of the editor's workspace, one in it, or one that contains it. Paths are
// relative to it, with every link followed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/report.h"

namespace bodkin::handover {

struct Request {
  std::string root;                               // its real path
  std::optional<std::vector<ChangedFile>> files;  // each was there before; nothing: only look
  // The id under which the edit is in the log of that root; empty if it is in none. `undoes`: it
  // takes that change back, which the sender keeps.
  std::string change = {};
  bool undoes = false;
};

// A file that is open in the editor, and not private.
struct OpenFile {
  std::string path;
  std::optional<std::string> unsaved;  // its text, if that is not what is on the disk
  bool lost = false;                   // its text is not known
};
struct Seen {
  std::vector<OpenFile> open;
  bool moves_files = false;  // the editor can delete and rename files
};

struct Answer {
  // refused: for certain nothing was changed. unknown: it may have been, or may still be.
  enum class State { applied, refused, unknown };
  State state = State::refused;
  std::string words;      // for the model; if it was not applied, why: a sentence
  bool is_saved = false;  // the disk has the new texts
  bool is_exact = false;  // the files have exactly these texts
};

// Lines, without their end. Texts must be UTF-8.
std::string line_of(const Request& request);
std::string line_of(const Seen& seen);
std::string line_of(const Answer& answer);
// Nullopt if it is not such a line. Untrusted.
std::optional<Request> request_of(std::string_view line);
std::optional<Seen> seen_of(std::string_view line);
std::optional<Answer> answer_of(std::string_view line);

}  // namespace bodkin::handover
