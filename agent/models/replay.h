// Replay: a recorded conversation instead of a model, for demos, tests and bug reports.
// The file:
//   {"name", "model": {"tools", "facts": an entry of models.json}, "turns": [{"expect": ["text"],
//   "absent": ["text"],
//     "reply": {"text", "thinking", "tool_calls": [{"id"?, "name", "arguments"}], "stop_reason",
//               "usage", "refusal", "cut_call"}  and / or  "error": {"kind", "message", "status"},
//     "chunk_bytes": 16, "delay_ms": 0}]}
// A turn with an error streams the words of its reply before that. What is left out of `model` is
// not known; it has tools.
// `expect` and `absent` are matched against the whole request, so a recording also tests the prompt
// and the feedback. A mismatch is an error of kind `replay`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/models/model.h"

namespace bodkin {

// Each respond() plays one turn, beginning with the first. If some turns of a started recording
// were not requested, the destructor reports this on standard error, if it `reports` it.
Result<std::unique_ptr<Model>> open_replay(const std::string& path);
Result<std::unique_ptr<Model>> parse_replay(std::string_view text, const std::string& path,
                                            bool reports = true);

// A reply in the form of a turn's "reply": all of its members, but for a refusal that there is not.
nlohmann::json form_of(const ModelReply& reply);

// Everything in a request that the model sees, as one text: system, tools, messages, calls,
// results.
std::string all_text_of(const ModelRequest& request);

}  // namespace bodkin
