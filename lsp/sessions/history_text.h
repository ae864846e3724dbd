// A session of the history as text: for `bodkin history`, and for editors. Pure.
//
// As JSON, a list of {"id", "workspace", "title", "created", "used", "asks", "outcome",
// "input_tokens", "output_tokens", "cost_usd"} (times in milliseconds since 1970), or one of these
// whose "asks" are [{"id", "prompt", "model", "begun", "ended", "end", "answer", "reason", …,
// "messages", "calls", "proposals"}]. What no ask has changed is {"id", "workspace", "title",
// "created", "used", "outcome", "files": [path]}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "agent/history/store.h"

namespace bodkin {

// `width`: of the lines, which are broken between words; 0: they are as long as they are.
// One line: the id, when it was used last (local time), how many asks, the title, what came of the
// last ask, the folders.
std::string line_of(const SessionRow& session, size_t width = 0);
// A line for a change that was made not by an ask, but by `bodkin apply`, an agent or a pasted
// reply: its author in place of the number of asks, its files in place of the title.
std::string line_of(const ProposalRow& change, size_t width = 0);
// The same with its diffs.
std::string summary_of(const ProposalRow& change, size_t width = 0);
// The requests, work and answers in short, with the diffs of the proposals.
std::string summary_of(const ShownSession& session, size_t width = 0);
// A session as Markdown. all: also the reasoning, what was sent to the model, and each call with
// its result; said: the person's requests, the model's words and actions, and each change.
enum class Detail { all, said };
std::string markdown_of(const ShownSession& session, Detail detail = Detail::all);
std::string markdown_of(const ProposalRow& change);

nlohmann::json json_of(const SessionRow& session);
nlohmann::json json_of(const ProposalRow& change);  // likewise
nlohmann::json json_of(const ShownSession& session);

}  // namespace bodkin
