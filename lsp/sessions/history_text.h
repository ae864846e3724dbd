// A session of the history as text: for `bodkin history`, and for editors. Pure.
//
// As JSON, a list of {"id", "workspace", "title", "created", "used", "asks", "input_tokens",
// "output_tokens", "cost_usd"} (times in milliseconds since 1970), or one of these whose "asks" are
// [{"id", "prompt", "model", "begun", "ended", "end", "answer", "reason", …, "messages", "calls",
// "proposals"}].
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "agent/history/store.h"

namespace bodkin {

// `width`: of the lines, which are broken between words; 0: they are as long as they are.
// One line: the id, when it was used last (local time), how many asks, the title, the folders.
std::string line_of(const SessionRow& session, size_t width = 0);
// What was asked, done and answered, in short, with the diffs of the proposals.
std::string summary_of(const ShownSession& session, size_t width = 0);
// As Markdown. all: also the reasoning, what was sent to the model, and each call with its result;
// said: what a person has asked, what the model has said and done, and each change.
enum class Detail { all, said };
std::string markdown_of(const ShownSession& session, Detail detail = Detail::all);

nlohmann::json json_of(const SessionRow& session);
nlohmann::json json_of(const ShownSession& session);

}  // namespace bodkin
