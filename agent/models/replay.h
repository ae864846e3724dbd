// Replay: a recorded conversation instead of a model, for demos, tests and bug reports.
// The file:
//   {"name", "turns": [{"expect": ["text"], "absent": ["text"],
//     "reply": {"text", "thinking", "tool_calls": [{"id"?, "name", "arguments"}], "stop_reason",
//               "usage"}  |  "error": {"kind", "message", "status"},
//     "chunk_bytes": 16, "delay_ms": 0}]}
// `expect` and `absent` are looked for in the whole request: a recording is also a test of the
// prompt and of the feedback. A request that does not fit ends in an error of kind `replay`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// Plays from the first turn on; each respond() takes one turn. What was not asked for of one
// that was begun is said on standard error when the model is destroyed.
Result<std::unique_ptr<Model>> open_replay(const std::string& path);
Result<std::unique_ptr<Model>> parse_replay(std::string_view text, std::string path);

// All that a request says to the model, as one text: system, tools, messages, calls, results.
std::string all_text_of(const ModelRequest& request);

}  // namespace bodkin
