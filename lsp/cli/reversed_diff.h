// A diff the other way round.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

// Of what `git diff` prints: the diff that takes its changes back. Nothing: it is no such diff, or
// one that is cut off. Untrusted text; pure.
std::optional<std::string> reversed_diff(std::string_view diff);

}  // namespace bodkin
