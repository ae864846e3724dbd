// The memory that a conversation takes.
#pragma once

#include <cstddef>

#include "agent/ask/ask.h"

namespace bodkin {

size_t bytes_of(const Conversation& conversation);  // about

}  // namespace bodkin
