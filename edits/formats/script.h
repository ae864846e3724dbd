// Scripts of commands by line number (ed's and RCS's) contain neither a path nor old text, and a
// line such as "2d" may be anything. So they are recognized only as a whole text:
//
// clang-format off
//
//   script := path fence-line commands fence-end    "```ed", or "```diff" with nothing else in it
//           | "ed " option* path " <<" word commands word
//           | [path] commands                       and nothing else in the reply
//
// clang-format on
//
// They are placed by line number alone, like line edits; the numbers refer to the text the model
// read.
#pragma once

#include <string>
#include <vector>

#include "edits/formats/reply_lines.h"

namespace bodkin {

struct Script {
  std::string path;
  size_t first = 0, last = 0;  // its lines, half open
  size_t begin = 0, end = 0;   // with what wraps them
  bool open = false;           // its fence or heredoc is not closed
  bool certain = false;        // declared by a fence or heredoc: a parse failure is an error
};

using ReadScript = FailureOr<std::vector<Hunk>>(const ReplyLines& reply, const Script& script);

// Moves the scripts in the format `name` ("ed", "rcs": the word of their fences) from the reply
// into the plan. What only may be a script is one if it can be read. Fails if a certain one cannot
// be read. The change's path is empty if none names the file.
FailureOr<void> parse_scripts(ReplyLines& reply, const ParseOptions& options, std::string_view name,
                              ReadScript* read, EditPlan& plan);

// The hunk that replaces the lines [begin, end), from 0, by `added`.
Hunk hunk_at_lines(size_t begin, size_t end, const std::vector<std::string>& added);

}  // namespace bodkin
