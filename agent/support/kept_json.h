// Small JSON files that bodkin keeps for the user, in the state folder, and several processes
// change. Blocks for the disk alone.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "edits/text/result.h"

namespace bodkin {

// Null if there is none, or it is not JSON.
nlohmann::json read_kept_json(const std::string& file);
// Changes it as one step, also among several processes: readers see it before or after. Makes the
// folder if it is missing; both are the user's alone. Error, for the user: unavailable.
Result<void> change_kept_json(const std::string& file,
                              const std::function<void(nlohmann::json&)>& change);

}  // namespace bodkin
