// How much a conversation holds in memory.
#pragma once

#include <cstddef>

#include "agent/ask/ask.h"

namespace bodkin {

size_t bytes_of(const Conversation& conversation);  // about

}  // namespace bodkin
