// ReplyLines: a model's text as lines. Each format's parser claims its own, so that one reply can
// contain several formats; the rest is prose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/formats/parse.h"
#include "edits/plan/plan.h"
#include "edits/text/line_keys.h"

namespace bodkin {

struct ReplyLines {
  // <file-edit filePath="…"> … </file-edit>: the lines between, half open. Edits in it change this
  // file.
  struct FileTag {
    std::string path;
    size_t begin = 0, end = 0;
  };

  explicit ReplyLines(std::string_view text);

  std::vector<std::string_view> lines;  // without line ends (\n or \r\n); views into the text
  std::vector<char> taken;              // lines that belong to an edit
  std::vector<FileTag> tags;
  bool ends_in_newline = false;
  std::string_view text;  // the reply, without a byte order mark

  size_t size() const { return lines.size(); }
  void take(size_t begin, size_t end);  // lines, half open
  void give_back(LineRange range);
  // All text from the line on, with its line endings.
  std::string_view text_from(size_t line) const;
};

// The line without a token of a chat template at its end: "<|im_end|>", "</s>".
std::string_view without_token(std::string_view line);

// A fence line (three or more ` or ~ after whitespace, or a tag like <source>): its info string,
// else nullopt.
std::optional<std::string_view> fence_info(std::string_view line);
bool closes_fence(std::string_view opening, std::string_view line);
// The lines above `line` that open a fence which is not closed above it, outermost first.
std::vector<size_t> fences_around(const ReplyLines& reply, size_t line);
bool is_diff_language(std::string_view info);  // of a fence: "diff", "udiff" or "patch"

// The path in a line above an edit or in a fence's info string: without backticks, bold, headings,
// comment markers, quotes and a final colon. Empty if the line is not a path.
std::string path_in_line(std::string_view line);
// The same, for text known to be a path. What `is_exact_name` knows is not cleaned further: "(a.c)"
// may be a file's name.
std::string cleaned_path(std::string_view written,
                         const std::function<bool(std::string_view)>& is_exact_name = {});

bool is_lone_tag(std::string_view line);  // "<diff>" or "</diff>", as tool calls put around a text

// The path on one of the three lines above `line` (fences, tags and blank lines between). `begin`
// becomes the first line that belongs to the edit. Empty if there is none.
std::string path_above(const ReplyLines& reply, size_t line, size_t& begin);

// "THING at line N of the edit WHAT; ADVICE", for a line from 0.
std::unexpected<Failure> failure_at(std::string_view thing, size_t line, std::string_view what,
                                    std::string advice = {},
                                    FailureKind kind = FailureKind::malformed);

std::string joined(const std::vector<std::string>& lines);  // each with \n
// The plan's last change, if it updates this file; else a new one.
FileChange& update_of(EditPlan& plan, const std::string& path, size_t source_line);

}  // namespace bodkin
