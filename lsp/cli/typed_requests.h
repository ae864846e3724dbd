// The requests that were typed in conversations, for the Up key of later ones: kept in the user's
// state folder, without secrets, for as long as the history keeps asks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Those of a folder (absolute) that are at most `days` old, the latest last.
std::vector<std::string> typed_requests(std::string_view folder, double days);
// Keeps one more; failure to do so is not reported.
void keep_typed_request(std::string_view folder, std::string_view request);
bool forget_typed_requests();  // all of them; false: see errno

}  // namespace bodkin
