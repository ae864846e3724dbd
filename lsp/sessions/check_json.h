// What checkers have found, as `bodkin verify` and `bodkin ask` print it.
#pragma once

#include <nlohmann/json.hpp>

#include "agent/ask/verdict.h"

namespace bodkin {

// {"state", "by", "reason", "doubt", "new", "fixed", "remaining"} (`bodkin verify --help`).
nlohmann::json json_of(const CheckResult& check);

}  // namespace bodkin
