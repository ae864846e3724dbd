// Keys: where they come from, and how they are kept out of all visible text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/models/providers/editor_model.h"
#include "agent/models/providers/provider_table.h"

namespace bodkin {

struct Key {
  std::string text;    // empty if there is none
  std::string source;  // for display: "ANTHROPIC_API_KEY", "the editor, where you entered it"
};

struct KeySettings {
  std::string env;                   // the variable that holds it; empty: the provider's own
  std::vector<std::string> command;  // prints it; the program first, no shell
  bool has_own = true;  // the provider's own variable may be used: its key was given for this host
};

// The name of the key of a provider at an origin in the editor's secret store: "openai" for its own
// host, "openai@https://proxy:8080" for another.
std::string secret_name(const Provider& provider, const std::string& origin);

// Looks in this order: the command, the environment, the editor's secret store. The command gets 30
// seconds, no input and our whole environment, and runs in the home folder. Errors, for the user:
// the configured source has no key.
Result<Key> find_key(const KeySettings& settings, const Provider& provider,
                     const std::string& origin, EditorModels* editor, const Task& task);

// Replaces the key by "[key]" everywhere: providers repeat it in their errors. A key shorter than
// four bytes is a placeholder and is not replaced.
std::string without_key(std::string text, std::string_view key);

}  // namespace bodkin
