// Scripts of commands by line number (ed's and RCS's) name neither their file nor any old text, and
// a line such as "2d" may be anything. So they count only where a whole text is one:
//
//   script := path fence-line commands fence-end        "```ed", or "```diff" that holds nothing
//   else
//           | "ed " option* path " <<" word commands word
//           | [path] commands                           and nothing else in the reply
//
// They are placed by number alone, as line edits are: what the model read is what is edited.
#pragma once

#include <string>
#include <vector>

#include "edits/formats/reply.h"

namespace bodkin {

struct Script {
  std::string path;
  size_t first = 0, last = 0;  // its lines, half open
  size_t begin = 0, end = 0;   // with what wraps them
  bool open = false;           // its fence or heredoc is not closed
  bool certain = false;        // a fence or heredoc says so: what cannot be read is an error
};

// What may be a script in the format `name` ("ed", "rcs"), in order; those without a path are left
// out unless the options name the format.
std::vector<Script> scripts_in(const Reply& reply, const ParseOptions& options,
                               std::string_view name);

// The hunk that makes `added` of the lines [begin, end), from 0.
Hunk hunk_at_lines(size_t begin, size_t end, const std::vector<std::string>& added);

}  // namespace bodkin
