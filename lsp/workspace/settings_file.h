// Changes of the user's own settings.json. All that is not changed stays as it is, comments too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "edits/text/result.h"
#include "lsp/protocol/rpc.h"

namespace bodkin::lsp {

// Texts by the key of their setting, without "bodkin.".
using TextSettings = std::vector<std::pair<std::string, std::string>>;

// The text of a settings.json in which these have these values. Nothing: only a person can tell
// where they belong.
std::optional<std::string> with_texts(const std::string& settings, const TextSettings& values);

// The same with one more member at the beginning; `before`: what the text says. Not checked.
std::string with_member(std::string settings, const Json& before, const std::string& key,
                        const std::string& value);

// What a settings.json says, comments allowed; nothing: it is no object.
std::optional<Json> object_in(const std::string& settings);

// Writes the user's settings.json as `edit` returns it, which gets the present text ("{}\n" if
// there is none) and returns nothing if it cannot do it. Error (unavailable, a sentence for the
// user): that it cannot, as `by_hand` + "in FILE yourself: …", or that the file cannot be written.
Result<void> edit_own_settings(
    const std::function<std::optional<std::string>(const std::string& text)>& edit,
    const std::string& by_hand);

}  // namespace bodkin::lsp
