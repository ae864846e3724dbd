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

// Possible scripts in the format `name` ("ed", "rcs"), in order; those without a path are omitted
// unless the options name the format.
std::vector<Script> scripts_in(const ReplyLines& reply, const ParseOptions& options,
                               std::string_view name);

// The hunk that replaces the lines [begin, end), from 0, by `added`.
Hunk hunk_at_lines(size_t begin, size_t end, const std::vector<std::string>& added);

}  // namespace bodkin
