// The providers that are known: where each is, whose variable holds its key, what it speaks.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "agent/models/wire/dialect.h"

namespace bodkin {

struct Provider {
  const char* name;
  const Dialect* dialect;
  const char* endpoint;      // "": the user must say it
  const char* endpoint_env;  // of the official SDK, "": none
  const char* key_envs[3];   // the first that is set counts
  const char* model;         // where none is chosen; "": the user must, or the server is asked
  bool is_local;             // needs no key
};

std::span<const Provider> providers();
const Provider* find_provider(std::string_view name);  // null: not known
// Whose keys `auto` looks for, in this order (agent/README.md, "Model").
std::span<const char* const> auto_providers();

std::string environment(const char* name);  // "": not set
// The first of its variables that is set, or "".
std::string first_key_env(const Provider& provider);

}  // namespace bodkin
