// A session of the history as text: for `bodkin history`, and for editors. Pure.
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
