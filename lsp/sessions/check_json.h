// The checkers' findings, as `bodkin verify` and `bodkin ask` print them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "agent/ask/verdict.h"

namespace bodkin {

// {"state", "by", "reason", "doubt", "new", "fixed", "remaining"} (`bodkin verify --help`).
nlohmann::json json_of(const CheckResult& check);

}  // namespace bodkin
