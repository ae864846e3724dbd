#pragma once

#include <cstddef>

namespace bodkin {

// The number of bytes that malloc() took for `memory`, which is not null. Thread: any.
size_t allocated_size(void* memory);

}  // namespace bodkin
