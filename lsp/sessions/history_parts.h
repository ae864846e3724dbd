// Shared by a session's summary, its Markdown and its JSON (history_text.h). Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/history/store.h"

namespace bodkin {

inline constexpr std::string_view kReplyCutOff = "\n\n*(The reply was cut off here.)*";

std::string shown_date(int64_t time);                     // local: "2026-01-31 09:05"
std::string shown_folders(const std::string& workspace);  // with ~ for the home folder
std::string shown_line(const std::string& text);          // on one line, shortened
std::string shown_words(const ShownMessage& message);     // its texts, as they are
std::string shown_end(const AskSum& sum);                 // the answer, or why there is none
// The state of the newest proposal of its last ask, else how that ask ended.
std::string shown_outcome(const SessionRow& session);
std::vector<std::string> shown_paths(const ProposalRow& change);  // "a.c", "a.c -> b.c"
// "2 turns, 1,000 tokens in, 10 out, $0.0100". A request that was sent has cost something, even if
// nobody has reported how much.
std::string shown_spending(const ShownAsk& ask);
// The model is told in brackets that its reply broke off; a person is told so in plain words.
std::string without_note_for_model(const std::string& words);
// "edit src/a.cpp  +1 −2", "run_command make test", "grep_search size_t  folder: src".
std::string shown_call(const std::string& tool, const nlohmann::json& arguments);
// The row of a call; null: it has none. `reply`: the row of the reply that called it.
const CallRow* call_row(const ShownAsk& ask, int64_t reply, const std::string& id);

}  // namespace bodkin
