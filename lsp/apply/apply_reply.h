// Turns a reply's text into a report, and the report into JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "edits/apply/apply.h"
#include "edits/formats/parse.h"

namespace bodkin {

// Parses. A reply that cannot be parsed, or contains no edit, is a failure.
FailureOr<EditPlan> plan_of_reply(std::string_view reply, const ParseOptions& parse,
                                  const Files& files);
// Parses and applies. A reply that cannot be parsed, or contains no edit, gives a failed report.
ApplyReport apply_reply(std::string_view reply, const ParseOptions& parse, const Files& files,
                        const Syntax& syntax, const ApplyOptions& options);

// For a git diff that changes files' modes: a line that says that the modes stay as they are; else
// empty.
std::string modes_left_alone(std::string_view reply);

nlohmann::json json_of(const ApplyReport& report);  // {"ok", "error", "hunks", "shown"}
// {"path", "state", "to"?, "diff"?}
nlohmann::json json_of(const ChangedFile& file, bool has_diff = true);

}  // namespace bodkin
