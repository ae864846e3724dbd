// A memory reserve for recovering from a failed allocation: unwinding, reporting and answering need
// memory too. Thread: any.
#pragma once

namespace bodkin {

// From now on an `operator new` that fails releases the reserve and retries before it throws.
// Called at the start, and again when such a failure is dealt with: fills the reserve if it can.
void keep_memory_reserve();

// For those who allocate without `new`. False: it was already released; there is no memory.
bool release_memory_reserve();

}  // namespace bodkin
