// Reply: a model's text as lines, of which each format's parser claims those that are its own, so
// that several formats can stand in one reply and the rest is prose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/formats/parse.h"
#include "edits/plan/plan.h"
#include "edits/text/line_keys.h"

namespace bodkin {

struct Reply {
  explicit Reply(std::string_view text);

  std::vector<std::string_view> lines;  // without line ends (\n or \r\n); views into the text
  std::vector<char> taken;              // lines that belong to an edit
  bool ends_in_newline = false;
  std::string_view text;  // the reply, without a byte order mark

  size_t size() const { return lines.size(); }
  void take(size_t begin, size_t end);  // lines, half open
  std::string_view text_from(size_t line) const;  // all text from the line on, with its line ends
};

// Walks over a reply's lines for a parser of tool calls, which stand in prose or have a fence for
// themselves: in the midst of other code they are an example.
class CallPlaces {
 public:
  explicit CallPlaces(Reply& reply) : reply_(reply) {}
  // Of each line that nobody has taken, in order: may a call begin there? Of a fence that held only
  // calls, the fence's lines are taken at its end.
  bool may_begin(size_t line);
  // Takes a call's lines, and tags round it that only say that it is one.
  void take(size_t begin, size_t end);

 private:
  Reply& reply_;
  std::optional<size_t> fence_;  // that is open
  bool calls_ = false, other_ = false;  // what it holds
};

constexpr std::string_view trimmed(std::string_view line) { return stripped(line); }
std::string_view trimmed_right(std::string_view line);  // white space taken off the end

// A fence line (three or more ` or ~ after white space, or a tag like <source>): its info string,
// else nothing.
std::optional<std::string_view> fence_info(std::string_view line);
bool closes_fence(std::string_view opening, std::string_view line);

// The path in a line that a model wrote above an edit or inside a fence's info: backticks, bold,
// headings, comment signs, quotes, a final colon taken off. Empty if the line is not a path.
std::string path_in_line(std::string_view line);
std::string cleaned_path(std::string_view written);  // the same, of text that is a path for sure

bool is_lone_tag(std::string_view line);  // "<diff>" or "</diff>", as tool calls have round a text

// The path that stands on the up to three lines above `line` (fences, tags and blank lines between).
// `begin` becomes the first line that belongs to the edit. Empty if there is none.
std::string path_above(const Reply& reply, size_t line, size_t& begin);

// The line diff of two halves: exact, for a bounded price (else all old lines, then all new ones).
std::vector<HunkLine> lines_of_halves(std::vector<std::string> before,
                                      std::vector<std::string> after);

std::string joined(const std::vector<std::string>& lines);  // each with \n
// The plan's last change, if it updates this file; else a new one.
FileChange& update_of(EditPlan& plan, const std::string& path, size_t source_line);

}  // namespace bodkin
