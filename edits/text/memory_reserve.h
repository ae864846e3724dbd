// Some memory that is kept back for the way out of an allocation that failed: to unwind, to say so
// and to answer takes some, too. Thread: any.
#pragma once

namespace bodkin {

// From now on an `operator new` that fails gives up the reserve and tries again before it throws.
// Called at the start, and again when such a failure is dealt with: fills the reserve if it can.
void keep_memory_reserve();

// For those who allocate without `new`. False: it was given up already; there is no memory.
bool release_memory_reserve();

}  // namespace bodkin
