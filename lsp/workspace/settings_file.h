// Changes the user's own settings.json. Everything else in it stays as it is, comments too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "edits/text/result.h"
#include "lsp/protocol/rpc.h"

namespace bodkin::lsp {

// Texts by the key of their setting, without "bodkin."; "": it is cleared wherever it is.
using TextSettings = std::vector<std::pair<std::string, std::string>>;

// The text of a settings.json in which these have these values, under every name that it has for
// them: "bodkin.model.name", "model.name", {"model": {"name": …}}. Nullopt: only a person can tell
// where they belong.
std::optional<std::string> with_texts(const std::string& settings, const TextSettings& values);

// The same with one more member at the beginning; `before`: what the text says. Not checked.
std::string with_member(std::string settings, const Json& before, const std::string& key,
                        const std::string& value);

// The object in a settings.json, comments allowed; nullopt if it is not an object.
std::optional<Json> object_in(const std::string& settings);

// The error that only the user can make a change: `by_hand` + " in FILE yourself: …".
std::unexpected<Error> left_to_the_user(const std::string& by_hand);

// Checks whether the user's settings.json can be written, as far as can be told before. Error
// (unavailable, a sentence for the user): it cannot.
Result<void> can_edit_own_settings();

// Writes the user's settings.json as `edit` returns it, which gets the present text ("{}\n" if
// there is none). One step among several processes: no other writes meanwhile, and readers see it
// before or after. A link is followed; mode and owner stay. Errors: those of `edit`, or
// (unavailable, a sentence for the user) the file cannot be read or written. Blocks.
Result<void> edit_own_settings(
    const std::function<Result<std::string>(const std::string& text)>& edit);

}  // namespace bodkin::lsp
