// Whether prose only explains what looks like a call.
#pragma once

#include <string_view>

namespace bodkin {

// `before` and `after`: all of the text above and below it.
bool prose_explains(std::string_view before, std::string_view after);

}  // namespace bodkin
