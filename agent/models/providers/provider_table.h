// The known providers: their addresses, the variables of their keys, their wire formats.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/wire/wire_format.h"

namespace bodkin {

struct Provider {
  const char* name;
  const WireFormat* format;
  const char* endpoint;         // "": the user must set it
  const char* endpoint_env;     // the official SDK's variable; "": none
  const char* key_env;          // the variable of its key, the first of two
  const char* model;            // the default; "": the user must choose, or the server is asked
  bool is_local;                // needs no key
  const char* title = nullptr;  // in menus of providers; null: it is in none
  const char* other_key_env = nullptr;

  // The first one that is set is used.
  std::vector<const char*> key_envs() const {
    return other_key_env ? std::vector{key_env, other_key_env} : std::vector{key_env};
  }
};

std::span<const Provider> providers();
const Provider* find_provider(std::string_view name);  // null: unknown
// The providers whose keys `auto` looks for, in this order (agent/README.md, "Model").
std::span<const char* const> auto_providers();

std::string environment(const char* name);  // "": not set
// The variable of its key that menus name: of several, the one with its own name.
const char* key_variable(const Provider& provider);
// The first of its key variables that is set, or "".
std::string first_key_env(const Provider& provider);

}  // namespace bodkin
