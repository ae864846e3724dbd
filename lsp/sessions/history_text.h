// A session of the history as text: what `bodkin history` prints. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "agent/history/store.h"

namespace bodkin {

// One line: the id, when it was used last (local time), how many asks, the title, the folders.
std::string line_of(const SessionRow& session);
// What was asked, done and answered, in short.
std::string summary_of(const ShownSession& session);
// All of it, as Markdown: also the reasoning, each call with its result, and each change.
std::string markdown_of(const ShownSession& session);

nlohmann::json json_of(const SessionRow& session);
nlohmann::json json_of(const ShownSession& session);

}  // namespace bodkin
