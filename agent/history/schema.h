// The tables of the history, and how an older version of them becomes this one.
#pragma once

#include "agent/history/database.h"

namespace bodkin {

// Creates the tables, or brings them up to date.
std::expected<void, Database::Failure> prepare_history(Database& database);
// Whether they can be read as they are; nothing is changed.
std::expected<void, Database::Failure> check_history(Database& database);

}  // namespace bodkin
