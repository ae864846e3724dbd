// Memory that is held back for the moment when there is no more: to unwind, to say so and to
// answer takes some, too, and so does a destructor, which must not fail (that of a JSON value
// allocates). It is for small allocations, of at most 1 MB; a large one that fails throws at once.
// It has two parts: the small allocation that fails first gets one and goes on; the next one gives
// up the other and throws, so that unwinding has it. Thread: any.
#pragma once

#include <cstddef>

namespace bodkin {

// Called at the start, and after each piece of work: fills what was given up, if it can.
void keep_memory_reserve();

// For those who allocate without `new`: gives up a part. False: all of it was given up already;
// there is no memory.
bool release_memory_reserve();

// What `operator new` asks when `size` bytes could not be allocated. True: it tries again; false:
// it throws bad_alloc. (The program's `operator new` is defined beside it; a sanitizer has its
// own.)
bool make_room(std::size_t size);

}  // namespace bodkin
