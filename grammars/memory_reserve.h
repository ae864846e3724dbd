// Memory held back for when there is no more: unwinding, reporting it and answering need some, too,
// and so does a destructor, which must not fail (a JSON value's allocates). It is for small
// allocations, of at most 1 MB; a large one that fails throws at once. It has two parts: the small
// allocation that fails first gets one and goes on; the next one throws, and what fails in that
// thread until the piece of work has ended gets the other. Thread: any.
#pragma once

#include <cstddef>

namespace bodkin {

// Called at the start, and after each piece of work: refills the reserve, as far as it can.
void keep_memory_reserve();

// For code that allocates without `new`: gives up a part. False if both were given up already:
// there is no memory.
bool release_memory_reserve();

// Called by `operator new` when `size` bytes could not be allocated. True: it tries again; false:
// it throws bad_alloc. (The program's `operator new` is defined next to it; a sanitizer has its
// own.)
bool make_room(std::size_t size);

}  // namespace bodkin
