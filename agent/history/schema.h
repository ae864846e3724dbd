// The tables of the history, and how an older version of them is migrated.
#pragma once

#include "agent/history/database.h"

namespace bodkin {

// Creates the tables, or brings them up to date.
std::expected<void, Database::Failure> prepare_history(Database& database);
// Whether they are up to date; nothing is changed.
std::expected<bool, Database::Failure> check_history(Database& database);

}  // namespace bodkin
